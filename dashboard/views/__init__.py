"""What each page shows, in a module with the name of the page."""
