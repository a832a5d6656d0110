"""Metrics on plain lists of sentences: corpus scores, sentence scores, explanations.

Sentences are strings of tokens with spaces between them ("This is a sentence ."). Nothing is tokenised here: every
metric compares tokens, and texts that are tokenised in different ways score close to 0.

References are one list per annotator, `references=[refs0, refs1]`, each as long as the sources. Metrics that compare
with gold edits read these off the references: ERRANT and the metrics built on it annotate the references
automatically, as `errant_parallel` does; the others take differences of tokens. To score with the edits of
annotators, as in an M2 file, make a corpus with `gec_core.corpus(sources=…, gold=…)` and use `gec_core.score`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from gec_core.api import arguments
from gec_core.api.arguments import References, Sentences
from gec_core.corpora.assemble import complete
from gec_core.errors import InputError, MissingInput, OptionError
from gec_core.metrics import create, registry
from gec_core.metrics.base import Metric, Score
from gec_core.scoring import score as score_corpus
from gec_core.types import Corpus, Reads, Sentence

if TYPE_CHECKING:
    import pandas

    from gec_core.metrics.blocks import Explanation, ValuedEdit
    from gec_core.scoring.table import MetricScores

__all__ = ["ExplainedScore", "Scorer", "explain", "metric", "metrics"]

HYPOTHESES = "hypotheses"


class Scorer:
    """A metric with its options, ready to score lists of sentences. `gec_core.metric` makes one.

    Attributes:
        metric: The metric as the other modules of the library know it.
    """

    def __init__(self, metric: Metric) -> None:
        self.metric = metric

    def __repr__(self) -> str:
        return f"<metric {self.signature}>"

    @property
    def id(self) -> str:
        """The name of the metric in code and on the command line."""
        return self.metric.id

    @property
    def name(self) -> str:
        """The name of the metric in text."""
        return self.metric.name

    @property
    def family(self) -> str:
        """What kind of metric it is: overlap, edits, model or sanity."""
        return self.metric.family

    @property
    def summary(self) -> str:
        """What it measures, in one sentence."""
        return self.metric.summary

    @property
    def citation(self) -> str:
        """The paper that introduced it."""
        return self.metric.citation

    @property
    def needs(self) -> Reads:
        """What it compares a hypothesis with: the source, references, or gold edits."""
        return self.metric.reads

    @property
    def options(self) -> dict[str, Any]:
        """The values of its options."""
        return {spec.name: getattr(self.metric.options, spec.name) for spec in self.metric.Options.specs()}

    @property
    def signature(self) -> str:
        """What to state beside a score, so that somebody else can get the same: options, models, versions."""
        return self.metric.signature

    @property
    def available(self) -> bool:
        """Whether it can run on this machine."""
        return self.metric.availability().ready

    @property
    def how(self) -> str:
        """What is missing if it cannot run on this machine, and how to get it."""
        return self.metric.availability().how

    def corpus_score(self, sources: Sentences, hypotheses: Sentences, references: References | None = None) -> Score:
        """Score the output of one system on a whole corpus.

        Args:
            sources: The sentences to be corrected, tokenised.
            hypotheses: The system's correction of each source.
            references: One list of corrected sentences per annotator. Metrics that look at sources and hypotheses
                only (`needs == "source"`) do not need any.

        Returns:
            The score (`value`), the counts behind it (`details`), and the `signature`.

        Raises:
            InputError: An argument is not such a list, or its length does not fit.
            MissingInput: The metric cannot run on this machine; the message says what is missing.

        Examples:
            >>> import gec_core as gec
            >>> score = gec.metric("m2").corpus_score(
            ...     ["This are a sentence .", "He go home ."],
            ...     ["This is a sentence .", "He go home ."],
            ...     [["This is a sentence .", "He goes home ."]],
            ... )
            >>> round(score.value, 4), score.details["p"], score.details["r"]
            (0.8333, 1.0, 0.5)
            >>> score.signature
            'm2|v1|beta:0.5|max_unchanged:2|sentence:max'
        """
        return self._column(sources, hypotheses, references).systems[HYPOTHESES].score

    def sentence_scores(
        self, sources: Sentences, hypotheses: Sentences, references: References | None = None
    ) -> list[float]:
        """Score each hypothesis on its own.

        Args:
            sources: The sentences to be corrected, tokenised.
            hypotheses: A correction of each source.
            references: One list of corrected sentences per annotator; see `corpus_score`.

        Returns:
            One score per sentence. Their mean is the corpus score for some metrics only.

        Raises:
            InputError: An argument is not such a list, or its length does not fit.
            MissingInput: The metric cannot run on this machine; the message says what is missing.

        Examples:
            >>> import gec_core as gec
            >>> gec.metric("m2").sentence_scores(
            ...     ["This are a sentence .", "He go home ."],
            ...     ["This is a sentence .", "He go home ."],
            ...     [["This is a sentence .", "He goes home ."]],
            ... )
            [1.0, 0.0]
        """
        found: list[float] = self._column(sources, hypotheses, references).sentence_scores(HYPOTHESES).tolist()
        return found

    def explain(
        self, source: str, hypothesis: str, references: Sequence[str] | None = None, *, seed: int = 0
    ) -> ExplainedScore:
        """Explain the score of one hypothesis: what each of its edits contributes, and why, in words.

        The credit of an edit is its Shapley value: the mean of what it adds to the score over all orders in which the
        edits can be made. The credits sum to the score of the hypothesis less the score of the unchanged source.

        Args:
            source: The sentence to be corrected, tokenised.
            hypothesis: A correction of it.
            references: The references of this sentence, one string per annotator.
            seed: For hypotheses with many edits, whose credits are estimated by sampling.

        Returns:
            The score, the edits with their credits, and the explanation in words.

        Raises:
            InputError: An argument is not a sentence or a list of sentences.
            MissingInput: The metric cannot run on this machine; the message says what is missing.

        Examples:
            >>> import gec_core as gec
            >>> why = gec.metric("m2").explain(
            ...     "This are a sentence .", "This is a sentences .", ["This is a sentence ."]
            ... )
            >>> why.score, why.source_score
            (0.5555555555555556, 0.0)
            >>> [(edit.correction, round(edit.value, 2)) for edit in why.edits]
            [('is', 0.78), ('sentences', -0.22)]
            >>> print(why.words[-1])
            M² prefers the hypothesis to the source (0.56 against 0.00): changing `are` to `is` earns the hypothesis
            0.78; but changing `sentence` to `sentences` costs the hypothesis 0.22.
        """
        from gec_core.explain.credit import explain_output
        from gec_core.explain.prose import ComparedOutputs, compare

        sentence = arguments.sentence_with_references(source, references)
        self._check_needs(sentence.references or None)
        [sentence] = complete([sentence])
        output = arguments.sentence("hypothesis", hypothesis)
        own, unchanged = (explain_output(self.metric, sentence, text, seed=seed) for text in (output, sentence.source))
        compared = ComparedOutputs(self.metric.title, own, unchanged)
        told = compare(sentence.source, ("the hypothesis", "the source"), [compared])
        return ExplainedScore(
            metric=self.id,
            signature=self.signature,
            source=sentence.source,
            hypothesis=output,
            score=own.credits.score,
            source_score=own.credits.source_score,
            edits=own.credits.edits,
            error=own.credits.error,
            words=tuple(each[0].upper() + each[1:] for each in told.sentences),
            explanation=own.explanation,
        )

    def _column(self, sources: Any, hypotheses: Any, references: Any) -> MetricScores:
        given = arguments.sentences("sources", sources)
        outputs = arguments.sentences("hypotheses", hypotheses, len(given))
        corrected = arguments.references(references, len(given)) if references is not None else []
        self._check_needs(references)
        own = list(zip(*corrected, strict=True)) or [()] * len(given)
        sentences = complete([Sentence(*each) for each in zip(given, own, strict=True)])
        if problem := self.metric.obstacle(sentences[0]):
            raise MissingInput(problem)
        corpus = Corpus("lists", sentences, {HYPOTHESES: tuple(outputs)})
        return score_corpus(corpus, [self.metric], workers=1).columns[0]

    def _check_needs(self, references: Any) -> None:
        if references is None and self.needs != "source":
            raise InputError(f"references is missing: {self.name} compares hypotheses with references.")


@dataclass(frozen=True)
class ExplainedScore:
    """Why a hypothesis gets its score from a metric.

    Attributes:
        metric: The id of the metric.
        signature: The metric's signature.
        source: The sentence to be corrected.
        hypothesis: The correction that was scored.
        score: The sentence score of the hypothesis.
        source_score: The sentence score of the unchanged source.
        edits: The edits of the hypothesis, each with `start`, `end`, `original`, `correction`, `type` and `value`, its
            credit. Spans count tokens of the source from 0. The credits sum to `score - source_score`.
        error: The largest standard error of a credit; 0 where the credits are exact.
        words: The explanation in words, one sentence each.
        explanation: The metric's own account of the score, in blocks of edits, n-grams, tokens or facts.
    """

    metric: str
    signature: str
    source: str
    hypothesis: str
    score: float
    source_score: float
    edits: tuple[ValuedEdit, ...]
    error: float
    words: tuple[str, ...]
    explanation: Explanation

    def __str__(self) -> str:
        return "\n".join(self.words)

    def __repr__(self) -> str:
        return f"<{self.metric} scores {self.hypothesis!r} {self.score:.4f}, and its source {self.source_score:.4f}>"

    def frame(self) -> pandas.DataFrame:
        """The edits as a pandas table, with the words of the source that each one replaces."""
        import pandas

        columns = ["start", "end", "original", "correction", "type", "credit"]
        return pandas.DataFrame([edit.as_dict("credit") for edit in self.edits], columns=columns)


def metric(id: str, /, **options: Any) -> Scorer:
    """The metric of this name, with these options.

    Args:
        id: The name of the metric, such as "m2", "errant" or "gleu". `metrics()` lists them.
        **options: Options of the metric, under the names that `metrics()` and the command line show.

    Returns:
        The metric, with `corpus_score`, `sentence_scores` and `explain`.

    Raises:
        UnknownMetric: There is no metric of this name; the message suggests similar ones.
        OptionError: The metric has no such option, or the option does not take this value.

    Examples:
        >>> import gec_core as gec
        >>> gec.metric("m2", beta=1)
        <metric m2|v1|beta:1.0|max_unchanged:2|sentence:max>
        >>> gec.metric("m3")
        Traceback (most recent call last):
        gec_core.errors.UnknownMetric: No metric 'm3'. There are: m2, ... Did you mean 'm2'?
    """
    if not isinstance(id, str):
        raise InputError(f"The metric is {id!r}; expected the name of one, such as 'm2'.")
    return Scorer(create(id, {name: _as_text(id, name, value) for name, value in options.items()}))


def metrics() -> list[Scorer]:
    """All metrics with their usual options, in the order in which lists show them.

    Returns:
        The metrics. `available` says whether one can run on this machine, `how` what is missing if not.

    Examples:
        >>> import gec_core as gec
        >>> [metric.id for metric in gec.metrics() if metric.family == "overlap"]
        ['imeasure', 'gleu', 'bleu', 'green']
    """
    return [Scorer(cls()) for cls in registry().values()]


def explain(
    metric: str | Scorer,
    source: str,
    hypothesis: str,
    references: Sequence[str] | None = None,
    *,
    seed: int = 0,
    **options: Any,
) -> ExplainedScore:
    """Explain the score that a metric gives to one hypothesis.

    Args:
        metric: The name of a metric, or a metric that `metric()` made.
        source: The sentence to be corrected, tokenised.
        hypothesis: A correction of it.
        references: The references of this sentence, one string per annotator.
        seed: For hypotheses with many edits, whose credits are estimated by sampling.
        **options: Options of the metric, if it is given by name.

    Returns:
        The score, the edits with their credits, and the explanation in words; see `Scorer.explain`.

    Examples:
        >>> import gec_core as gec
        >>> print(gec.explain("gleu", "He go home .", "He goes home .", ["He goes home ."]))
        Only the hypothesis changes `go` to `goes`.
        The source leaves the sentence as it is.
        GLEU prefers the hypothesis to the source (1.00 against 0.54): changing `go` to `goes` earns the hypothesis
        0.46.
    """
    if isinstance(metric, Scorer) and options:
        raise OptionError(f"{', '.join(options)}: give options where the metric is made, as in metric('m2', beta=1).")
    return as_scorer(metric, **options).explain(source, hypothesis, references, seed=seed)


def as_scorer(given: str | Scorer, **options: Any) -> Scorer:
    """The metric that is given by its name, or as it is."""
    return given if isinstance(given, Scorer) else metric(given, **options)


def _as_text(id: str, name: str, value: Any) -> str:
    """An option's value as options are written on the command line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | Real):  # numbers of numpy, too
        return str(value)
    raise OptionError(f"{id}.{name}={value!r}: expected a string, a number, True or False.")
