"""The Streamlit app over gec_core: pages, their views, and what these share."""
