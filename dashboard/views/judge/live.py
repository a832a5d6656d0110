"""A session of judging as its owner sees it: the invitation, the ranking as it grows, files, closing and deleting."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from dashboard import cache, judging, session
from dashboard.components.comparison import ranks
from dashboard.components.controls import choose_view
from dashboard.components.edits import marked
from dashboard.components.exports import download
from dashboard.components.messages import plain
from gec_core.corpora.text import TextFile
from gec_core.errors import GecLensError
from gec_core.formatting import counted, minus
from gec_core.judging.database import JudgingDatabase, Session
from gec_core.judging.files import export, import_judgments
from gec_core.judging.results import Results, edit_votes, results
from gec_core.types import Corpus

EVERY = 3
"""Seconds between two looks at the answers."""
MOST_DISPUTED = 10
VIEWS = {"invite": "Invite", "results": "Results", "projector": "Projector", "manage": "Manage"}


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
        _invite(owned)
        _progress(database, owned)
    elif view == "results":
        _results(database, owned)
    elif view == "projector":
        with st.container(key="lens-projector"):
            _invite(owned, short=True)
            _projector(database, owned)
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


@st.fragment(run_every=EVERY)
def _progress(database: JudgingDatabase, owned: Session) -> None:
    answers = database.answers(owned)
    counts = Counter(answer.judge for answer in answers)
    judges = database.judges(owned)
    st.subheader("Progress")
    wanted = len(owned.plan.sentences) * owned.plan.judgments_per_sentence
    st.progress(min(len(answers) / wanted, 1.0), f"{len(answers):,} of {wanted:,} planned judgments")
    if judges:
        rows = "".join(
            f"<tr><th scope=row>{escape(judge.name)}</th><td>{counts[judge.name]}</td></tr>" for judge in judges
        )
        st.html(
            "<div class=lens-scroll><table class='lens-table'><thead><tr><th>Judge</th><th>Answers</th></tr></thead>"
            f"<tbody>{rows}</tbody></table></div>"
        )
    else:
        st.write("Nobody has joined yet.")


@st.fragment(run_every=EVERY)
def _results(database: JudgingDatabase, owned: Session) -> None:
    found = results(owned, database.answers(owned))
    if not found.answers:
        st.write("There are no answers yet. This page follows along.")
        return
    _ranking(owned, found)
    if found.order:
        _certainty(found)
    if found.between is not None and found.within is not None:
        st.subheader("Agreement of judges")
        for what, each in (("with one another", found.between), ("with themselves", found.within)):
            if each.raw is None:
                st.write(f"**{what.capitalize()}:** {each.reason}.")
            else:
                kappa = "not defined" if each.kappa is None else minus(f"{each.kappa:.2f}")
                counts = f"{each.raw:.0%} of {each.comparisons:,} comparisons"
                st.write(f"**{what.capitalize()}:** {counts}, Cohen's kappa {kappa}.")
    _disputed(owned, found)
    if owned.plan.kind == "edits":
        _edits(owned, found)


@st.fragment(run_every=EVERY)
def _projector(database: JudgingDatabase, owned: Session) -> None:
    found = results(owned, database.answers(owned), samples=100)
    st.html(f"<p class=lens-count><b>{len(found.answers):,}</b> answers</p>")
    if found.answers:
        _ranking(owned, found)


def _ranking(owned: Session, found: Results) -> None:
    """Draw the ranking of the judges beside those of metrics and of published judges."""
    people = found.expected_wins
    if people is None:
        if not found.means:
            st.write("No two different outputs were compared yet.")
        edits = owned.plan.kind == "edits"
        for system, mean in sorted(found.means.items(), key=lambda pair: -pair[1]):
            told = f"{mean:.1%} of the edits accepted" if edits else f"mean rating {mean:.1f}"
            st.write(f"**{plain(system)}**: {told}")
        return
    others = _other_ranks(owned, set(people.scores))
    trueskill = {one.system: one.rank for one in found.trueskill.standings} if found.trueskill else {}
    head = ["System", "Rank", "95%", "Expected Wins", "TrueSkill"]
    head += ["Mean rating"] if owned.plan.kind == "rating" else []
    rows = []
    for one in people.standings:
        cells = [
            str(one.rank),
            f"{one.rank_low}–{one.rank_high}",
            f"{one.score:.3f}",
            str(trueskill.get(one.system, "–")),
        ]
        cells += [f"{found.means[one.system]:.1f}"] if owned.plan.kind == "rating" else []
        cells += [str(placed.get(one.system, "–")) for placed in others.values()]
        rows.append(f"<tr><th scope=row>{escape(one.system)}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    heads = "".join(f"<th>{escape(name)}</th>" for name in (*head, *others))
    st.html(
        f"<div class=lens-scroll><table class='lens-table lens-rankings lens-pinned'><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
    if people.unranked:
        st.caption(f"Not ranked yet: {plain(', '.join(people.unranked))}.")
    st.caption(
        f"From {counted(len(found.answers), 'judgment')}. The ranks under 95% cover {people.samples} bootstrap samples "
        "of the judgments; all columns rank the same systems."
    )


def _other_ranks(owned: Session, judged: set[str]) -> dict[str, dict[str, int]]:
    """The ranks of the chosen metrics and of the chosen human ranking, if the corpus is the one that is judged."""
    corpus = _corpus(owned)
    if corpus is None:
        return {}
    table = cache.scores(corpus, session.metrics(), session.uploads().metrics_for(corpus)).table
    values = {column.metric.name: dict(column.values) for column in table.columns}
    name = session.human()
    if name is not None:
        values = {
            f"{corpus.name}: {cache.human_rankings(corpus)[name]}": cache.human_ranking(corpus, name).scores
        } | values
    return ranks(values, judged)


def _corpus(owned: Session) -> Corpus | None:
    corpus = session.corpus()
    same = corpus.name == owned.plan.corpus and set(owned.plan.systems) <= set(corpus.systems)
    return corpus if same else None


def _certainty(found: Results) -> None:
    st.subheader("How certain the order is")
    still = [pair for pair in found.order if pair.needed != 0]
    if not still:
        st.write("All neighbours in the ranking are in this order with a certainty of at least 95%.")
        return
    most = [pair.needed for pair in still if pair.needed is not None]
    more = f"about {max(most):,} more judgments" if len(most) == len(still) else "many more judgments"
    st.write(
        f"{counted(len(still), 'pair')} of neighbours {'is' if len(still) == 1 else 'are'} still open; {more} would "
        "settle them at 95%, if the differences stay as they are."
    )
    rows = "".join(
        f"<tr><td>{escape(pair.better)} above {escape(pair.worse)}</td><td>{pair.certainty:.0%}</td>"
        f"<td>{'far more' if pair.needed is None else f'{pair.needed:,}'}</td></tr>"
        for pair in found.order
    )
    st.html(
        "<div class=lens-scroll><table class=lens-table><thead><tr><th>Order</th><th>Certainty</th>"
        f"<th>Judgments needed</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _disputed(owned: Session, found: Results) -> None:
    if not found.disputed:
        return
    st.subheader("Outputs that judges order differently")
    for item in found.disputed[:MOST_DISPUTED]:
        source = owned.texts.sources[item.sentence]
        rows = "".join(
            f"<tr><th scope=row>{votes}</th><td class=wrap>"
            f"{marked(source, owned.texts.edits(item.sentence, place))}</td></tr>"
            for place, votes in ((item.first, item.votes[0]), (item.second, item.votes[2]))
        )
        ties = f", {counted(item.votes[1], 'tie')}" if item.votes[1] else ""
        st.html(
            f"<p>Sentence {item.sentence + 1}{ties}</p><div class=lens-scroll>"
            f"<table class='lens-table lens-texts'><tbody>{rows}</tbody></table></div>"
        )


def _edits(owned: Session, found: Results) -> None:
    st.subheader("Edits")
    rows = "".join(
        f"<tr><td>{vote.sentence + 1}</td><td>{vote.start}–{vote.end} → {escape(vote.correction) or '∅'}</td>"
        f"<td>{escape(', '.join(vote.systems))}</td><td>{vote.accepted}</td><td>{vote.rejected}</td></tr>"
        for vote in edit_votes(owned, found.answers)
    )
    st.html(
        "<div class='lens-scroll lens-tall'><table class=lens-table><thead><tr><th>Sentence</th><th>Edit</th>"
        f"<th>Systems</th><th>Accepted</th><th>Rejected</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _manage(database: JudgingDatabase, owned: Session, secret: str, leave: Callable[[], None]) -> None:
    query = urlencode({"corpus": owned.plan.corpus, "session": owned.id, "owner": secret})
    st.write("The owner's link, which opens the results, closes and deletes. Do not give it to judges:")
    st.code(f"{_server()}/judge?{query}", language=None)
    first, second, third = st.columns(3)
    open_again = owned.closed is not None
    first.button(
        "Open again" if open_again else "Close to answers",
        on_click=database.close,
        args=(owned,),
        kwargs={"closed": not open_again},
        width="stretch",
    )
    second.button(
        "Hide the results from judges" if owned.revealed else "Reveal the results to judges",
        on_click=_reveal,
        args=(database, owned),
        width="stretch",
    )
    third.button("Leave", on_click=leave, help="The owner's link opens the session again.", width="stretch")
    st.subheader("Files")
    names = st.checkbox("With the names of the judges", value=True)
    download(
        "Judgments",
        partial(_archive, database, owned, names),
        f"{owned.plan.corpus}-judgments.zip",
        "application/zip",
        help="A zip file with judgments.xml and judgments.csv (rankings), ratings.csv or verdicts.csv.",
    )
    if owned.plan.kind == "ranking":
        given = st.file_uploader("Add judgments from a file", ["xml", "csv"], key=session.upload_key("judgments"))
        if given is not None:
            st.button("Add them", on_click=session.apply_upload, args=(lambda: _import(database, owned, given),))
        if problem := session.upload_problem():
            st.error(plain(problem), icon=":material/error:")
    with st.expander("Delete the session"):
        st.write("Texts, names and answers are deleted from this server. This cannot be undone.")
        sure = st.checkbox("I have what I need.")
        st.button("Delete", on_click=_delete, args=(database, owned, leave), disabled=not sure, type="primary")


def _archive(database: JudgingDatabase, owned: Session, names: bool) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in export(owned, database.answers(owned), names=names).items():
            archive.writestr(name, text)
    return data.getvalue()


def _import(database: JudgingDatabase, owned: Session, given: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("judgments.csv" if given.name.lower().endswith(".csv") else "judgments.xml")
        path.write_bytes(given.getvalue())
        import_judgments(database, owned, TextFile(path, given.name))


def _delete(database: JudgingDatabase, owned: Session, leave: Callable[[], None]) -> None:
    database.delete(owned)
    leave()


def _reveal(database: JudgingDatabase, owned: Session) -> None:
    """Callback: show the ranking to the judges, with the metric that comes nearest, or hide it again."""
    if owned.revealed:
        database.reveal(owned, None)
        return
    found = results(owned, database.answers(owned), samples=0)
    people = found.expected_wins
    ranking = (
        [{"rank": one.rank, "system": one.system, "score": f"{one.score:.3f}"} for one in people.standings]
        if people
        else [
            {"rank": rank, "system": system, "score": f"{mean:.3f}"}
            for rank, (system, mean) in enumerate(sorted(found.means.items(), key=lambda pair: -pair[1]), 1)
        ]
    )
    shown: dict[str, Any] = {"ranking": ranking, "notes": []}
    if people:
        shown |= _nearest(database, owned, {one.system: one.rank for one in people.standings})
    database.reveal(owned, shown)


def _nearest(database: JudgingDatabase, owned: Session, mine: dict[str, int]) -> dict[str, Any]:
    """The metric with the smallest sum of differences in rank, and who predicted it."""
    try:
        others = _other_ranks(owned, set(mine))
    except GecLensError:
        return {}
    names = [metric.name for metric in session.known_metrics().values()]
    distance = {
        name: sum(abs(placed.get(system, 0) - rank) for system, rank in mine.items())
        for name, placed in others.items()
        if name in names and set(mine) <= set(placed)
    }
    if not distance:
        return {}
    best = min(distance, key=lambda name: (distance[name], name))
    predicted = Counter(judge.prediction for judge in database.judges(owned) if judge.prediction)
    notes = [f"{predicted[best]} of {sum(predicted.values())} predictions were right."] if predicted else []
    return {"nearest": best, "notes": notes}
