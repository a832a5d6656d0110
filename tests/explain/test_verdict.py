"""Verdicts on one output and on two, in words."""

from dataclasses import replace

from conftest import sentence

from gec_core.explain.credit import CreditDifference, Credits, OutputExplanation, explain_output
from gec_core.explain.prose import ComparedOutputs, Votes, deciding_reasons
from gec_core.explain.verdict import deciding_edit, verdict_on_one, verdict_on_two
from gec_core.metrics import create
from gec_core.metrics.blocks import ValuedEdit

GIVEN = sentence("He go to the school home .", "He goes to school home .")
FIRST, SECOND = "He goes to the school home .", "He go to the school at home ."


def compared(*ids: str) -> list[ComparedOutputs]:
    metrics = [create(id) for id in ids]
    return [
        ComparedOutputs(metric.name, explain_output(metric, GIVEN, FIRST), explain_output(metric, GIVEN, SECOND))
        for metric in metrics
    ]


def test_metrics_that_agree_share_a_statement_with_the_deciding_edit() -> None:
    told = [str(each) for each in verdict_on_two(GIVEN.source, ("A", "B"), compared("m2", "gleu"), Votes(2, 0, 0))]
    assert told[0].startswith("M² and GLEU prefer A (M²: 0.83 to 0.00): changing `go` to `goes` earns A 0.83")
    assert told[-1] == "All 2 judgments of the two prefer A; M² and GLEU agree."


def test_nothing_is_said_about_all_metrics_before_all_have_answered() -> None:
    known = compared("m2", "gleu", "imeasure", "green", "bleu")
    told = [str(each) for each in verdict_on_two(GIVEN.source, ("A", "B"), known)]
    assert told[0].startswith("All 5 metrics prefer A")
    told = [str(each) for each in verdict_on_two(GIVEN.source, ("A", "B"), known, waiting=["PT-M²"])]
    assert told[0].startswith("M², GLEU, I-measure, GREEN and BLEU prefer A")
    assert told[-1] == "PT-M² has no answer yet."
    credits = [(each.name, each.first.credits) for each in known]
    one = [str(each) for each in verdict_on_one(GIVEN.source, "A", credits, waiting=["PT-M²", "SOME"])]
    assert not any("ll 5 metrics" in each for each in one)
    assert one[-1] == "PT-M² and SOME have no answer yet."


def test_the_deciding_edit_is_the_largest_contribution_to_the_preference() -> None:
    (found,) = compared("m2")
    assert str(deciding_edit(found.difference)) == "go → goes"
    same = found.first.credits
    assert deciding_edit(CreditDifference(same, same)) is None


def test_one_output() -> None:
    credits = [(each.name, each.first.credits) for each in compared("m2", "gleu")]
    assert [str(each) for each in verdict_on_one(GIVEN.source, "A", credits)] == [
        "A changes `go` to `goes` (M²: 0.83, the source 0.00).",
        "M² and GLEU reward changing `go` to `goes`.",
    ]


def test_one_output_says_once_which_edits_metrics_are_divided_on() -> None:
    one, other = (
        Credits(
            0.5, 0.0, 0.0, (ValuedEdit(1, 2, "go", "goes", value=first), ValuedEdit(5, 5, "", "at", value=second)), True
        )
        for first, second in ((0.4, 0.1), (0.6, -0.1))
    )
    told = verdict_on_one(GIVEN.source, "A", [("M²", one), ("ERRANT", one), ("GLEU", other)])
    assert [str(each) for each in told] == [
        "A changes `go` to `goes` and inserts `at` before `home` (M²: 0.50, the source 0.00).",
        "M², ERRANT and GLEU reward changing `go` to `goes`.",
        "M² and ERRANT reward inserting `at` before `home`; GLEU punishes it.",
    ]


def test_an_unchanged_output() -> None:
    credits = explain_output(create("m2"), GIVEN, GIVEN.source).credits
    assert [str(each) for each in verdict_on_one(GIVEN.source, "A", [("M²", credits)])] == [
        "A leaves the sentence as it is."
    ]


def credited(score: float, *values: float) -> OutputExplanation:
    """An output of the sentence with the credits of up to two edits."""
    edits = (ValuedEdit(1, 2, "go", "goes"), ValuedEdit(5, 5, "", "at"))
    valued = tuple(replace(edit, value=value) for edit, value in zip(edits, values, strict=False))
    return OutputExplanation(
        Credits(score, 0.5, 0.0, valued, True), explain_output(create("m2"), GIVEN, FIRST).explanation
    )


def test_preferences_come_before_ties_and_an_unchanged_output_is_named() -> None:
    metrics = [
        ComparedOutputs("M²", credited(0.5, 0.0), credited(0.5)),
        ComparedOutputs("GLEU", credited(0.6, 0.1), credited(0.5)),
    ]
    assert [str(each) for each in verdict_on_two(GIVEN.source, ("A", "B"), metrics)] == [
        "B leaves the sentence as it is.",
        "GLEU prefers A (0.60 to 0.50): changing `go` to `goes` earns A 0.10.",
        "M² gives both the same score (0.50).",
    ]


def test_metrics_that_prefer_the_same_output_for_another_edit_say_so() -> None:
    metrics = [
        ComparedOutputs(name, credited(0.9, *values), credited(0.5))
        for name, values in {"M²": (0.4, 0.0), "GLEU": (0.1, 0.3), "BLEU": (0.1, 0.3)}.items()
    ]
    assert str(verdict_on_two(GIVEN.source, ("A", "B"), metrics)[1]) == (
        "M², GLEU and BLEU prefer A (M²: 0.90 to 0.50): changing `go` to `goes` earns A 0.40; for GLEU and BLEU, "
        "inserting `at` before `home` decides."
    )


def test_an_edit_that_both_have_is_the_reason_where_the_others_speak_against_the_preference() -> None:
    found = ComparedOutputs("M²", credited(0.9, 0.9), credited(0.7, 0.3, 0.4)).difference
    assert deciding_reasons(found, ("A", "B"), GIVEN.tokens)[0].startswith(
        "changing `go` to `goes`, which both did, has credit 0.90"
    )


def test_where_large_contributions_cancel_out_the_one_that_tips_the_scales_is_told() -> None:
    def credits(*edits: tuple[int, str, float]) -> Credits:
        made = tuple(ValuedEdit(at, at + 1, f"w{at}", to, value=value) for at, to, value in edits)
        return Credits(sum(edit.value for edit in made), 0.0, 0.0, made, True)

    found = CreditDifference(credits((1, "a", 0.9)), credits((3, "b", 0.9), (5, "c", -0.15)))
    why = deciding_reasons(found, ("A", "B"), [f"w{at}" for at in range(8)])
    assert why == [
        "changing `w1` to `a` earns A 0.90",
        "changing `w5` to `c` costs B 0.15",
        "but changing `w3` to `b` earns B 0.90",
    ]
    clear = CreditDifference(credits((1, "a", 0.9)), credits((5, "c", -0.05)))
    assert deciding_reasons(clear, ("A", "B"), [f"w{at}" for at in range(8)]) == ["changing `w1` to `a` earns A 0.90"]
