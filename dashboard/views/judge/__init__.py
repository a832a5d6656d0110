"""The page *Judge*: open a session, invite judges, follow the ranking as answers come in.

Judges do not see this page; theirs is in `dashboard.judging`. A session is opened here by its owner's secret link.
"""

from __future__ import annotations

import streamlit as st

from dashboard import judging, session, url_state
from dashboard.components.messages import end_page, plain
from dashboard.navigation import page
from dashboard.views.judge import create, live
from dashboard.views.judge.projector import PROJECTOR, projector_view
from gec_core.errors import JudgingError
from gec_core.judging.database import JudgingDatabase

SESSION, OWNER = "session", "owner"


def show() -> None:
    """Draw the page."""
    if not judging.enabled():
        st.title("Judge")
        st.info("Whoever runs this server has switched judging off (GEC_LENS_JUDGING).")
        end_page()
    database = JudgingDatabase()
    if key := url_state.present(PROJECTOR):
        _show_projector(database, url_state.present(SESSION), key)
        return
    if judging.needs_login():
        _log_in()
    id, secret = _owner()
    wrong = ""
    if id:
        try:
            owned = database.owned(id, secret)
        except JudgingError as problem:
            wrong = str(problem)
            _forget()
        else:
            if id not in session.owned_sessions():
                session.own_session(id, secret)
                st.rerun()  # so that the sidebar lists its judgments
            url_state.put({SESSION: [id], OWNER: [secret]})
            live.show(database, owned, secret, leave=_forget)
            return
    st.title("Judge")
    if wrong:
        st.error(plain(wrong), icon=":material/error:")
    st.write(
        "Collect your own human ranking. You open a session for the outputs of this corpus and hand out a code; judges "
        "open a link on a phone or a laptop and rank outputs without seeing which system wrote them. You watch the "
        "ranking grow beside those of the metrics."
    )
    st.page_link(
        page("my_system"),
        label="Judge texts of your own: upload sources and outputs first",
        icon=":material/upload:",
        query_params=url_state.link({"bring": ["corpus"]}),
    )
    create.exported(database)
    made = create.form(database, session.whole_corpus())
    if made is not None:
        create.enter(made)
        st.rerun()


def _show_projector(database: JudgingDatabase, id: str, key: str) -> None:
    """Draw the projector view; nothing else of this visit is the owner's."""
    try:
        viewed = database.viewed(id, key)
    except JudgingError as problem:
        st.title("Judge")
        st.error(plain(str(problem)), icon=":material/error:")
        return
    url_state.put({SESSION: [id], PROJECTOR: [key]})
    projector_view(database, viewed)


def _log_in() -> None:
    """End the page unless the visitor has logged in with Streamlit's OpenID Connect."""
    if getattr(st.user, "is_logged_in", False):
        return
    st.title("Judge")
    st.write("On this server, sessions are opened by people who have logged in. Judges need no login.")
    if hasattr(st.user, "is_logged_in"):
        st.button("Log in", on_click=st.login, type="primary", icon=":material/login:")
        st.caption("The login leads to the first page; come back to this one after it.")
    else:
        st.info("No login is set up here. Whoever runs the server finds out how in docs/deploying.md, “Login”.")
    end_page()


def _owner() -> tuple[str, str]:
    """The session that the address or this visit names, with the owner's secret; empty if there is none."""
    named = (url_state.present(SESSION), url_state.present(OWNER))
    if all(named):
        session.keep("judging", named)
    return session.kept("judging", ("", ""))


def _forget() -> None:
    """Callback: leave the session; its link opens it again."""
    session.keep("judging", ("", ""))
    url_state.remove([SESSION, OWNER])
