# mypy: disable-error-code="union-attr"
"""The comparison of two outputs in plain words: small cases, word for word."""

from dataclasses import replace

import pytest
from conftest import sentence
from errant_cases import no_pipeline  # noqa: F401

from gec_core.explain.credit import Credits, OutputExplanation, explain_output
from gec_core.explain.prose import ComparedOutputs, Votes, compare, count_votes
from gec_core.explain.verdict import verdict_on_two
from gec_core.metrics import create
from gec_core.metrics.blocks import Edits, Explanation, ValuedEdit
from gec_core.types import Edit, Judgment, Judgments, Ranked, Sentence

pytestmark = pytest.mark.usefixtures("no_pipeline")

SKILL = sentence(
    "It is also entire incorrect for the lack of interpersonal skill .",
    "It is also entirely incorrect for the lack of interpersonal skills .",
)
NTHU = "It is also entirely incorrect for lack of interpersonal skills ."
PKU = "It is also entire incorrect for the lack of interpersonal skills ."
"""After Table 8 of Gong et al. (2022)."""


def valued(id: str, given: Sentence, first: str, second: str) -> ComparedOutputs:
    metric = create(id)
    return ComparedOutputs(metric.name, *(explain_output(metric, given, output) for output in (first, second)))


def weighed(
    name: str,
    lines: list[tuple[int, int, str, str, int]]
    | list[tuple[int, int, str, str, float]]
    | list[tuple[int, int, str, str, int | float]],
    empty: list[tuple[int, int, str, str, int]] | list[tuple[int, int, str, str, float]] | tuple[()] = (),
) -> ComparedOutputs:
    """A metric that weighs edits as given, (start, end, original, correction, weight), for two outputs."""
    none = Credits(0.5, 0.5, 0.0, (), True)
    explanations = tuple(
        Explanation(
            name, name, name, 0.5, (Edits("", tuple(ValuedEdit(*line[:4], "", "correct", line[4]) for line in each)),)
        )
        for each in (lines, empty)
    )
    return ComparedOutputs(name, *(OutputExplanation(none, explanation) for explanation in explanations))


def test_what_was_done_and_what_it_is_worth() -> None:
    found = compare(SKILL.source, ("NTHU", "PKU"), [valued("m2", SKILL, NTHU, PKU)])
    assert found.sentences == (
        "Both change `skill` to `skills`.",
        "Only NTHU changes `entire` to `entirely` and deletes `the`.",
        "PKU changes nothing else.",
        "M² prefers PKU to NTHU (0.83 against 0.71): changing `skill` to `skills`, which both did, has credit 0.83 in "
        "PKU and 0.46 in NTHU; deleting `the` costs NTHU 0.21; but changing `entire` to `entirely` earns NTHU 0.46.",
    )


def test_edits_with_the_same_fate_are_told_together() -> None:
    given = sentence("a b c d e f", "a B c D e F")
    (told,) = compare(given.source, ("X", "Y"), [valued("m2", given, "a B c D e f", "a b c d e f")]).metrics
    assert (
        told == "M² prefers X to Y (0.91 against 0.00): changing `b` to `B` and changing `d` to `D` each earn X 0.45."
    )


def test_metrics_that_say_the_same_share_a_sentence() -> None:
    given = sentence("a b", "a c")
    found = compare(given.source, ("X", "Y"), [valued(id, given, "a c", "a b") for id in ("m2", "sentm2", "gleu")])
    assert found.metrics[0] == "M² and SentM² prefer X to Y (1.00 against 0.00): changing `b` to `c` earns X 1.00."
    assert found.metrics[1].startswith("GLEU prefers X to Y")


def test_what_counts_for_and_against_may_cancel_out() -> None:
    given = sentence("a b c", "x b c", "a b y")
    (told,) = compare(given.source, ("X", "Y"), [valued("m2", given, "x b c", "a b y")]).metrics
    assert told == (
        "M² gives both the same score (1.00): changing `a` to `x` earns X 1.00; but changing `c` to `y` earns Y 1.00."
    )


def test_one_output_is_the_source_and_both_are_the_same() -> None:
    given = sentence("a b", "a c")
    found = compare(given.source, ("X", "Y"), [valued("m2", given, "a c", "a b")])
    assert found.edits == ("Only X changes `b` to `c`.", "Y leaves the sentence as it is.")
    found = compare(given.source, ("X", "Y"), [valued("m2", given, "a c", "a c")])
    assert found.edits == ("Both outputs are the same.", "Both change `b` to `c`.")
    assert found.metrics == ("M² gives both the same score (1.00).",)
    found = compare(given.source, ("X", "Y"), [valued("m2", given, "a b", "a b")])
    assert found.edits == ("Both leave the sentence as it is.",)


def test_estimates_are_called_estimates() -> None:
    sampled = Credits(0.5, 0.0, 0.0123, (ValuedEdit(0, 1, "a", "x", value=0.5),), False)
    nothing = Credits(0.0, 0.0, 0.0, (), True)
    found = compare(
        "a b", ("X", "Y"), [ComparedOutputs("M", OutputExplanation(sampled, EMPTY), OutputExplanation(nothing, EMPTY))]
    )
    assert found.metrics == (
        "M prefers X to Y (0.50 against 0.00): changing `a` to `x` earns X 0.50. These credits are estimates with a "
        "standard error of up to 0.012.",
    )


EMPTY = Explanation("m", "M", "m", 0.0, ())


def test_what_a_metric_owes_to_the_other_systems_is_said() -> None:
    one, other = (Credits(score, score, 0.0, (), True) for score in (0.5, 0.2))
    (told,) = compare(
        "a b", ("X", "Y"), [ComparedOutputs("G", OutputExplanation(one, EMPTY), OutputExplanation(other, EMPTY))]
    ).metrics
    assert told == "G prefers X to Y (0.50 against 0.20): the source itself would get 0.30 more in X's place."


ENTIRELY, SKILLS = (3, 4, "entire", "entirely"), (10, 11, "skill", "skills")
TO_ENTIRELY, TO_SKILLS = "changing `entire` to `entirely`", "changing `skill` to `skills`"


def test_a_replacement_that_a_metric_takes_for_a_deletion() -> None:
    """M² reads it as deleting `b`, which the annotator did, and inserting `x`."""
    given = sentence("a b c d", "a c d")
    found = compare(given.source, ("X", "Y"), [valued(id, given, "a x c d", "a b c d") for id in ("m2", "gleu")])
    assert found.edits[0] == "Only X changes `b` to `x`."
    assert found.notes == ("M² counts deleting `b` among X's corrections, since the annotator made that edit.",)


def test_a_correction_in_several_edits_is_the_same_correction() -> None:
    given = sentence("a b c d", gold=[[Edit(1, 3, "x y")]])
    assert compare(given.source, ("X", "Y"), [valued("m2", given, "a x y d", "a b c d")]).notes == ()


def test_a_source_that_is_better_than_both_and_different_annotators() -> None:
    """The first annotator leaves the sentence alone, so the source has 1; X has 1 of 1 of the second's two edits."""
    given = sentence("a b c d", "a b c d", "a x c y")
    found = compare(given.source, ("X", "Y"), [valued(id, given, "a x c d", "z b c d") for id in ("m2", "sentm2")])
    assert found.notes == (
        "M² and SentM² compare X with annotator 2 and Y with annotator 1.",
        "M² and SentM² give the source itself 1.00, more than either output.",
    )


def test_a_verdict_mentions_weights_only_where_they_speak_for_one_preference_against_another() -> None:
    def preferring(found: ComparedOutputs, score: float) -> ComparedOutputs:
        return replace(found, first=replace(found.first, credits=Credits(score, 0.5, 0.0, (), True)))

    alike = weighed("M²", [(*ENTIRELY, 1), (*SKILLS, 1)], [(*SKILLS, 1)])
    model = weighed("PT-M²", [(*ENTIRELY, 0.42), (*SKILLS, 0.1)], [(*SKILLS, 0.1)])
    told = f"gives {TO_ENTIRELY} 4.2 times the weight of {TO_SKILLS}"
    for scores, mentioned in {(0.5, 0.5): False, (0.4, 0.6): True, (0.6, 0.6): False, (0.6, 0.4): False}.items():
        metrics = [preferring(found, score) for found, score in zip((alike, model), scores, strict=True)]
        verdict = verdict_on_two(SKILL.source, ("NTHU", "PKU"), metrics)
        assert any(told in str(each) for each in verdict) == mentioned


def test_weights_that_differ_between_metrics() -> None:
    alike = weighed("M²", [(*ENTIRELY, 1), (*SKILLS, 1)], [(*SKILLS, 1)])
    model = weighed("PT-M²", [(*ENTIRELY, 0.42), (*SKILLS, 0.1)], [(*SKILLS, 0.1)])
    found = compare(SKILL.source, ("NTHU", "PKU"), [alike, model])
    assert found.weights == (
        f"M² gives both corrections the same weight; PT-M² gives {TO_ENTIRELY} 4.2 times the weight of {TO_SKILLS}, "
        "and only NTHU made it."
    )
    assert compare(SKILL.source, ("NTHU", "PKU"), [alike]).weights == ""
    nearly = weighed("PT-M²", [(*ENTIRELY, 0.12), (*SKILLS, 0.1)])
    assert compare(SKILL.source, ("NTHU", "PKU"), [alike, nearly]).weights == ""


def test_corrections_in_one_output_are_told_rather_than_others() -> None:
    """`the` is deleted wrongly and weighs least; but `entirely` and `skills` are corrections."""
    lines = [(*ENTIRELY, 0.4), (6, 7, "the", "", 0.01), (*SKILLS, 0.2)]
    model, alike = (
        weighed(name, [(*line[:4], value or line[4]) for line in lines]) for name, value in (("PT", 0), ("M", 1))
    )
    wrong = [
        replace(each, first=_the_deletion_is_wrong(each.first), second=_the_deletion_is_wrong(each.second))
        for each in (alike, model)
    ]
    assert compare(SKILL.source, ("A", "B"), wrong).weights == (
        f"M gives both corrections the same weight; PT gives {TO_ENTIRELY} twice the weight of {TO_SKILLS}, and only A "
        "made both."
    )


def _the_deletion_is_wrong(given: OutputExplanation) -> OutputExplanation:
    (block,) = given.explanation.blocks
    lines = (replace(line, verdict="correct" if line.correction else "wrong") for line in block.edits)
    blocks = (replace(block, edits=tuple(lines)),)  # type: ignore[arg-type]
    return replace(given, explanation=replace(given.explanation, blocks=blocks))


def test_the_metric_with_the_strongest_opinion_comes_last() -> None:
    strong, weak, alike = (
        weighed(name, [(*ENTIRELY, weight), (*SKILLS, 1)]) for name, weight in (("S", 9), ("W", 0.5), ("M", 1))
    )
    assert compare(SKILL.source, ("A", "B"), [strong, weak, alike]).weights == (
        f"M gives both corrections the same weight; W gives {TO_SKILLS} twice the weight of {TO_ENTIRELY}; S gives "
        f"{TO_ENTIRELY} 9.0 times the weight of {TO_SKILLS}, and only A made both."
    )


def test_weights_of_nothing_and_of_both_outputs() -> None:
    alike = weighed("M²", [(*ENTIRELY, 1), (*SKILLS, 1)], [(*SKILLS, 1)])
    model = weighed("PT-M²", [(*ENTIRELY, 0.0), (*SKILLS, 0.1)], [(*SKILLS, 0.1)])
    assert compare(SKILL.source, ("A", "B"), [alike, alike, model]).weights == (
        f"M² gives both corrections the same weight; PT-M² gives no weight to {TO_ENTIRELY}, but some to {TO_SKILLS}, "
        "and only A made the lighter edit."
    )


def test_weights_of_edits_that_both_outputs_have_are_not_mentioned() -> None:
    alike = weighed("M²", [(*ENTIRELY, 1), (*SKILLS, 1)], [(*ENTIRELY, 1), (*SKILLS, 1)])
    model = weighed("PT-M²", [(*ENTIRELY, 0.4), (*SKILLS, 0.1)], [(*ENTIRELY, 0.4), (*SKILLS, 0.1)])
    assert not compare(SKILL.source, ("A", "B"), [alike, model]).weights


@pytest.mark.parametrize(
    ("votes", "told"),
    [
        (Votes(1, 0, 0), "The judge who compared the two prefers NTHU; M² disagrees."),
        (Votes(0, 1, 0), "The judge who compared the two prefers PKU; M² agrees."),
        (Votes(0, 0, 1), "The judge who compared the two sees no difference."),
        (Votes(0, 3, 0), "All 3 judgments of the two prefer PKU; M² agrees."),
        (Votes(2, 0, 1), "Of 3 judgments of the two, 2 prefer NTHU and 1 sees no difference; M² disagrees."),
        (Votes(1, 1, 0), "Of 2 judgments of the two, 1 prefers NTHU and 1 prefers PKU."),
        (Votes(0, 0, 0), ""),
        (None, ""),
    ],
)
def test_judges(votes: None, told: str) -> None:
    assert compare(SKILL.source, ("NTHU", "PKU"), [valued("m2", SKILL, NTHU, PKU)], votes).judges == told


def test_metrics_for_and_against_the_judges() -> None:
    found = compare(
        SKILL.source, ("NTHU", "PKU"), [valued(id, SKILL, NTHU, PKU) for id in ("m2", "gleu", "green")], Votes(1, 0, 0)
    )
    assert found.judges == "The judge who compared the two prefers NTHU; GLEU and GREEN agree, M² does not."


def test_votes_are_counted_by_output() -> None:
    """A and C have the same output; the second judge saw C only, the third did not see B."""
    places = [
        (Ranked(("A", "C"), 1), Ranked(("B",), 2)),
        (Ranked(("C",), 3), Ranked(("B",), 3)),
        (Ranked(("A",), 1), Ranked(("D",), 2)),
    ]
    judgments = Judgments((*(Judgment(4, "ann", each) for each in places), Judgment(5, "ann", places[0])))
    assert count_votes(judgments, 4, ["A", "C"], ["B"]) == Votes(1, 0, 1)
    assert count_votes(judgments, 4, ["B"], ["A", "C"]) == Votes(0, 1, 1)
