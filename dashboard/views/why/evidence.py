"""What is behind the gap between two systems: edits of a group, or sentences, ranked by what they contribute."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import navigation, session, url_state
from dashboard.components.controls import choose_one, clickable, pick
from dashboard.components.edits import change, marked, shade
from dashboard.components.exports import FROM_0, csv_button
from dashboard.components.messages import plain, without_texts
from gec_core.align.edits import diff_edits
from gec_core.formatting import counted
from gec_core.meta.edit_fates import Fate, MadeEdit
from gec_core.meta.gap import GapSide
from gec_core.meta.gap_edits import By, EditGap, label_of, name_of
from gec_core.meta.gap_sentences import Gap
from gec_core.meta.gap_words import most_apart, signed
from gec_core.types import Array, Corpus, Edit

APART = "difference"
"""The option that ranks by the difference of two sides."""
LISTED = 10
"""Rows of a page of the list."""
AROUND = 5
"""Words before and after an edit."""
NOTHING = "<span class=about>no edit of its own</span>"
ANCHOR = "edits"
_OPEN = "why-open"
FATES_IN_SHORT: dict[Fate, str] = {
    "missed": "in a reference, missed by {other}",
    "reference": "in a reference",
    "error": "at an error, but not as in a reference",
    "elsewhere": "where no reference changes anything",
    "unknown": "",
}


def draw(corpus: Corpus, sides: Sequence[GapSide], by: By, left_out: Sequence[int], cue: DeltaGenerator) -> None:
    """Draw the list that is asked for.

    Args:
        corpus: The corpus.
        sides: The sides of the comparison.
        by: What edits are grouped by.
        left_out: List these sentences; if empty, the edits of the chosen group, or else all sentences.
        cue: The place below the picture, which says that a click there listed edits further down.
    """
    if (line := session.kept(_OPEN, -1)) >= 0:
        session.keep(_OPEN, -1)
        first, second = sides[0].gap.systems
        asked = {"sentence": [str(line)], "system": [first], "against": [second]}
        st.switch_page(navigation.page("sentence"), query_params=url_state.link(asked))
    sides = [side for side in sides if side.gap.contributions.any()] or sides  # those that sentences say nothing about
    group = next(iter(url_state.current("group")), "")
    ranked = _ranked_by(sides)
    if left_out:
        sentences(corpus, sides, left_out, f"The {counted(len(left_out), 'sentence')} left out")
    elif group and any(side.edits for side in sides):
        edits(corpus, sides, by, group, ranked, cue)
    else:
        size = strength(sides, ranked, [side.gap.contributions for side in sides])
        lines = [int(line) for line in np.argsort(-size, kind="stable") if size[line]]
        sentences(corpus, sides, lines, "Sentences that make the gap")


def _ranked_by(sides: Sequence[GapSide]) -> str:
    """Draw by what the list is ranked: the contributions to one side's gap, or how far two sides differ."""
    options = {side.gap.side: side.gap.name for side in sides}
    if len(sides) > 1:
        options[APART] = "Difference of sides"
    if len(options) == 1:
        url_state.choice("side", list(options), next(iter(options)))
        return next(iter(options))
    return choose_one("List ranked by", "side", options, next(iter(options)))


def strength(sides: Sequence[GapSide], ranked: str, contributions: Sequence[Array]) -> Array:
    """Return the size of what is ranked: of contributions to one side, or of the difference of the two most apart."""
    at = {side.gap.side: place for place, side in enumerate(sides)}
    if ranked in at:
        return np.abs(contributions[at[ranked]])
    pair = most_apart(sides, lambda side: side.gap)
    ours, theirs = (contributions[at[side.gap.side]] / (side.gap.spread or 1.0) for side in pair)
    return np.asarray(np.abs(ours - theirs))


def edits(corpus: Corpus, sides: Sequence[GapSide], by: By, group: str, ranked: str, cue: DeltaGenerator) -> None:
    """Draw the edits of a group, the largest contributions first."""
    split = [side for side in sides if side.edits]
    found = [side.edits for side in split if side.edits]
    made = found[0].edits
    size = strength(split, ranked if len(split) > 1 or ranked != APART else "", [each.contributions for each in found])
    in_group = np.array([name_of(each, by, made) == group for each in made.made], bool)
    own = [int(index) for index in np.argsort(-size, kind="stable") if in_group[index] and size[index] > 0]
    title = f"{plain(label_of(group, by).capitalize())}: {counted(len(own), 'edit')}"
    st.subheader(title, anchor=ANCHOR)
    cue.markdown(f"[↓ {title} below](#{ANCHOR})")
    if not own:
        st.info("No edit of this group contributes anything.")
        return
    most = [float(np.abs(each.contributions[own]).max()) for each in found]
    rows = []
    for index in _page(own, f"edits-{group}"):
        edit = made.made[index]
        cells = [f"<td class=n>{edit.place.line + 1}</td>", f"<td>{_badge(edit, found[0])}</td>"]
        cells.append(f"<td class=wrap>{_told(corpus, edit, made.systems)}</td>")
        values = [float(each.contributions[index]) for each in found]
        cells += _numbers(values, [each.gap for each in found], most)
        rows.append((edit.place.line, "".join(cells)))
    _table(corpus, ["no.", "system", "edit", *(each.gap.name for each in found)], rows, f"why-edits-{group}")
    name = f"{corpus.name}-{group}-edits".lower().replace(" ", "-")
    first, second = found[0].gap.systems
    what = f"What the edits of {label_of(group, by)} contribute to the gaps between {first} and {second}"
    csv_button(edits_frame(found[0], found, own), name, what)


def edits_frame(found: EditGap, split: Sequence[EditGap], own: Sequence[int]) -> pd.DataFrame:
    """Return edits with what they contribute under every side, for download."""
    made = [found.edits.made[index] for index in own]
    return pd.DataFrame(
        {
            FROM_0: [each.place.line for each in made],
            "system": [each.place.system for each in made],
            "start": [each.edit.start for each in made],
            "end": [each.edit.end for each in made],
            "correction": [each.edit.correction for each in made],
            "type": [each.edit.type for each in made],
            "fate": [each.fate for each in made],
        }
        | {each.gap.name: each.contributions[list(own)] for each in split}
    )


def _badge(made: MadeEdit, found: EditGap) -> str:
    kind = "for" if made.place.system == found.gap.systems[0] else "against"
    return f"<span class='lens-badge {kind}'>{escape(made.place.system)}</span>"


def _told(corpus: Corpus, made: MadeEdit, systems: tuple[str, str]) -> str:
    """An edit with the words around it; without texts, where it is."""
    edit = made.edit
    about = f"<span class=about>{escape(_about(made, systems))}</span>"
    if not corpus.has_texts or edit.correction is None:
        where = f"before token {edit.start + 1}" if edit.start == edit.end else f"token {edit.start + 1}"
        where += f"–{edit.end}" if edit.end > edit.start + 1 else ""
        return f"{where} {about}"
    tokens = corpus.sentences[made.place.line].tokens
    return f"{_around(tokens, edit.start, edit.end, edit.correction)} {about}"


def _about(made: MadeEdit, systems: tuple[str, str]) -> str:
    """The type of an edit and what became of it."""
    other = systems[1] if made.place.system == systems[0] else systems[0]
    return " · ".join(filter(None, [made.edit.type, FATES_IN_SHORT[made.fate].format(other=other)]))


def _around(tokens: Sequence[str], start: int, end: int, correction: str) -> str:
    """An edit with a few words before and after it."""
    left = ("… " if start > AROUND else "") + " ".join(tokens[max(0, start - AROUND) : start])
    right = " ".join(tokens[end : end + AROUND]) + (" …" if end + AROUND < len(tokens) else "")
    return f"{escape(left)} {change(tokens[start:end], correction)} {escape(right)}".strip()


def sentences(corpus: Corpus, sides: Sequence[GapSide], lines: Sequence[int], title: str) -> None:
    """Draw sentences with the edits that only one of the two systems made."""
    st.subheader(plain(title))
    if not lines:
        st.info("No sentence contributes to the gap.")
        return
    told = corpus.has_texts or any(side.edits for side in sides)
    heads = ["no.", *(["what differs"] if told else []), *(side.gap.name for side in sides)]
    most = [float(np.abs(side.gap.contributions).max()) for side in sides]
    rows = []
    for line in _page(lines, "sentences"):
        values = [float(side.gap.contributions[line]) for side in sides]
        cells = [f"<td class=n>{line + 1}</td>"]
        cells += [f"<td class=wrap>{_difference(corpus, sides, line)}</td>"] if told else []
        rows.append((line, "".join([*cells, *_numbers(values, [side.gap for side in sides], most)])))
    _table(corpus, heads, rows, "why-sentences")


def _difference(corpus: Corpus, sides: Sequence[GapSide], line: int) -> str:
    """The two outputs with the edits that only one of them has, shaded by what they contribute.

    Without texts, the types of these edits. There must be texts, or a side that is split into edits.
    """
    systems = sides[0].gap.systems
    found = next((side.edits for side in sides if side.edits), None)
    if found is None:
        source = corpus.sentences[line].source
        edits = {name: diff_edits(source, corpus.systems[name][line]) for name in systems}
        own = {name: [edit for edit in edits[name] if edit not in edits[other]] for name, other in _either(systems)}
        shown = {name: marked(source, own[name], around=AROUND) if own[name] else NOTHING for name in systems}
        return "".join(_row(name, systems, shown[name]) for name in systems)
    here = [(found.edits.made[index], index) for index in np.flatnonzero(found.edits.sentences == line)]
    keys = {name: {made.edit.key for made, _ in here if made.place.system == name} for name in systems}
    largest = max((abs(float(found.contributions[index])) for _, index in here), default=0.0) or 1.0
    parts = []
    for name, other in _either(systems):
        own_edits = [each for each in here if each[0].place.system == name and each[0].edit.key not in keys[other]]
        if not own_edits:
            told = NOTHING
        elif corpus.has_texts:
            told = _shaded(
                corpus.sentences[line].source,
                [made for made, _ in own_edits],
                [found.edits.signs[index] * found.contributions[index] / largest for _, index in own_edits],
            )
        else:
            told = "; ".join(_told(corpus, made, systems) for made, _ in own_edits)
        parts.append(_row(name, systems, told))
    return "".join(parts)


def _shaded(source: str, edits: Sequence[MadeEdit], credits: Sequence[float]) -> str:
    """The source with edits: blue ones help the output they stand in, orange ones hurt it."""
    made = [Edit(each.edit.start, each.edit.end, each.edit.correction or "", each.edit.type) for each in edits]
    weights = {
        (edit.start, edit.end, edit.correction): float(credit) for edit, credit in zip(made, credits, strict=True)
    }
    return marked(source, made, weights, around=AROUND)


def _either(systems: tuple[str, str]) -> tuple[tuple[str, str], tuple[str, str]]:
    """Each of two systems with the other one."""
    return systems, (systems[1], systems[0])


def _row(name: str, systems: tuple[str, str], told: str) -> str:
    kind = "for" if name == systems[0] else "against"
    return f"<div><span class='lens-badge {kind}'>{escape(name)}</span> {told}</div>"


def _numbers(values: Sequence[float], gaps: Sequence[Gap], most: Sequence[float]) -> list[str]:
    """The contributions under every side, shaded on its own scale."""
    return [
        f"<td class=n data-side='{escape(gap.name, quote=True)}' style='{shade(value / (largest or 1.0))}'>"
        f"{_small(value, gap)}</td>"
        for value, gap, largest in zip(values, gaps, most, strict=True)
    ]


def _small(value: float, gap: Gap) -> str:
    """A contribution of a single edit or sentence, with a digit more than those of groups."""
    digits = 5 if max(map(abs, gap.scores)) <= 2 else 3
    return signed(value, digits) if abs(value) >= 0.5 * 10**-digits else "0"


def _page(rows: Sequence[int], name: str) -> Sequence[int]:
    """The rows of the chosen page."""
    pages = -(-len(rows) // LISTED)
    page = st.pagination(pages, key=f"why-page-{name}-{pages}") if pages > 1 else 1
    return rows[(page - 1) * LISTED : page * LISTED]


def _table(corpus: Corpus, heads: Sequence[str], rows: Sequence[tuple[int, str]], key: str) -> None:
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in heads)
    body = "".join(
        f"<tr tabindex=0 role=link {pick(str(line))}>{cells}</tr>" if corpus.has_texts else f"<tr>{cells}</tr>"
        for line, cells in rows
    )
    html = (
        f"<div class=lens-scroll tabindex=0><table class='lens-table lens-evidence'><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )
    clickable(html, key=key, on_pick=lambda line: session.keep(_OPEN, int(line)))
    note = (
        "Click a row to open the sentence. In the texts, blue edits help the output they stand in, orange ones hurt it."
    )
    st.caption(note if corpus.has_texts else without_texts(corpus))
