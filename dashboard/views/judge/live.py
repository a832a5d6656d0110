"""A session of judging as its owner sees it: the invitation, the ranking as it grows, files, closing and deleting."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial, wraps
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from dashboard import cache, judging, session, url_state
from dashboard.components.controls import choose_view
from dashboard.components.exports import download
from dashboard.components.messages import plain
from dashboard.navigation import page
from dashboard.views.judge.ranking import (
    certainty_choice,
    found_results,
    other_ranks,
    planned,
    projector_view,
    results_view,
    session_corpus,
    still_needed,
)
from dashboard.views.judge.sentences import sentences_view
from gec_core.corpora.text import TextFile
from gec_core.errors import GecLensError, JudgingError
from gec_core.formatting import counted
from gec_core.judging.database import JudgingDatabase
from gec_core.judging.files import archive, import_judgments
from gec_core.judging.plan import Session
from gec_core.judging.planning import Tally, totals
from gec_core.judging.results import PREFIX, SessionResults, own_corpus

EVERY = 3
"""Seconds between two looks at the answers."""
VIEWS = {
    "invite": "Invite",
    "plan": "Plan",
    "results": "Results",
    "sentences": "Sentences",
    "projector": "Projector",
    "manage": "Manage",
}


def _followed(draw: Callable[[JudgingDatabase, Session], None]) -> Callable[[JudgingDatabase, Session], None]:
    """Draw a part of the page again every few seconds, and the whole page when the session was deleted elsewhere."""

    @wraps(draw)
    def drawn(database: JudgingDatabase, owned: Session) -> None:
        try:
            database.current(owned)
            draw(database, owned)
        except JudgingError:
            st.rerun(scope="app")

    return st.fragment(drawn, run_every=EVERY)


def show(database: JudgingDatabase, owned: Session, secret: str, *, leave: Callable[[], None]) -> None:
    """Draw the session."""
    st.title(plain(owned.plan.title))
    closed = " It is closed." if owned.closed is not None else ""
    st.caption(
        f"A session about {plain(owned.plan.corpus)}: {counted(len(owned.plan.systems), 'system')}, "
        f"{counted(len(owned.plan.sentences), 'sentence')}.{closed} Keep the address of this page: it is the only key "
        "to the session's results."
    )
    view = choose_view(VIEWS, "invite")
    if view == "invite":
        if owned.closed is None:
            _invite(owned)
        else:
            st.info("The session is closed, so nobody can join it. *Manage* opens it again.")
        _progress(database, owned)
    elif view == "plan":
        _plan(database, owned)
    elif view == "results":
        _results(database, owned)
    elif view == "sentences":
        sentences_view(database, owned)
    elif view == "projector":
        with st.container(key="lens-judge-projector"):
            if owned.closed is None:
                _invite(owned, short=True)
            _projector(database, owned)
            st.button(
                "Hide names and metrics" if owned.revealed else "Reveal",
                on_click=_reveal,
                args=(database, owned),
                help="Shows the names of systems, the metrics and the predictions here and to the judges.",
            )
    else:
        _manage(database, owned, secret, leave)


def _invite(owned: Session, *, short: bool = False) -> None:
    import segno

    link = f"{_server()}/{judging.PATH}/{owned.code}"
    picture, words = st.columns([1, 3], vertical_alignment="center")
    qr = segno.make(link, error="m").svg_data_uri(scale=4, border=2, dark="#000", light="#fff")
    picture.html(f'<img class="lens-qr" src="{escape(qr)}" alt="QR code of the link">')
    with words:
        st.html(
            f"<p class=lens-code><span>Judge at</span> <b>{escape(link)}</b><br>"
            f"<span>or with the code</span> <b>{escape(owned.code)}</b></p>"
        )
        if not short and urlsplit(link).hostname in ("localhost", "127.0.0.1", "::1"):
            st.warning(
                "This server listens to this machine only, so phones cannot open the link. Start it with "
                "`gec-lens run --address 0.0.0.0` and open this page under the address of the machine.",
                icon=":material/wifi_off:",
            )


def _server() -> str:
    """The address of this server as the browser sees it."""
    parts = urlsplit(st.context.url or "http://localhost")
    base = parts.path.rstrip("/").removesuffix("judge").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{base}"


@_followed
def _progress(database: JudgingDatabase, owned: Session) -> None:
    answers = database.answers(owned)
    counts = Counter(answer.judge for answer in answers)
    judges = database.judges(owned)
    st.subheader("Progress")
    done, wanted = planned(database, owned)
    st.progress(done / wanted, f"{done:,} of {wanted:,} planned judgments")
    if judges:
        rows = "".join(
            f"<tr><th scope=row>{escape(judge.name)}</th>"
            f"<td>{'left out' if judge.excluded else f'{counts[judge.name]} of {owned.plan.items_per_judge}'}</td></tr>"
            for judge in judges
        )
        st.html(
            "<div class=lens-scroll><table class='lens-table'><thead><tr><th>Judge</th><th>Answers</th></tr></thead>"
            f"<tbody>{rows}</tbody></table></div>"
        )
    else:
        st.write("Nobody has joined yet.")


@_followed
def _results(database: JudgingDatabase, owned: Session) -> None:
    results_view(database, owned)


@_followed
def _projector(database: JudgingDatabase, owned: Session) -> None:
    projector_view(database, owned)


@_followed
def _plan(database: JudgingDatabase, owned: Session) -> None:
    """Draw what is asked next and why, and how much is still to do."""
    plan, now = owned.plan, database.current(owned)
    tally = database.counted(now, totals).tally
    done, wanted = planned(database, owned)
    st.write(
        f"**Planned:** {counted(len(plan.sentences), 'sentence')} × "
        f"{counted(plan.judgments_per_sentence, 'judgment')} = {wanted:,} judgments; {done:,} are there. Each judge "
        f"sees at most {counted(plan.items_per_judge, 'item')}"
        + (f", one repeated after every {plan.repeat_every}." if plan.repeat_every else ", none repeated.")
    )
    st.progress(done / wanted)
    if plan.kind == "edits":
        st.write("**Next:** the outputs of sentences with the fewest judgments, systems in turn.")
        return
    if plan.order == "random":
        st.write("**Next:** sentences at random among those with the fewest judgments, systems spread evenly.")
    elif not tally.is_warm:
        st.write(
            "**Next:** balanced, until there are as many comparisons as pairs of systems "
            f"({int(tally.met.sum() / 2):,} of {len(plan.systems) * (len(plan.systems) - 1) // 2:,}). Then where an "
            "answer tells most."
        )
    else:
        st.write(
            "**Next:** where an answer tells most: pairs of systems whose order is open and that were compared rarely"
            + (", on sentences on which the metrics split." if plan.splits else ".")
        )
    found = found_results(database, owned)
    if not found.pairs:
        st.write("The pairs of systems show here with the first answers.")
        return
    certainty = certainty_choice()
    st.write(still_needed(found, certainty))
    _pair_table(found, tally, certainty)


def _pair_table(found: SessionResults, tally: Tally, certainty: float) -> None:
    """One row and column per system, best first: how certain the order is, and how often the two were compared."""
    systems = found.expected_wins.systems if found.expected_wins else ()
    worth = tally.worth()
    at = {name: number for number, name in enumerate(tally.systems)}
    told = sorted(found.pairs, key=lambda pair: -worth[at[pair.better], at[pair.worse]])[:3]
    asked = {(pair.better, pair.worse) for pair in told}
    known = {(pair.better, pair.worse): pair for pair in found.pairs}
    head = "".join(f"<th scope=col class=wrap>{escape(name)}</th>" for name in systems[1:])
    body = ""
    for row, better in enumerate(systems[:-1]):
        cells = ""
        for column, worse in enumerate(systems[1:], 1):
            if column <= row:
                cells += "<td></td>"
                continue
            pair = known[better, worse]
            settled = pair.certainty >= certainty
            mark = (" ✓" if settled else "") + (" ●" if (better, worse) in asked else "")
            shade = "" if settled else f" style='--open:{round(200 * (1 - pair.certainty))}%'"
            cells += f"<td class='{'' if settled else 'lens-open'}'{shade}>{pair.certainty:.0%}{mark}"
            cells += f"<br><small>{pair.compared}×</small></td>"
        body += f"<tr><th scope=row>{escape(better)}</th>{cells}</tr>"
    st.html(
        "<div class=lens-scroll><table class='lens-table lens-pinned'><thead><tr><th>above</th>"
        f"{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
    st.caption(
        "How certain it is that the system of the row is better than that of the column, and how often they were "
        "compared. ✓ settled; ● the pairs about which one more comparison tells most."
    )


def _manage(database: JudgingDatabase, owned: Session, secret: str, leave: Callable[[], None]) -> None:
    query = urlencode({"corpus": owned.plan.corpus, "session": owned.id, "owner": secret})
    st.write("The owner's link, which opens the results, closes and deletes. Do not give it to judges:")
    st.code(f"{_server()}/judge?{query}", language=None, wrap_lines=True)
    first, second, third = st.columns(3)
    is_closed = owned.closed is not None
    first.button(
        "Open again" if is_closed else "Close to answers",
        on_click=_changed,
        args=(partial(database.close, owned, closed=not is_closed),),
        width="stretch",
    )
    second.button(
        "Hide the results from judges" if owned.revealed else "Reveal the results to judges",
        on_click=_reveal,
        args=(database, owned),
        width="stretch",
    )
    third.button("Leave", on_click=leave, help="The owner's link opens the session again.", width="stretch")
    _on_all_pages(database, owned)
    _files(database, owned)
    _judges(database, owned)
    with st.expander("Delete the session"):
        st.write("Texts, names and answers are deleted from this server. This cannot be undone.")
        sure = st.checkbox("I have what I need.")
        st.button("Delete", on_click=_delete, args=(database, owned, leave), disabled=not sure, type="primary")


def _on_all_pages(database: JudgingDatabase, owned: Session) -> None:
    """Say how the judgments are used on other pages, and open them there."""
    st.subheader("On all pages")
    if owned.closed is None:
        st.write(
            "Once the session is closed, its judgments are a set of judgments of the corpus: rankings, correlation, "
            "agreement and disagreements work with them."
        )
        return
    corpus = session_corpus(owned)
    if corpus is None and f"{PREFIX}{owned.id}" in session.corpus().judgment_sets:
        st.write("The chosen corpus has the judged sentences and these judgments: all pages use them.")
        _page_links({})
        return
    if corpus is None:
        st.write(
            f"{plain(owned.texts.misfit(session.corpus()))} The session has kept the sentences and outputs that were "
            "judged: open them as a corpus of yours, with the judgments."
        )
        st.button("Open the judged sentences as a corpus", on_click=_open_corpus, args=(database, owned))
        if problem := session.upload_problem():
            st.error(plain(problem), icon=":material/error:")
        return
    set_id = f"{PREFIX}{owned.id}"
    if owned.plan.kind == "edits":
        st.write("The verdicts count on the page Why, among those of the corpus.")
    elif set_id in corpus.judgment_sets:
        chosen = corpus.chosen_set == set_id
        st.write(
            "The sidebar has chosen these judgments: all pages use them."
            if chosen
            else "These judgments are in the list *Judgments* of the sidebar. All pages use what is chosen there."
        )
        if not chosen:
            st.button("Use these judgments", on_click=session.judge_by, args=(set_id,), type="primary")
        _page_links({"judgments": [set_id]} if len(corpus.judgment_sets) > 1 else {})
    st.button(
        "Keep them to yourself" if owned.shared else "Share them with everybody on this server",
        on_click=_changed,
        args=(partial(database.share, owned, shared=not owned.shared),),
        help="Shared judgments are in the sidebar of every visitor and in `--judgments` of the command line. Names of "
        "judges show on the page Sentence agreement.",
    )


def _page_links(choice: dict[str, list[str]]) -> None:
    with st.container(horizontal=True):
        for name in ("rankings", "correlation", "agreement", "disagreements", "across", "guess"):
            st.page_link(page(name), query_params=url_state.link(choice))


def _open_corpus(database: JudgingDatabase, owned: Session) -> None:
    """Callback: put the judged part of the corpus among the visitor's uploads and choose it."""

    def add() -> None:
        taken = {*cache.corpus_names(), *session.uploads().corpora}
        names = (f"{owned.plan.corpus} judged{number}" for number in ("", *(f" {at}" for at in range(2, 100))))
        name = next(name for name in names if name not in taken)
        session.uploads().add_corpus(own_corpus(owned, database.answers(owned), name))
        session.choose_corpus(name)

    session.apply_upload(add)


def _files(database: JudgingDatabase, owned: Session) -> None:
    st.subheader("Files")
    names = st.checkbox("With the names of the judges", value=True)
    download(
        "Judgments",
        partial(_archive, database, owned, names),
        f"{owned.plan.corpus}-judgments.zip",
        "application/zip",
        help="A zip file with judgments.xml and judgments.csv (rankings), ratings.csv or verdicts.csv, and "
        "session.json, which another server opens as a session.",
    )
    if owned.plan.kind == "ranking":
        given = st.file_uploader("Add judgments from a file", ["xml", "csv"], key=session.upload_key("judgments"))
        if given is not None:
            st.button("Add them", on_click=session.apply_upload, args=(lambda: _import(database, owned, given),))
        if problem := session.upload_problem():
            st.error(plain(problem), icon=":material/error:")


def _judges(database: JudgingDatabase, owned: Session) -> None:
    """Let the owner leave judges out, for example somebody who pressed buttons at random."""
    judges = database.judges(owned)
    if not judges:
        return
    st.subheader("Judges")
    chosen = st.multiselect(
        "Leave out",
        [judge.id for judge in judges],
        [judge.id for judge in judges if judge.excluded],
        format_func={judge.id: judge.name for judge in judges}.__getitem__,
        placeholder="no judge",
        help="Their answers are kept, but do not count in results, files and on other pages.",
    )
    for judge in judges:
        if judge.excluded != (judge.id in chosen):
            database.exclude(owned, judge, excluded=judge.id in chosen)


def _archive(database: JudgingDatabase, owned: Session, names: bool) -> bytes:
    return archive(owned, database.answers(owned), names=names)


def _import(database: JudgingDatabase, owned: Session, given: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("judgments.csv" if given.name.lower().endswith(".csv") else "judgments.xml")
        path.write_bytes(given.getvalue())
        import_judgments(database, owned, TextFile(path, given.name))


def _changed(act: Callable[[], None]) -> None:
    """Callback: change the session, and what other pages know of it."""
    act()
    cache.forget_sessions()


def _delete(database: JudgingDatabase, owned: Session, leave: Callable[[], None]) -> None:
    _changed(partial(database.delete, owned))
    leave()


def _reveal(database: JudgingDatabase, owned: Session) -> None:
    """Callback: show the ranking to the judges, with the metric that comes nearest, or hide it again."""
    if owned.revealed:
        database.reveal(owned, None)
        return
    found = found_results(database, owned)
    people = found.expected_wins
    ranking = (
        [{"rank": one.rank, "system": one.system, "score": f"{one.score:.3f}"} for one in people.standings]
        if people
        else [
            {"rank": rank, "system": system, "score": f"{mean:.3f}"}
            for rank, (system, mean) in enumerate(sorted(found.means.items(), key=lambda pair: -pair[1]), 1)
        ]
    )
    count = len(found.answers)
    shown: dict[str, Any] = {"ranking": ranking, "answers": count, "notes": [f"After {counted(count, 'answer')}."]}
    if people:
        nearest, told = _nearest(database, owned, {one.system: one.rank for one in people.standings})
        shown |= {"nearest": nearest, "notes": [*told, *shown["notes"]]}
    database.reveal(owned, shown)


def _nearest(database: JudgingDatabase, owned: Session, mine: dict[str, int]) -> tuple[str, list[str]]:
    """The metrics with the smallest sum of differences in rank, of those that could be predicted; and who was right."""
    try:
        others = other_ranks(owned, set(mine))
    except GecLensError:
        return "", []
    names = owned.plan.predictions or [metric.name for metric in session.known_metrics().values()]
    distance = {
        name: sum(abs(placed.get(system, 0) - rank) for system, rank in mine.items())
        for name, placed in others.items()
        if name in names and set(mine) <= set(placed)
    }
    best = [name for name in distance if distance[name] == min(distance.values())]
    predicted = Counter(judge.prediction for judge in database.judges(owned) if judge.prediction)
    if not best or not predicted:
        return ", ".join(best), []
    right = sum(predicted[name] for name in best)
    return ", ".join(best), [f"{right} of {counted(sum(predicted.values()), 'prediction')} came true."]
