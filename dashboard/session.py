"""What one visitor has chosen and uploaded.

Three kinds of things live in Streamlit's session state. The selection holds for all pages: corpus, human ranking,
metrics, systems left out. Uploads are seen by nobody but the visitor, and kept on disk for a while (`visitors`). Pages
keep small values of their own with `keep`. The rest is gone when the visitor leaves or reloads; `url_state` writes the
selection into the address.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

import streamlit as st

from dashboard import cache, visitors
from dashboard.protection import COOKIE, seconds, valid
from dashboard.visitors import Uploads
from gec_core.errors import GecLensError
from gec_core.human.ranking import Aggregate
from gec_core.metrics.base import Metric
from gec_core.types import Corpus

CORPUS, JUDGMENTS, HUMAN, METRICS, LEFT_OUT = "corpus", "judgments", "human", "metrics", "without"
AGGREGATE, SENTENCES = "aggregate", "sentences"
"""The keys of the selection, which are also the names of its parts in the address."""
DEFAULT_METRICS = ("m2", "sentm2", "errant", "imeasure", "gleu", "bleu", "green", "scribendi", "ptm2")
"""The best-known metric of each kind."""
FAMILIES = {
    "edits": "Edits",
    "overlap": "Tokens and n-grams",
    "model": "Pretrained models",
    "sanity": "Sanity checks",
    "imported": "Imported scores",
}
"""The families of metrics with their titles, in the order of the lists."""
_UPLOADS = "_uploads"
_UPLOAD_ROUND = "_upload_round"
"""How many uploads were handled: a new number empties the file uploaders."""
_UPLOAD_PROBLEM = "_upload_problem"
_MEMO = "_memo-"
_KEPT = "_kept-"
_CHOICES, _LAST_CORPUS, _OWNED = "choices", "last-corpus", "owned-sessions"
"""What a visitor chose for each corpus, the corpus of the last run, and their sessions of judging."""
Value = TypeVar("Value")


def uploads() -> Uploads:
    """Return this visitor's uploads. Change them in callbacks only: later, part of the page is already drawn."""
    if _UPLOADS not in st.session_state:
        st.session_state[_UPLOADS] = Uploads.restored(visitors.load(token)) if (token := _token()) else Uploads()
    found: Uploads = st.session_state[_UPLOADS]
    return found


def keep_uploads() -> None:
    """Callback: write what the visitor has uploaded to the server's disk, so that it outlives a reload."""
    if token := _token():
        st.session_state[_UPLOAD_PROBLEM] = visitors.save(token, uploads().as_json())


def delete_uploads() -> None:
    """Callback: delete everything that the visitor has uploaded, here and on disk."""
    if uploads().corpora:
        choose_corpus(None)
    st.session_state[_UPLOADS] = Uploads()
    if token := _token():
        visitors.delete(token)


def privacy() -> str:
    """Say who can see uploads and how long they are kept."""
    if not _token():
        return "Only you can see what you upload. It is deleted when you leave or reload the page."
    return (
        f"Only you can see what you upload. It stays on this server for this browser, for {visitors.in_words()} after "
        "your last visit; you can delete it at any time."
    )


def _token() -> str:
    """The token of this browser; empty where there is none, or where uploads are not kept."""
    token = str(st.context.cookies.get(COOKIE, ""))
    return token if seconds() and valid(token) else ""


def upload_key(name: str) -> str:
    """Return the key of a file uploader, which is empty again after `apply_upload`."""
    return f"_upload-{name}-{st.session_state.get(_UPLOAD_ROUND, 0)}"


def apply_upload(act: Callable[[], None]) -> None:
    """Callback: take over what was uploaded, or keep the error for `upload_problem`."""
    try:
        act()
        keep_uploads()
        st.session_state[_UPLOAD_ROUND] = st.session_state.get(_UPLOAD_ROUND, 0) + 1
        for name in [name for name in st.session_state if str(name).startswith(_MEMO)]:
            del st.session_state[name]
    except GecLensError as problem:
        st.session_state[_UPLOAD_PROBLEM] = str(problem)


def upload_problem() -> str:
    """Return why the last `apply_upload` failed, once."""
    text: str = st.session_state.pop(_UPLOAD_PROBLEM, "")
    return text


def memo(name: str, key: Hashable, make: Callable[[], Value]) -> Value:
    """Return `make()`, called again only when `key` changes; one value is kept per name, until the next upload."""
    known = st.session_state.get(_MEMO + name)
    if known is None or known[0] != key:
        known = (key, make())
        st.session_state[_MEMO + name] = known
    value: Value = known[1]
    return value


def kept(name: str, default: Value) -> Value:
    """Return what a page has kept for this visitor under that name."""
    value: Value = st.session_state.get(_KEPT + name, default)
    return value


def keep(name: str, value: object) -> None:
    """Keep a value for this visitor until they leave."""
    st.session_state[_KEPT + name] = value


def corpus() -> Corpus:
    """Return the chosen sentences of the chosen corpus, with the systems that the visitor added."""
    what = sentences()
    return cache.part(whole_corpus(), what) if what else whole_corpus()


def whole_corpus() -> Corpus:
    """Return all sentences of the chosen corpus, with the systems that the visitor added."""
    return uploads().complete(corpus_without_uploads())


def sentences() -> str:
    """Return which sentences are chosen: `judged`, ranges such as 1-100,205, or an empty text for all."""
    what: str = st.session_state.get(SENTENCES) or ""
    return what


def corpus_without_uploads() -> Corpus:
    """Return all sentences of the chosen corpus, without added systems."""
    name = st.session_state[CORPUS]
    found = cache.with_sessions(uploads().corpora.get(name) or cache.load_corpus(name), owned_sessions())
    chosen: str = st.session_state.get(JUDGMENTS) or ""
    return cache.judged(found, chosen) if chosen in found.judgment_sets and chosen != found.chosen_set else found


def restore_choices() -> None:
    """Take up what was chosen for this corpus when it was open last; a choice belongs to its corpus."""
    name = st.session_state[CORPUS]
    if kept(_LAST_CORPUS, name) != name:
        known: dict[str, Any] = kept(_CHOICES, {}).get(
            name, {JUDGMENTS: None, HUMAN: None, SENTENCES: "", LEFT_OUT: []}
        )
        for key, value in known.items():
            st.session_state[key] = value


def remember_choices() -> None:
    """Keep what is chosen for the open corpus."""
    name = st.session_state[CORPUS]
    chosen = {key: st.session_state.get(key) for key in (JUDGMENTS, HUMAN, SENTENCES)}
    keep(_CHOICES, kept(_CHOICES, {}) | {name: chosen | {LEFT_OUT: list(st.session_state.get(LEFT_OUT, []))}})
    keep(_LAST_CORPUS, name)


def own_sets() -> dict[str, tuple[str, ...]]:
    """Return the sets of systems that the visitor named for the chosen corpus."""
    return dict(uploads().system_sets.get(st.session_state[CORPUS], {}))


def keep_set(name: str, systems: Sequence[str]) -> None:
    """Callback: keep a set of systems of the chosen corpus under a name, as long as uploads are kept."""
    uploads().system_sets[st.session_state[CORPUS]] = own_sets() | {name: tuple(systems)}
    keep_uploads()


def remove_set(name: str) -> None:
    """Callback: forget a set of systems that the visitor named."""
    left = {known: systems for known, systems in own_sets().items() if known != name}
    uploads().system_sets.pop(st.session_state[CORPUS], None)
    uploads().system_sets |= {st.session_state[CORPUS]: left} if left else {}
    keep_uploads()


def owned_sessions() -> dict[str, str]:
    """Return the sessions of judging whose owner's link was opened in this visit: the owners' secrets by id."""
    found: dict[str, str] = kept(_OWNED, {})
    return found


def own_session(id: str, secret: str) -> None:
    """Keep the owner's link of a session, so that its judgments show on all pages once it is finished."""
    keep(_OWNED, owned_sessions() | {id: secret})


def judge_by(id: str) -> None:
    """Callback: compare metrics with this set of judgments of the chosen corpus."""
    st.session_state[JUDGMENTS] = id


def uploaded_systems() -> tuple[str, ...]:
    """Name the systems that the visitor added to the chosen corpus."""
    return uploads().added(corpus().name)


def uploaded_or_first(systems: Sequence[str]) -> str:
    """Return the system to start with: one that the visitor added, else the first."""
    mine = uploaded_systems()
    return next((system for system in systems if system in mine), systems[0])


def known_metrics() -> dict[str, Metric]:
    """Return all metrics that apply to the chosen corpus, by id; imported ones come last."""
    return cache.metrics_for(corpus()) | uploads().metrics_for(corpus())


def metric_places() -> dict[str, int]:
    """Return a number for each metric, by title, that does not depend on what is chosen: the place in the registry."""
    every = [*cache.all_metrics().values(), *uploads().imported.values()]
    return {metric.title: number for number, metric in enumerate(every)}


def unavailable_metrics() -> dict[str, str]:
    """Return why metrics cannot be chosen, by title: they cannot run here, or the corpus lacks what they read."""
    known, needs = known_metrics(), {"references": "references", "gold": "gold edits", "source": "sources"}
    return {
        metric.title: metric.availability().how
        or metric.unsuited(corpus().language)
        or f"This corpus has no {needs[metric.reads]} or no scores of it."
        for id, metric in cache.all_metrics().items()
        if id not in known
    }


def default_metrics() -> list[str]:
    """Return the ids of the metrics that are chosen at first: the best known, or all if none of these applies."""
    known = known_metrics()
    return [id for id in known if id in DEFAULT_METRICS] or list(known)


def families(metrics: Iterable[Metric]) -> dict[str, list[Metric]]:
    """Group metrics by family; families that are not built in come last."""
    found: dict[str, list[Metric]] = {family: [] for family in FAMILIES}
    for metric in metrics:
        found.setdefault(metric.family, []).append(metric)
    return {family: members for family, members in found.items() if members}


def family_title(family: str) -> str:
    """Return the title of a family."""
    return FAMILIES.get(family, family.capitalize())


def human() -> str | None:
    """Return the name of the chosen human ranking; None if the corpus has none."""
    name: str | None = st.session_state.get(HUMAN)
    return name


def metrics() -> list[str]:
    """Return the ids of the chosen metrics, in the order of the lists."""
    chosen = st.session_state[METRICS]
    return [id for id in known_metrics() if id in chosen]


def aggregate() -> Aggregate:
    """Return how the scores of systems are made: as metrics define them, or as human rankings are made."""
    chosen: Aggregate = st.session_state.get(AGGREGATE) or "usual"
    return chosen


def left_out() -> list[str]:
    """Name the systems that are left out."""
    names: list[str] = st.session_state[LEFT_OUT]
    return names


def choose_corpus(name: str | None) -> None:
    """Callback: go on with another corpus; with the first of the list if None."""
    st.session_state[CORPUS] = name
    st.session_state[SENTENCES] = ""
    st.session_state[LEFT_OUT] = []


def add_metrics(ids: Sequence[str]) -> None:
    """Callback: choose these metrics as well."""
    st.session_state[METRICS] = [*st.session_state[METRICS], *ids]


def toggle_system(system: str) -> None:
    """Callback: leave a system out, or take it back in."""
    names = left_out()
    st.session_state[LEFT_OUT] = [name for name in names if name != system] if system in names else [*names, system]


def clicked(figure: str) -> list[Any]:
    """Return the data of the points that were clicked in the figure with this key, in its callback."""
    return [point["customdata"] for point in st.session_state[figure].selection.points if "customdata" in point]


def picked(component: str) -> str:
    """Return what was picked in the clickable block with this key, in its callback."""
    return str(st.session_state[component].get("pick") or "")
