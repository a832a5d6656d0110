"""The script that draws every page; `server.py` serves it."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)  # in place of dashboard/, which `streamlit run` puts there


def main() -> None:
    """Draw the menu, the sidebar and the open page."""
    import streamlit as st

    from dashboard import IMPORTING

    with IMPORTING:
        from dashboard import navigation, sidebar, url_state
        from dashboard.components.messages import plain, problems_shown

    st.set_page_config(page_title="GEC Lens", page_icon=str(ROOT / "assets" / "icon.svg"), layout="wide")
    st.logo(str(ROOT / "assets" / "logo.svg"), icon_image=str(ROOT / "assets" / "icon.svg"), size="large")
    st.html(ROOT / "assets" / "style.css")
    page = navigation.menu()
    with IMPORTING:
        navigation.load(page)
    with problems_shown():
        sidebar.draw()
        page.run()
    if misread := url_state.misread():
        st.toast(plain(misread), icon=":material/link_off:", duration="infinite")
    url_state.write(page.url_path)


if __name__ == "__main__":  # not when a scoring process imports its parent's main module
    main()
