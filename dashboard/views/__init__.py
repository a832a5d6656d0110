"""What each page shows, under the name of the page."""
