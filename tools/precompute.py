"""Scores that come with the project: every metric that can run here, on a corpus, into data/precomputed.

    python -m tools.precompute conll14 [--metrics m2,gleu] [--out FOLDER]
    python -m tools.precompute conll14 --papers [--out FOLDER]
    python -m tools.precompute conll14 --credits [--metrics m2,gleu] [--systems AMU,CAMB] [--out FOLDER]
    python -m tools.precompute seeda --verdicts [--metrics m2,gleu] [--out FOLDER]
    python -m tools.precompute conll14 --explanations [--out FOLDER]

The third is about the edits of all outputs and what each does to every metric (gec_core.meta.gap), so that the gap
between two systems is split at once, without the texts, too. It writes FOLDER/conll14-credits: spans, types, hashes of
corrections and numbers.

The fourth is about the edits that people accepted or refused (gec_core.meta.edit_level): what each does to the sentence
scores of every metric. It goes to the same folder as the third.

The fifth is about the texts that PT-M² and PT-ERRANT compare when they explain an output: with their similarities, the
weights of all edits are shown without loading an encoder. It goes to the same folder.

    python -m tools.precompute across

The sixth writes FOLDER/across.json: how well each metric agrees with people, from the shipped scores alone, for the
advice on metrics in reports (gec_core.meta.trust). Run it last.

Metrics that are not asked for keep what is there.

The second is about what `reproduce` scores besides: other references, rewrites, other options, worked examples, as
far as that takes time. It writes FOLDER/conll14-papers.

What the store or the project has is not computed again, so an interrupted run goes on where it was, and a metric
that was added is the only one that takes time. Numbers only: no text.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

import numpy as np

from gec_core import shipped
from gec_core.align import errant_edits
from gec_core.align.errant_edits import TextPair
from gec_core.cli.output import StatusLine
from gec_core.corpora.catalogue import located
from gec_core.meta.across import cells, views
from gec_core.meta.edit_fates import match_row, matched, matches_signature, read_edits
from gec_core.meta.edit_level import agreement_rows, judged_edits, sentence_sums
from gec_core.meta.gap_credits import Edits, SystemOutput
from gec_core.meta.gap_credits import signature as credits_signature
from gec_core.meta.gap_edits import credit_rows
from gec_core.metrics import registry
from gec_core.metrics.base import Metric
from gec_core.metrics.errant import Errant
from gec_core.metrics.pt.family import WeightedMetric
from gec_core.metrics.pt.weights import BertScorer, pairs_to_measure
from gec_core.models.loading import text_key
from gec_core.papers import PAPERS
from gec_core.papers.inputs import PaperInputs
from gec_core.scoring import distinct_rows, known_column, missing, pair_keys, precomputed, score
from gec_core.store import Store
from gec_core.types import Array, Corpus, Pair, Reads

ACROSS = "across"
SLOW = 0.002
"""Seconds a pair from which on rows are worth shipping."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--metrics", help="only these (default: all that can run here)")
    parser.add_argument("--papers", action="store_true", help="what `reproduce` needs, instead")
    parser.add_argument("--credits", action="store_true", help="what the gap between two systems needs, instead")
    parser.add_argument("--verdicts", action="store_true", help="credits of the edits that people judged, instead")
    parser.add_argument("--explanations", action="store_true", help="what explanations take of encoders, instead")
    parser.add_argument("--systems", help="with --credits: only the outputs of these, beside what is there")
    parser.add_argument("--out", type=Path, default=shipped.FOLDER)
    given = parser.parse_args()
    if given.corpus == ACROSS:
        precompute_across(given.out)
        return
    with located(given.corpus) as folder:
        corpus = folder.load()
        wanted = given.metrics.split(",") if given.metrics else list(registry())
        if given.papers:
            precompute_papers(corpus, folder.path, given.out)
        elif given.verdicts:
            precompute_verdicts(corpus, wanted, given.out)
        elif given.explanations:
            precompute_explanations(corpus, given.out)
        elif given.credits:
            precompute_credits(corpus, wanted, given.out, given.systems.split(",") if given.systems else ())
        else:
            precompute(corpus, wanted, given.out)


def precompute_across(out: Path) -> None:
    """The rows of `across` for all corpora with shipped scores, without their texts."""
    rows = []
    for name in sorted(shipped.all_precomputed(out)):
        corpus = precomputed.scores_only(name)
        if corpus is None or name == "demo" or ("-" in name and name.split("-")[-1] in ("papers", "credits")):
            continue
        rows += across_rows(corpus)
    text = json.dumps({"rows": rows}, indent=1, ensure_ascii=False)
    (out / f"{ACROSS}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{len(rows):,} rows")


def across_rows(corpus: Corpus) -> list[dict[str, object]]:
    """The rows of `across` for one corpus without its texts."""
    known = shipped.all_precomputed()[corpus.name]
    metrics = [made() for made in registry().values()]
    scored = [each for each in metrics if each.family != "sanity" and known.has(each.statistics_signature)]
    columns = [column for metric in scored if (column := known_column(corpus, metric, Store()))]
    scores = {column.metric.id: column.values for column in columns}
    return [cell.as_dict() for view in views(corpus) for cell in cells(view, scores)]


def precompute(corpus: Corpus, wanted: list[str], out: Path) -> None:
    """The metrics of these ids as they are without options, and with ERRANT what error types are counted from."""
    store, before = Store(), shipped.all_precomputed(out).get(corpus.name)
    asked: list[Metric] = [registry()[id]() for id in wanted]
    if Errant.id in wanted:
        asked.append(Errant(Errant.Options(references="auto")))
    metrics = [metric for metric in asked if metric.availability().ready and not metric.obstacle(corpus.sentences[0])]
    rows: dict[str, dict[bytes, Array]] = {}
    about: dict[str, dict[str, Any]] = {}
    keys: dict[Reads, dict[str, list[bytes]]] = {}
    if before:
        for signature, told in before.manifest["signatures"].items():
            if others := [id for id in told["metrics"] if id not in wanted]:
                rows[signature] = before.rows(signature)
                about[signature] = {"metrics": others, "seconds": told["seconds"]}
    for metric in metrics:
        signature = metric.statistics_signature
        if signature in rows:
            about[signature]["metrics"] += [metric.id] if metric.id not in about[signature]["metrics"] else []
            continue
        lacking = missing(corpus, metric, store)
        started = time.monotonic()
        line = StatusLine()
        keys[metric.reads], rows[signature] = distinct_rows(corpus, metric, store=store, on_progress=line.scoring)
        line.close()
        seconds = round(time.monotonic() - started, 1)
        print(f"{metric.id}: {len(rows[signature]):,} distinct rows, {lacking:,} of them new, {seconds} s", flush=True)
        measured = lacking == len(rows[signature])
        earlier = before.seconds(signature) if before else None
        about[signature] = {"metrics": [metric.id], "seconds": seconds if measured else earlier}
    shipped.write(out / corpus.name, corpus, keys, rows, about)


def precompute_papers(corpus: Corpus, folder: Path, out: Path) -> None:
    """What the papers' figures take besides that."""
    store, before = Store(), shipped.all_precomputed(out)[corpus.name]
    line = StatusLine()
    inputs = PaperInputs(corpus, folder, store, line.scoring, None)
    for paper, figures in PAPERS.items():
        print(f"{paper}: {sum(1 for _ in figures(inputs))} figures", flush=True)
    line.close()
    rows: dict[str, dict[bytes, Array]] = {}
    about: dict[str, dict[str, Any]] = {}
    for scored, metric in inputs.seen:
        if metric.pace < SLOW:
            continue
        signature = metric.statistics_signature
        _, found = distinct_rows(scored, metric, store=store)
        known = before.rows(signature) if before.has(signature) else {}
        rows.setdefault(signature, {}).update({key: row for key, row in found.items() if key not in known})
        about[signature] = {"metrics": [metric.id]}
    rows = {signature: found for signature, found in rows.items() if found}
    shipped.write(out / f"{corpus.name}-papers", corpus, {}, rows, about)


def precompute_credits(corpus: Corpus, wanted: list[str], out: Path, systems: Sequence[str] = ()) -> None:
    """The edits of all outputs and references, and the credits of some or all systems' under these metrics."""
    store, line = Store(), StatusLine()
    earlier = shipped.all_precomputed(out).get(f"{corpus.name}-credits")
    rows, about = _kept(earlier)
    started = time.monotonic()
    texts = read_edits(corpus, list(corpus.systems), store, line.scoring)
    line.close()
    seconds = round(time.monotonic() - started, 1)
    for signature, found in (
        (errant_edits.signature(), _read_rows(corpus, store)),
        (matches_signature(), _match_rows(corpus, texts)),
    ):
        known = about.get(signature, {}).get("seconds", 0.0)
        rows[signature], about[signature] = found, {"metrics": [], "seconds": max(seconds, known)}
    for metric in (registry()[id]() for id in wanted):
        if not metric.availability().ready:
            continue
        (column,) = score(corpus, [metric], store=store).columns
        statistics = [scored.statistics for scored in column.systems.values()]
        sums = metric.sums(statistics)
        states = {system: sums.of_system(each)[0] for system, each in zip(column.systems, statistics, strict=True)}
        started = time.monotonic()
        outputs = [place for place in texts if not systems or place.system in systems]
        _, found = credit_rows(corpus, metric, sums, states, outputs, texts, store=store, on_progress=line.scoring)
        line.close()
        seconds = round(time.monotonic() - started, 1)
        megabytes = getrusage(RUSAGE_SELF).ru_maxrss // 1024
        print(f"{metric.id}: credits of {len(found):,} outputs, {seconds} s, {megabytes:,} MB at most", flush=True)
        signature = credits_signature(metric, sums)
        rows[signature] = rows.get(signature, {}) | found
        told = about.get(signature, {})
        before = told.get("systems", list(corpus.systems) if told else [])
        further = bool(systems) and not set(before) & set(systems)
        known = told.get("seconds", 0.0)
        about[signature] = {
            "metrics": [metric.id],
            "seconds": round(known + seconds, 1) if further else max(known, seconds),
            "megabytes": max(megabytes, told.get("megabytes", 0)),
        }
        covered = [name for name in corpus.systems if not systems or name in systems or name in before]
        if len(covered) < len(corpus.systems):
            about[signature]["systems"] = covered
    shipped.write(out / f"{corpus.name}-credits", corpus, {}, rows, about)


def precompute_verdicts(corpus: Corpus, wanted: list[str], out: Path) -> None:
    """The credits of the edits that people judged, under the metrics of these ids without options."""
    store, line = Store(), StatusLine()
    rows, about = _kept(shipped.all_precomputed(out).get(f"{corpus.name}-credits"))
    judged = judged_edits(corpus, store)
    for metric in (registry()[id]() for id in wanted):
        if not metric.availability().ready or metric.family == "sanity":
            continue
        started = time.monotonic()
        found = agreement_rows(corpus, metric, judged, store=store, on_progress=line.scoring)
        line.close()
        seconds = round(time.monotonic() - started, 1)
        print(f"{metric.id}: credits of {len(found):,} outputs, {seconds} s", flush=True)
        signature = credits_signature(metric, sentence_sums(metric))
        rows[signature], about[signature] = found, {"metrics": [metric.id], "seconds": seconds}
        shipped.write(out / f"{corpus.name}-credits", corpus, {}, rows, about)


def precompute_explanations(corpus: Corpus, out: Path) -> None:
    """The similarities of the texts that metrics on weighted edits compare to explain each output."""
    rows, about = _kept(shipped.all_precomputed(out).get(f"{corpus.name}-credits"))
    taken: dict[str, float] = {}
    for metric in (registry()[id]() for id in ("ptm2", "pterrant")):
        if not (isinstance(metric, WeightedMetric) and isinstance(metric.scorer, BertScorer)):
            continue
        started, store = time.monotonic(), Store()
        (column,) = score(corpus, [metric], store=store).columns
        chosen = {
            Pair(sentence, text): details["annotator"]
            for system, outputs in corpus.systems.items()
            for sentence, text, details in zip(
                corpus.sentences, outputs, metric.sentence_details(column.systems[system].statistics), strict=True
            )
        }
        signature = metric.scorer.similarity.signature
        found = rows.setdefault(signature, {})
        for start in range(0, len(chosen), metric.chunk):
            pairs = list(chosen)[start : start + metric.chunk]
            read = zip(pairs, metric.readings(pairs, store), strict=True)
            compared = list(dict.fromkeys(pairs_to_measure(each.readings[chosen[pair]] for pair, each in read)))
            similarities = metric.scorer.similarity.scores(compared, store)
            found |= {text_key(*texts): np.array(similarity, float) for texts, similarity in similarities.items()}
        seconds = round(time.monotonic() - started, 1)
        taken[signature] = taken.get(signature, 0.0) + seconds
        print(f"{metric.id}: {len(found):,} similarities, {seconds} s", flush=True)
    for signature, seconds in taken.items():
        known = about.get(signature, {}).get("seconds", 0.0)  # longer where this run found rows that it made
        about[signature] = {"metrics": [], "seconds": round(max(known, seconds), 1)}
    shipped.write(out / f"{corpus.name}-credits", corpus, {}, rows, about)


def _kept(earlier: shipped.Precomputed | None) -> tuple[dict[str, dict[bytes, Array]], dict[str, dict[str, Any]]]:
    """The rows that are there, and what the manifest says about them."""
    rows: dict[str, dict[bytes, Array]] = {}
    about: dict[str, dict[str, Any]] = {}
    for signature, told in earlier.manifest["signatures"].items() if earlier else ():
        assert earlier is not None
        rows[signature] = earlier.rows(signature)
        about[signature] = {key: value for key, value in told.items() if key != "file"}
    return rows, about


def _read_rows(corpus: Corpus, store: Store) -> dict[bytes, Array]:
    """ERRANT's edits of all outputs and references, as the store keeps them."""
    keys = {key for column in pair_keys(corpus, "source").values() for key in column}
    references = {TextPair(each.source, text) for each in corpus.sentences for text in each.references}
    errant_edits.edits_of(references, store)
    return store.get(errant_edits.signature(), keys | set(map(errant_edits.key_of, references)))


def _match_rows(corpus: Corpus, texts: dict[SystemOutput, Edits]) -> dict[bytes, Array]:
    """Spans, types and matches of the edits of all outputs."""
    read = matched(corpus, texts)
    return {
        key: match_row(corpus.sentences[line], read.get(SystemOutput(system, line), ()))
        for system, column in pair_keys(corpus, "gold").items()
        for line, key in enumerate(column)
    }


if __name__ == "__main__":
    main()
