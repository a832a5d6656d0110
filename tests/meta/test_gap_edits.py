# mypy: disable-error-code="union-attr"
"""The gap between two systems as a sum over edits, against brute force, and in groups."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from conftest import needs_conll14, sentence

from gec_core import corpora
from gec_core.align.edits import apply_edits
from gec_core.explain.credit import edit_credits, exact_values, most_exact, output_edits
from gec_core.human import expanded, rank
from gec_core.meta import gap_credits
from gec_core.meta.edit_fates import pair_edits, read_edits
from gec_core.meta.gap_credits import (
    SECONDS,
    SummedCredits,
    SystemOutput,
    _in_time,
    _plan,
    credit_key,
    known_credits,
    paces,
    shapley_weights,
    texts_for,
)
from gec_core.meta.gap_edits import BYS, NO_EDIT, EditGap, edit_gap
from gec_core.meta.gap_sentences import EXACT, Gap, metric_gap, people_gap
from gec_core.metrics import create, registry
from gec_core.metrics.base import Metric
from gec_core.scoring import score
from gec_core.store import MemoryStore, Store
from gec_core.types import Array, Corpus, Edit, Judgment, Judgments, Pair, Ranked

WORDS = ["a", "b", "c", "d", "e"]
QUICK = [id for id, metric in registry().items() if metric().pace < 0.002]


def split(
    corpus: Corpus, metric: Metric, first: str = "A", second: str = "B", store: Store | MemoryStore | None = None
) -> EditGap:
    column = score(corpus, [metric], store=store).columns[0]
    texts = read_edits(corpus, [first, second], store)
    return edit_gap(
        corpus, metric_gap(column, first, second), pair_edits(corpus, first, second, texts), texts, store=store
    )


def by_sentence(found: EditGap) -> Array:
    return np.bincount(found.edits.sentences, found.contributions, len(found.unmade)) + found.unmade


def random_corpus(seed: int, sentences: int = 4) -> Corpus:
    """Sentences of few words with references, and outputs with a few changes."""
    random = np.random.default_rng(seed)

    def text(words: list[str]) -> str:
        return " ".join(words)

    def changed(words: list[str]) -> list[Any]:
        words = list(words)
        for _ in range(random.integers(0, 4)):
            at = int(random.integers(0, len(words)))
            new = [str(word) for word in random.choice(WORDS, random.integers(0, 3))]
            words[at : at + int(random.integers(0, 2))] = new
        return words or ["a"]

    sources = [[str(word) for word in random.choice(WORDS, random.integers(4, 8))] for _ in range(sentences)]
    made = tuple(
        sentence(text(source), *(text(changed(source)) for _ in range(random.integers(1, 3)))) for source in sources
    )
    systems = {name: tuple(text(changed(source)) for source in sources) for name in "ABC"}
    return Corpus("random", made, systems)


def brute_force(corpus: Corpus, metric: Metric, gap: Gap, first: str, second: str) -> dict[tuple[Any, int, int], Any]:
    """What each edit contributes: texts in every order of the edits, each scored as part of the whole system."""
    statistics = [scored.statistics for scored in score(corpus, [metric]).columns[0].systems.values()]
    sums = metric.sums(statistics[:2])
    slopes = np.broadcast_to(gap.prices.slopes, gap.prices.numbers[0].shape)
    texts = read_edits(corpus, [first, second])
    found: dict[tuple[Any, int, int], Any] = {}
    for sign, system in ((1, first), (-1, second)):
        for line, given in enumerate(corpus.sentences):
            edits = texts.get(SystemOutput(system, line), ())

            def value(chosen: list[Edit], line: Any = line, system: Any = system, given: Any = given) -> float:
                outputs = list(corpus.systems[system])
                outputs[line] = apply_edits(given.source, sorted(chosen, key=lambda edit: (edit.start, edit.end)))
                changed = Corpus("changed", corpus.sentences, {system: tuple(outputs)})
                rows = score(changed, [metric]).columns[0].systems[system].statistics
                return float(slopes[line] @ sums.of_system(rows)[1][line])

            orders = list(permutations(range(len(edits))))
            for order in orders:
                for place, number in enumerate(order):
                    before = [edits[each] for each in order[:place]]
                    gain = value([*before, edits[number]]) - value(before)
                    key = system, line, number
                    found[key] = found.get(key, 0.0) + sign * gain / len(orders)
    return found


@pytest.mark.parametrize("id", ["m2", "gleu", "imeasure", "sentm2", "green"])
@pytest.mark.parametrize("seed", range(3))
def test_edits_get_what_all_orders_give_them(id: str, seed: int) -> None:
    corpus, metric = random_corpus(seed), create(id, {})
    found = split(corpus, metric)
    expected = brute_force(corpus, metric, found.gap, "A", "B")
    numbers: dict[SystemOutput, int] = {}
    for made, contribution in zip(found.edits.made, found.contributions, strict=True):
        number = numbers[made.place] = numbers.get(made.place, -1) + 1
        if found.edits.differ[made.place.line] or contribution:
            assert contribution == pytest.approx(expected[(*made.place, number)], abs=1e-10)


@pytest.mark.parametrize("id", QUICK)
@pytest.mark.parametrize("seed", [3, 4])
def test_edits_sum_to_what_their_sentence_contributes(id: str, seed: int) -> None:
    found = split(random_corpus(seed, sentences=8), create(id, {}))
    assert by_sentence(found) == pytest.approx(found.gap.contributions, abs=1e-12)
    assert abs(found.residual) <= EXACT
    for by in BYS:
        assert sum(group.contribution for group in found.groups(by)) == pytest.approx(found.gap.gap, abs=EXACT)


def test_prices_are_those_of_many_small_steps() -> None:
    """Aumann–Shapley: the mean of what is paid on the way, here in 20,000 steps with finite differences."""
    gap = split(random_corpus(5), create("m2", {})).gap
    end, start = (numbers.sum(axis=0) for numbers in gap.prices.numbers)
    ways = (np.arange(20_000) + 0.5)[:, None] / 20_000
    places = start + ways * (end - start)
    step = 1e-6
    for number in range(3):
        move = np.eye(3)[number] * step
        slope = (gap.prices.sums.score(places + move) - gap.prices.sums.score(places - move)) / (2 * step)
        assert gap.prices.slopes[0, number] == pytest.approx(slope.mean(), rel=1e-5, abs=1e-9)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store for all tests here: edits are read once."""
    return Store(tmp_path_factory.mktemp("gap") / "scores.sqlite")


@needs_conll14
@pytest.mark.parametrize("id", ["m2", "sentm2", "errant", "gotoscorer", "gleu", "imeasure", "bleu", "green"])
def test_edits_sum_to_the_gap_on_a_real_corpus(conll14: Corpus, kept: Store, id: str) -> None:
    metric = create(id, {})
    if not metric.availability().ready:
        pytest.skip(metric.availability().how)
    corpus = conll14.only(["SJTU", "UFC", "IITB"])
    for first, second in [("SJTU", "UFC"), ("IITB", "UFC")]:
        found = split(corpus, metric, first, second, kept)
        assert by_sentence(found) == pytest.approx(found.gap.contributions, abs=1e-12)
        assert abs(found.residual) <= EXACT
    assert split(corpus, metric, "IITB", "UFC", kept).contributions.tolist() == found.contributions.tolist()


def test_credits_are_kept_and_serve_every_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, metric, store = random_corpus(6), create("m2", {}), MemoryStore(1 << 20)
    for first, second in (("A", "B"), ("B", "C")):
        split(corpus, metric, first, second, store)
    monkeypatch.setattr(type(metric), "gather", lambda *_: pytest.fail("credits of A and C are known"))
    assert abs(split(corpus, metric, "A", "C", store).residual) <= EXACT


def test_rows_of_credits_can_be_read_back() -> None:
    exact = SummedCredits(np.array([1.0, 2.0]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    assert SummedCredits.of_row(exact.row(), 3).edits.tolist() == exact.edits.tolist()
    sampled = SummedCredits(exact.source, exact.edits, exact.edits / 10)
    found = SummedCredits.of_row(sampled.row(), 3)
    assert found.source.tolist() == [1, 2]
    assert found.errors.tolist() == sampled.errors.tolist()


def test_keys_tell_states_and_peers_apart() -> None:
    pair, state = bytes(16), np.array([1.0])
    assert credit_key(pair, np.empty(0)) == pair
    keys = {credit_key(pair, state), credit_key(pair, state + 1), credit_key(pair, state, [b"x"]), pair}
    assert len(keys) == 4


@pytest.mark.parametrize("players", range(5))
def test_shapley_weights_give_shapley_values(players: int) -> None:
    values = np.random.default_rng(players).normal(size=1 << players)
    assert shapley_weights(players) @ values == pytest.approx(exact_values(values))


def test_many_edits_are_estimated_with_their_error() -> None:
    """100 edits in a sentence: credits are estimates, and still sum to the gap."""
    source = " ".join(f"w{number}" for number in range(200))
    right = " ".join(f"x{number}" if number % 2 else f"w{number}" for number in range(200))
    some = " ".join(f"x{number}" if number % 4 == 1 else f"w{number}" for number in range(200))
    corpus = Corpus("long", (sentence(source, right),), {"A": (right,), "B": (some,)})
    found = split(corpus, create("sentm2", {}))
    assert len(found.edits.made) == 150
    assert len(found.edits.made) > most_exact(create("sentm2", {}), SECONDS)
    assert abs(found.residual) <= EXACT
    assert found.errors.max() > 0
    assert found.contributions[:100] == pytest.approx(np.full(100, found.contributions[:100].mean()), abs=0.05)


def test_errors_that_are_rounding_are_none() -> None:
    """Each chunk of GoToScorer counts for itself, so that all orders agree."""
    source = " ".join(f"w{number}" for number in range(60))
    right = " ".join(f"x{number}" if number % 3 == 0 else f"w{number}" for number in range(60))
    corpus = Corpus("long", (sentence(source, right),), {"A": (right,), "B": (source,)})
    assert split(corpus, create("gotoscorer", {})).errors.tolist() == [0.0] * 20


class Stopped(Exception):
    pass


def test_slow_texts_are_not_scored_again_after_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language model takes minutes for a hundred edits; what it read before a cancel or a kill is in the store."""
    corpus, metric, store = random_corpus(6), create("m2", {}), MemoryStore(1 << 20)
    gather, left = type(metric).gather, 2
    read: list[str] = []

    def some(self: Metric, pairs: list[Pair], *more: Any) -> list[Array]:
        nonlocal left
        left -= 1
        if left < 0:
            raise Stopped
        read.extend(pair.output for pair in pairs)
        return gather(self, pairs, *more)

    monkeypatch.setattr(gap_credits, "KEPT", 0.0)
    monkeypatch.setattr(gap_credits, "_in_time", lambda _, wanted: ([each] for each in wanted))
    monkeypatch.setattr(gap_credits, "_RECENT", MemoryStore(0))
    column = score(corpus, [metric], store=store).columns[0]
    texts = read_edits(corpus, ["A", "B"], store)
    gap, edits = metric_gap(column, "A", "B"), pair_edits(corpus, "A", "B", texts)
    monkeypatch.setattr(type(metric), "gather", some)
    with pytest.raises(Stopped):
        edit_gap(corpus, gap, edits, texts, store=store)
    left, before = 10_000, list(read)
    assert abs(edit_gap(corpus, gap, edits, texts, store=store).residual) <= EXACT
    assert len(before) == 2
    assert not set(before) & set(read[2:])


def test_a_sentence_of_400_tokens() -> None:
    source = " ".join(f"w{number}" for number in range(400))
    corpus = Corpus(
        "long",
        (sentence(source, source.replace("w7 ", "x7 ")),),
        {"A": (source.replace("w7 ", "x7 "),), "B": (source,)},
    )
    for id in QUICK:
        assert abs(split(corpus, create(id, {})).residual) <= EXACT


def test_equal_outputs_have_no_gap_to_split() -> None:
    corpus = Corpus("same", (sentence("a b", "a c"),), {"A": ("a c",), "B": ("a c",)})
    found = split(corpus, create("m2", {}))
    assert not found.contributions.any()
    assert all(group.share is None and group.contribution == 0 for group in found.groups("type"))
    assert all(group.edits == (0, 0) for group in found.groups("type"))


def test_without_references_edits_have_no_fate_but_contributions() -> None:
    given = sentence("the cat sit")
    found = split(Corpus("bare", (given,), {"A": ("the cat sits",), "B": ("the cat sit down",)}), create("length", {}))
    assert {made.fate for made in found.edits.made} == {"unknown"}
    assert abs(found.residual) <= EXACT


def test_groups_count_edits_and_sentences() -> None:
    corpus = Corpus(
        "groups",
        (sentence("he go home .", "he goes home ."), sentence("fine .", "fine .")),
        {"A": ("he goes home .", "fine ."), "B": ("he go home now .", "so fine .")},
    )
    found = split(corpus, create("sentm2", {}))
    groups = {group.name: group for group in found.groups("fate")}
    assert groups["missed"].edits == (1, 0)
    assert groups["elsewhere"].edits == (0, 2)
    assert groups["elsewhere"].parts[0] == 0
    assert groups["elsewhere"].sentences == 1  # the first scores 0 with and without it
    assert sum(group.share for group in groups.values()) == pytest.approx(1)  # type: ignore[misc]
    assert [group.name for group in found.groups("length")] == ["1–10"]
    assert {group.name for group in found.groups("operation")} == {"R", "M"}


def test_the_noise_of_drawn_references_is_a_group_of_its_own() -> None:
    corpus = random_corpus(8)
    found = split(corpus, create("gleu", {}))
    (rest,) = found.gap.rest
    last = found.groups("type")[-1]
    assert last.name == NO_EDIT
    assert last.contribution == pytest.approx(rest.contribution)
    assert "drawn" in last.label


def test_people_share_a_sentence_evenly_among_its_edits() -> None:
    corpus = Corpus(
        "judged",
        (sentence("a b c d", "a x c d"), sentence("a b", "a b")),
        {"A": ("a x c y", "a b"), "B": ("z b c y", "a b")},
        Judgments((Judgment(0, "one", (Ranked(("A",), 1), Ranked(("B",), 2))),)),
    )
    pairs = expanded(corpus.judgments)  # type: ignore[arg-type]
    gap = people_gap(pairs, rank(pairs, "ew"), "A", "B", sentences=2)
    texts = read_edits(corpus, ["A", "B"])
    found = edit_gap(corpus, gap, pair_edits(corpus, "A", "B", texts), texts)
    by_edit = zip(found.edits.made, found.contributions, strict=True)
    shared = {(made.place.system, made.edit.correction): value for made, value in by_edit}
    assert shared == pytest.approx({("A", "x"): 0.5, ("A", "y"): 0, ("B", "z"): 0.5, ("B", "y"): 0})
    assert abs(found.residual) <= EXACT


def test_an_edit_has_a_span_a_type_and_a_correction() -> None:
    found = split(random_corpus(1), create("m2", {}))
    assert all(made.edit.correction is not None for made in found.edits.made)
    assert all(Edit(made.edit.start, made.edit.end, made.edit.correction) for made in found.edits.made)  # type: ignore[arg-type]


def test_known_credits_are_those_of_the_sentence() -> None:
    corpus, metric = corpora.load("demo"), create("bertscore")
    if not metric.availability().ready:
        pytest.skip("no encoder on this machine")
    output = next(text for text in corpus.systems["EAGER"] if text != corpus.sentences[0].source)
    given = corpus.sentences[corpus.systems["EAGER"].index(output)]
    found = known_credits(metric, given, output, output_edits(given.source, output))
    expected = edit_credits(metric, given, output)
    assert found is not None
    assert [edit.value for edit in found.edits] == pytest.approx([edit.value for edit in expected.edits], abs=1e-5)
    assert found.score == pytest.approx(expected.score, abs=1e-5)


def test_credits_of_a_metric_that_sums_counts_are_not_known_by_sentence() -> None:
    corpus = corpora.load("demo")
    given, output = corpus.sentences[0], corpus.systems["EAGER"][0]
    assert known_credits(create("m2"), given, output, output_edits(given.source, output)) is None


def test_the_estimate_knows_many_edits_and_long_sentences() -> None:
    """Orders are drawn from 9 edits on, at least four with their reverses, and a long text takes longer to read."""
    metric = create("scribendi", {})
    for edits, expected in ((3, 8), (100, 794)):
        source = " ".join(["a"] * 400)
        plan = _plan(metric, source, tuple(Edit(4 * at, 4 * at + 1, "b") for at in range(edits)))
        assert len(set(plan.texts)) == expected
        assert expected <= texts_for(metric, edits) <= 1.01 * expected
    assert paces(12) == 1.0
    assert paces(400) > 10
    parts = list(_in_time(metric, [(0, source)] * 40 + [(1, "a b")] * 40))
    assert [len(part) for part in parts][:2] == [2, 2]
    assert max(len(part) for part in parts) == 16
