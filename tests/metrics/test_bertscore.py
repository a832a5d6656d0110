# mypy: disable-error-code="attr-defined"
"""BERTScore: greedy matching by hand, the package's numbers, and what happens at the edges."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import score_one, sentence
from paper_examples import HOSPITAL, HOSPITAL_AN
from tiny_encoder import needs_encoder, save_tiny_bert, tiny_place

from gec_core.errors import CorpusError, OptionError
from gec_core.metrics import create
from gec_core.metrics.base import Case, Metric
from gec_core.metrics.bertscore import BASELINES, similarity
from gec_core.metrics.bertscore.similarity import BertSimilarity, Idf, Similarity, _match
from gec_core.metrics.blocks import Explanation, Facts, Matrix, Tokens
from gec_core.models.encoder import load_encoder
from gec_core.models.places import Place, locate
from gec_core.scoring import score
from gec_core.store import Store
from gec_core.types import Corpus, Pair

OUTPUTS = ["a b c d", "a b c d", "e f", "h", "a a b ."]
REFERENCES = ["a b c d", "a c b d .", "e g f", "a b c d e f g h", "b"]
ENGLISH = [
    ("He goes home .", "He go home ."),
    ("The weekly quizzes make it fun .", "The weekly quizzes in this course makes it challenging and fun ."),
    ("We can not .", "We cannot ."),
]


@pytest.fixture
def tiny(tmp_path: Path) -> Place:
    return tiny_place(tmp_path / "tiny")


def metric(place: Place, **options: Any) -> Metric:
    return create("bertscore", {"model": str(place.path), **options})


def test_greedy_matching_by_hand() -> None:
    cosines = np.array([[0.9, 0.2], [0.4, 0.6], [0.8, 0.1]])
    ones = np.ones(3), np.ones(2)
    assert _match(cosines, *ones) == pytest.approx(((0.9 + 0.6 + 0.8) / 3, (0.9 + 0.6) / 2))
    weights = np.array([1.0, 0.0, 3.0]), np.array([1.0, 1.0])
    assert _match(cosines, *weights) == pytest.approx(((0.9 + 3 * 0.8) / 4, (0.9 + 0.6) / 2))


def test_f_is_the_harmonic_mean_and_0_where_nothing_is_alike() -> None:
    assert Similarity(0.5, 1.0, False).f == pytest.approx(2 / 3)
    assert Similarity(0.0, 0.0, False).f == 0.0


def package(outputs: list[str], references: list[str], place: Place, layer: int, idf: bool) -> Any:
    """What bert-score gives, pair by pair: in a batch it takes padding for a piece whose cosine is 0, which shows
    where all true cosines are negative."""
    bert_score = pytest.importorskip("bert_score", reason="the package bert-score is not installed")
    path = str(place.path)
    tokenizer = bert_score.utils.get_tokenizer(path)
    weights = bert_score.utils.get_idf_dict(references, tokenizer, nthreads=0) if idf else False
    settings = {"model_type": path, "num_layers": layer, "idf": weights, "device": "cpu"}
    pairs = zip(outputs, references, strict=True)
    return np.array([[float(part) for part in bert_score.score([one], [two], **settings)] for one, two in pairs])


@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("layer", [0, 1, 2])
def test_equal_to_the_package_on_a_tiny_model(tiny: Place, layer: int, idf: bool) -> None:
    ours = BertSimilarity(tiny, layer, Idf(tuple(REFERENCES)) if idf else None)
    pairs = list(zip(OUTPUTS, REFERENCES, strict=True))
    found = ours.scores(pairs, None)
    expected = package(OUTPUTS, REFERENCES, tiny, layer, idf)
    values = np.array([[found[pair].precision, found[pair].recall, found[pair].f] for pair in pairs])
    np.testing.assert_allclose(values, expected, atol=1e-4)


@needs_encoder
@pytest.mark.parametrize("idf", [False, True])
def test_equal_to_the_package_on_the_embedded_encoder(tmp_path: Path, idf: bool) -> None:
    outputs, references = zip(*ENGLISH, strict=True)
    (tmp_path / "references.txt").write_text("\n".join(references) + "\n", encoding="utf-8")
    ours = create("bertscore", {"idf": str(tmp_path / "references.txt")} if idf else {})
    pairs = [Pair(sentence(output, reference), output) for output, reference in ENGLISH]
    found = ours.sentence_scores(np.array(ours.statistics(pairs)))
    expected = package(list(outputs), list(references), ours.place, 6, idf)[:, 2]
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_the_reference_itself_scores_1(tiny: Place) -> None:
    assert score_one(metric(tiny), sentence("a b", "a c d"), "a c d").value == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(("output", "reference"), [("", "a b"), ("a b", "")])
def test_an_empty_side_scores_0(tiny: Place, output: str, reference: str) -> None:
    assert score_one(metric(tiny), sentence("a b", reference), output).value == 0.0


def test_of_several_references_the_best_or_the_mean_counts(tiny: Place) -> None:
    given = sentence("a", "a b c", "h g f e")
    alone = [score_one(metric(tiny), sentence("a", reference), "a c").value for reference in given.references]
    assert score_one(metric(tiny), given, "a c").value == pytest.approx(max(alone))
    assert score_one(metric(tiny, references="mean"), given, "a c").value == pytest.approx(np.mean(alone))
    rows = np.array(metric(tiny).statistics([Pair(given, "a c")]))
    (details,) = metric(tiny).sentence_details(rows)
    assert details["reference"] == int(np.argmax(alone))
    assert details["f"] == pytest.approx(2 * details["p"] * details["r"] / (details["p"] + details["r"]))


def test_sentences_may_have_different_numbers_of_references(tiny: Place) -> None:
    corpus = Corpus("made", (sentence("a", "a b"), sentence("a", "h", "a b")), {"A": ("a b", "a b")})
    for references in ("best", "mean"):
        column = score(corpus, [metric(tiny, references=references)]).columns[0]
        assert np.isfinite(column.sentence_scores("A")).all()
    assert score(corpus, [metric(tiny)]).columns[0].values["A"] == pytest.approx(1, abs=1e-5)


def test_what_was_not_read_to_its_end_is_said(tiny: Place) -> None:
    found = score_one(metric(tiny), sentence("a", "a b"), "a " * 2000)
    assert found.details["truncated"] == 1
    assert 0 < found.value < 1


def test_pieces_weigh_the_more_the_rarer_they_are(tiny: Place) -> None:
    encoder = load_encoder(tiny, 0)
    weigh = Idf(("a b", "a c", "a")).weigher(encoder)
    (pieces,) = encoder.pieces(["a b h"])
    assert weigh(pieces.ids) == pytest.approx([0, math.log(4 / 4), math.log(4 / 2), math.log(4 / 1), 0])


def test_the_sentences_of_idf_enter_the_signature(tiny: Place, tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "one.txt").write_text("a b\n", encoding="utf-8")
    first = metric(tiny, idf=str(texts / "one.txt")).signature
    assert metric(tiny, idf=str(texts)).signature == first, "the content counts, not its name"
    (texts / "two.txt").write_text("c\n", encoding="utf-8")
    assert metric(tiny, idf=str(texts)).signature != first
    assert "idf:none" in metric(tiny).signature


def test_idf_without_sentences_is_refused(tiny: Place, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(OptionError, match="no sentences found"):
        Idf.read(str(tmp_path / "empty"))
    with pytest.raises(CorpusError, match="no such file"):
        Idf.read(str(tmp_path / "nowhere.txt"))
    assert "no such file" in metric(tiny, idf=str(tmp_path / "nowhere.txt")).availability().how


def test_rescaling_makes_the_baseline_0(tmp_path: Path) -> None:
    place = locate("encoder", str(save_tiny_bert(tmp_path / "bert-base-uncased", layers=10)))
    baseline = BASELINES["bert-base-uncased", 9]
    raw = score_one(metric(place), sentence("a", "a b c"), "a c").details
    scaled = score_one(metric(place, rescale="true"), sentence("a", "a b c"), "a c").details
    for name in "prf":
        bottom = getattr(baseline, name)
        assert scaled[name] == pytest.approx((raw[name] - bottom) / (1 - bottom))
    assert "layer:9" in metric(place).signature


def test_rescaling_needs_a_known_baseline(tiny: Place) -> None:
    ready = metric(tiny, rescale="true").availability()
    assert not ready.ready
    assert "No baseline is known for tiny at layer 2" in ready.how


@pytest.mark.parametrize("layer", ["3", "-1", "last"])
def test_a_layer_that_is_not_there_is_refused(tiny: Place, layer: str) -> None:
    ready = metric(tiny, layer=layer).availability()
    assert not ready.ready
    assert "from 0 to 2" in ready.how


def test_what_the_store_has_needs_no_model(tiny: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus("made", (sentence("a", "a b", "h"),), {"A": ("a b c",)})
    store = Store(tmp_path / "scores.sqlite")
    before = score(corpus, [metric(tiny)], store=store).columns[0].values
    monkeypatch.setattr(similarity, "load_encoder", None)
    assert score(corpus, [metric(tiny, references="best")], store=store).columns[0].values == before


def test_little_memory_changes_nothing(tiny: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = list(zip(OUTPUTS, REFERENCES, strict=True))
    before = BertSimilarity(tiny, 2)._rows(pairs)
    monkeypatch.setattr(similarity, "BLOCK", 10)
    np.testing.assert_allclose(BertSimilarity(tiny, 2)._rows(pairs), before, atol=1e-6)


def test_blocks_hold_no_more_than_they_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "BLOCK", 5)
    one, two, three = (similarity.Pieces(ids, False) for ids in ((1, 2), (3, 4), (5, 6, 7)))
    pairs = [(one, two), (two, one), (one, three), (three, three)]
    assert list(similarity._blocks(pairs)) == [pairs[:2], pairs[2:]]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_bert(tmp_path_factory.mktemp("bertscore") / "bert"))


def values(explanation: Explanation) -> dict[Any, Any]:
    return {name: value for block in explanation.all(Facts) for name, value in block.values.items()}


def test_similarities_are_means_to_precision_and_recall(bert: str) -> None:
    found = create("bertscore", {"model": bert}).explain(sentence("a b c", "a d c"), "a b e c")
    for block, name in zip(found.all(Tokens), ("precision", "recall"), strict=True):
        mean = sum(token.value for token in block.tokens) / len(block.tokens)
        assert values(found)[name] == pytest.approx(mean, abs=1e-6)
    precision, recall = found.all(Tokens)
    assert [token.text for token in precision.tokens] == ["a", "b", "e", "c"]
    assert [token.text for token in recall.tokens] == ["a", "d", "c"]
    assert found.reference == "a d c"


def test_with_the_mean_of_references_each_is_shown(bert: str) -> None:
    found = create("bertscore", {"model": bert, "references": "mean"}).explain(sentence("a b", "a d", "a e"), "a b")
    assert len(list(found.all(Tokens))) == 4
    assert found.reference is None


@needs_encoder
def test_equal_words_are_matched_with_each_other() -> None:
    correct = "He is going to school ."
    found = create("bertscore").explain(sentence("He is going school .", correct), correct)
    for block in found.all(Tokens):
        assert [(token.text, token.partner) for token in block.tokens] == [
            (word, word) for word in ["he", "is", "going", "to", "school", "."]
        ]
        assert [token.value for token in block.tokens] == pytest.approx([1] * 6, abs=1e-5)


@needs_encoder
def test_bertscore_is_the_mean_of_the_largest_cosines(bert: str) -> None:
    case = Case(create("bertscore", {"model": bert}), HOSPITAL, HOSPITAL_AN)
    compare, partners, f = case.metric.steps(case.sentence, case.output)
    assert f.value == pytest.approx(case.score, abs=1e-9)
    (matrix,) = compare.blocks
    assert isinstance(matrix, Matrix)
    assert (len(matrix.rows), len(matrix.columns)) == (len(matrix.values), len(matrix.values[0]))
    precision, recall = (block for block in partners.blocks if isinstance(block, Tokens))
    for block, name in ((precision, "p"), (recall, "r")):
        mean = sum(token.value for token in block.tokens) / len(block.tokens)
        assert mean == pytest.approx(case.details[name], abs=1e-6)
