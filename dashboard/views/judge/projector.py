"""What a room sees of a session of judging: the invitation, the ranking as it grows, and the results once revealed.

The projector has a link of its own, because everybody in the room can read its address: the key in it opens this view
only. What the owner reveals is kept with the session, so that the projector and the judges' phones show the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from dashboard import judging, session
from dashboard.components.messages import plain
from dashboard.views.judge.ranking import followed, found_results, other_ranks, planned, ranking_table
from gec_core.errors import GecLensError
from gec_core.formatting import counted
from gec_core.judging.database import JudgingDatabase
from gec_core.judging.results import SessionResults
from gec_core.judging.session import Session

PROJECTOR = "projector"
"""The part of an address that has the projector's key."""


def invitation(owned: Session, *, short: bool = False) -> None:
    """Draw the link, the QR code and the code with which judges join."""
    import segno

    page = f"{server_address()}/{judging.PATH}"
    link = f"{page}/{owned.code}"
    qr = segno.make(link, error="m").svg_data_uri(scale=4, border=2, dark="#000", light="#fff")
    picture = f'<img class="lens-qr" src="{escape(qr)}" alt="QR code of the link">'
    typed = f"<b>{escape(page)}</b><br><span>and enter</span> <b>{escape(owned.code)}</b>"
    if short:
        st.html(f"{picture}<p class=lens-code><span>Scan, or open</span><br>{typed}</p>")
        return
    left, right = st.columns([1, 3], vertical_alignment="center")
    left.html(picture)
    with right:
        st.html(
            f"<p class=lens-code><span>Judge at</span> <b>{escape(link)}</b><br>"
            f"<span>or open</span> {typed.replace('<br>', ' ')}</p>"
        )
        if urlsplit(link).hostname in ("localhost", "127.0.0.1", "::1"):
            st.warning(
                "This server listens to this machine only, so phones cannot open the link. Start it with "
                "`gec-lens run --address 0.0.0.0` and open this page under the address of the machine.",
                icon=":material/wifi_off:",
            )


def server_address() -> str:
    """The address of this server as the browser sees it."""
    parts = urlsplit(st.context.url or "http://localhost")
    base = parts.path.rstrip("/").removesuffix("judge").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{base}"


def projector_controls(database: JudgingDatabase, owned: Session) -> None:
    """Draw the owner's side of the projector: its link, and what it shows."""
    query = urlencode({"session": owned.id, PROJECTOR: database.viewing_key(owned)})
    st.write(
        "The projector view has large type and follows along. Systems have no names there until you reveal them. Its "
        "address shows the room nothing secret; the address of *this* page would."
    )
    with st.container(horizontal=True):
        st.link_button(
            "Open the projector view", f"{server_address()}/judge?{query}", type="primary", icon=":material/cast:"
        )
        st.button(
            "Hide names and metrics" if owned.revealed else "Reveal names and metrics",
            on_click=reveal,
            args=(database, owned),
            help="Shows the names of systems, the metrics and the predictions on the projector and to the judges.",
        )
    if owned.revealed:
        _revealed_ranks(owned.revealed)
    else:
        st.caption("You reveal from here: the projector and the judges' phones follow within seconds.")


def projector_view(database: JudgingDatabase, viewed: Session) -> None:
    """Draw what a room can read."""
    with st.container(key="lens-judge-projector"):
        st.title(plain(viewed.plan.title))
        _follow(database, viewed)


@followed
def _follow(database: JudgingDatabase, viewed: Session) -> None:
    """Draw how many answers there are, and the ranking, without names until it is revealed."""
    now, found = database.current(viewed), found_results(database, viewed)
    if now.closed is None and now.revealed is None:
        left, right = st.columns([2, 5], gap="large")
        with left:
            invitation(viewed, short=True)
        with right:
            _ranking(database, now, found)
    else:
        _ranking(database, now, found)


def _ranking(database: JudgingDatabase, now: Session, found: SessionResults) -> None:
    done, wanted = planned(database, now)
    judges = len({answer.judge for answer in found.answers})
    st.html(
        f"<p class=lens-count><b>{done:,}</b> of {wanted:,} planned judgments by <b>{judges}</b> "
        f"{'judge' if judges == 1 else 'judges'}</p>"
    )
    predicted = Counter(judge.prediction for judge in database.judges(now) if judge.prediction)
    if now.revealed is None:
        if found.answers:
            ranking_table(now, found, large=True, named=False)
        if predicted:
            count = counted(sum(predicted.values()), "prediction")
            st.html(f"<p class=lens-count>{count}, to be revealed with the names</p>")
        return
    if found.answers:
        ranking_table(now, found, now.revealed.get("others", {}), large=True)
    _revealed_ranks(now.revealed, len(found.answers))
    if predicted:
        told = ", ".join(f"{escape(name)} {count}" for name, count in predicted.most_common())
        st.html(f"<p class=lens-count>Predicted: {told}</p>")


def _revealed_ranks(shown: Mapping[str, Any], answers: int | None = None) -> None:
    """Say which metric came nearest when the results were revealed."""
    if nearest := shown.get("nearest"):
        then = shown.get("answers", answers)
        when = f" after {then:,} answers" if then != answers else ""
        st.html(f"<p class=lens-count>Nearest to the judges{when}: <b>{escape(str(nearest))}</b></p>")


def reveal(database: JudgingDatabase, owned: Session) -> None:
    """Callback: show the ranking to the room and the judges, with the metrics' ranks, or hide it again."""
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
    shown["measure"] = "Expected Wins" if people else "Mean rating" if owned.plan.kind == "rating" else "Edits accepted"
    if people:
        mine = {one.system: one.rank for one in people.standings}
        try:
            others = other_ranks(owned, set(mine))
        except GecLensError:
            others = {}
        nearest, told = nearest_metrics(database, owned, mine, others)
        shown |= {"others": others, "nearest": nearest, "notes": [*told, *shown["notes"]]}
    database.reveal(owned, shown)


def nearest_metrics(
    database: JudgingDatabase, owned: Session, mine: Mapping[str, int], others: Mapping[str, Mapping[str, int]]
) -> tuple[str, list[str]]:
    """The metrics with the smallest sum of differences in rank, of those that could be predicted; and who was right."""
    names = owned.plan.predictions or [metric.name for metric in session.known_metrics().values()]
    distance = {
        name: sum(abs(placed[system] - rank) for system, rank in mine.items())
        for name, placed in others.items()
        if name in names and set(mine) <= set(placed)
    }
    best = [name for name in distance if distance[name] == min(distance.values())]
    told = "all metrics equally" if len(best) == len(distance) > 2 else ", ".join(best)
    predicted = Counter(judge.prediction for judge in database.judges(owned) if judge.prediction)
    if not best or not predicted:
        return told, []
    right = sum(predicted[name] for name in best)
    return told, [f"{right} of {counted(sum(predicted.values()), 'prediction')} came true."]
