"""Worked examples that papers give, each with the point it makes: what explanations must be able to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gec_core.corpora.assemble import gold_from_references
from gec_core.types import Annotation, Edit, Sentence


@dataclass(frozen=True)
class PaperCase:
    """A sentence that a paper explains something with, in tokens as the paper prints them."""

    id: str
    title: str
    source: str
    hypotheses: Mapping[str, str]
    """Outputs by the name that the paper gives them."""
    references: tuple[str, ...]
    point: str
    """What the paper says about it, in one sentence."""
    citation: str
    metrics: tuple[str, ...]
    """The ids of the metrics that this is about."""
    gold: tuple[tuple[Edit, ...], ...] = ()
    """Each annotator's edits where the paper prints them; elsewhere they are the differences of tokens."""

    @property
    def sentence(self) -> Sentence:
        """The source with its references and gold edits."""
        if not self.gold:
            return Sentence(self.source, self.references, gold_from_references(self.source, self.references))
        annotations = (Annotation(number, edits) for number, edits in enumerate(self.gold))
        return Sentence(self.source, self.references, tuple(annotations))


CHOLLAMPATT = "Chollampatt and Ng 2018, A Reassessment of Reference-Based Grammatical Error Correction Metrics, COLING"
FELICE = (
    "Felice and Briscoe 2015, Towards a standard evaluation method for grammatical error detection and correction, "
    "NAACL"
)
GONG = "Gong et al. 2022, Revisiting Grammatical Error Correction Evaluation and Beyond, EMNLP"
ISLAM = (
    "Islam and Magnani 2021, Is this the end of the gold standard? A straightforward reference-less GEC metric, EMNLP"
)

_MACHINES_ARE = "Machines are designed to help people ."

_CASES = (
    PaperCase(
        "hospital",
        "Source, hypothesis and reference, aligned",
        "Thus , advice from hospital plays the important role for this .",
        {"Hypothesis": "Thus , advice from hospital plays an important role for this ."},
        ("Thus , advice from the hospital plays an important role in this .",),
        "Where the reference inserts a word, the other two have a gap: one error is corrected, two are missed.",
        f"{CHOLLAMPATT}: Table 1",
        ("imeasure",),
    ),
    PaperCase(
        "quizzes",
        "A wrong change where a right one is due",
        "The weekly quizzes in this course makes it challenging and fun .",
        {
            "Hypothesis 1": "The weekly quizzes in this course makes it challenging and fun .",
            "Hypothesis 2": "The weekly quizzes in this course making it challenging and fun .",
        },
        ("The weekly quizzes in this course make it challenging and fun .",),
        "GLEU rewards a wrong change in the right place, M² sees no difference, and the I-measure holds it against "
        "the output.",
        f"{CHOLLAMPATT}: Table 4, example 1",
        ("m2", "imeasure", "gleu"),
    ),
    PaperCase(
        "student",
        "Half of each reference",
        "The senior student who failed have to retake the course next year .",
        {
            "Hypothesis 1": "The senior student who failed has to retake the course next year .",
            "Hypothesis 2": "The senior students who failed have to retake the course next year .",
            "Hypothesis 3": "The senior students who failed has to retake the course next year .",
        },
        (
            "The senior student who failed has to retake the course next year .",
            "The senior students who failed have to retake the course next year .",
        ),
        "GLEU prefers the ungrammatical third hypothesis, which takes one correction from each reference, to the "
        "other two, each of which is a reference.",
        f"{CHOLLAMPATT}: Table 4, example 2",
        ("gleu",),
    ),
    PaperCase(
        "machines",
        "Corrections of two annotators",
        "This machines is designed for help people .",
        {"Hypothesis": "These machines are designed to help people ."},
        ("These machines are designed for helping people .", "This machine is designed to help people ."),
        "M² compares with one annotator at a time, so a faultless output that corrects one error as the first "
        "annotator does and another as the second does gets 0.67.",
        f"{FELICE}: Table 1",
        ("m2",),
        gold=(
            (Edit(0, 1, "These"), Edit(2, 3, "are"), Edit(5, 6, "helping")),
            (Edit(1, 2, "machine"), Edit(4, 5, "to")),
        ),
    ),
    PaperCase(
        "designed",
        "Half of a correction",
        "Machine is design to help people .",
        {"Hypothesis": "Machine is designed to help people ."},
        (_MACHINES_ARE,),
        "M² gives nothing for a part of a gold edit; the I-measure, which counts tokens, does.",
        f"{FELICE}: Table 2",
        ("m2", "imeasure"),
        gold=((Edit(0, 1, "Machines"), Edit(1, 3, "are designed")),),
    ),
    PaperCase(
        "helping",
        "Few long edits",
        "Machine is design to help people .",
        {
            "Hypothesis 1": "The machine is designed for helping people .",
            "Hypothesis 2": "Machines is a design on the helping of the people .",
        },
        (_MACHINES_ARE,),
        "M² counts edits whatever their length, so a phrase that is spoilt in one long edit costs no more than a "
        "single word, and the worse hypothesis gets the higher score.",
        f"{FELICE}: Table 3",
        ("m2",),
        gold=((Edit(0, 1, "Machines"), Edit(1, 2, "are"), Edit(2, 3, "designed")),),
    ),
    PaperCase(
        "widespread",
        "Two alignments that are equally cheap",
        "Their is wide spread usage of technology .",
        {"Hypothesis": "There is widespread use of technology ."},
        ("There is widespread use of technology .",),
        "Where two words become one, it does not matter which column has the gap: cost and counts are the same.",
        f"{FELICE}: Table 5",
        ("imeasure",),
    ),
    PaperCase(
        "classes",
        "Every class of column",
        "1 a 2 a 3 a 4 a 5 a 6 a 7 a 8 a 9 a 10 a 11 12 13 14",
        {"Hypothesis": "1 a 2 a 3 a 4 b 5 b 6 b 7 b 8 9 10 11 a 12 a 13 a 14"},
        ("1 a 2 b 3 4 a 5 b 6 c 7 8 a 9 b 10 11 a 12 b 13 14 a",),
        "A change that the reference makes otherwise is a false positive and a false negative at once (FPN); that "
        "something had to be done there was right (numbers keep the 14 cases apart).",
        f"{FELICE}: Table 6",
        ("imeasure",),
    ),
    PaperCase(
        "substituted",
        "One right edit and one needless edit",
        "They play the important role in our life which can not be substituted .",
        {
            "AMU": "They play an important role in our life which can not be replaced .",
            "UFC": "They play the important role in our life which can not be substituted .",
        },
        ("They play an important role in our life which can not be substituted .",),
        "BERTScore prefers the unchanged source, since all words that were left alone count, too; PT-M² looks at "
        "the edits alone, and prefers the output with the right one.",
        f"{GONG}: Table 3",
        ("ptm2", "bertscore"),
    ),
    PaperCase(
        "skills",
        "Which correction weighs more",
        "It is also entire incorrect to fault social media alone for the lack of interpersonal skill .",
        {
            "NTHU": "It is also entirely incorrect to fault social media alone for lack of interpersonal skills .",
            "PKU": "It is also entire incorrect to fault social media alone for the lack of interpersonal skills .",
        },
        ("It is also entirely incorrect to fault social media alone for the lack of interpersonal skills .",),
        "M² counts all edits alike and prefers PKU; PT-M² gives most weight to the correction that only NTHU made, and "
        "prefers NTHU as people do.",
        f"{GONG}: Table 8",
        ("m2", "ptm2"),
    ),
    PaperCase(
        "repetition",
        "A repeated word",
        "He is going school .",
        {"Prediction": "He He He He He He ."},
        ("He is going to school .",),
        "A language model alone may like a text that repeats itself; Scribendi's ratios of similarity to the source "
        "rule it out.",
        f"{ISLAM}: Table 4",
        ("scribendi",),
    ),
)

CASES: Mapping[str, PaperCase] = {case.id: case for case in _CASES}
"""All of them, by id."""
