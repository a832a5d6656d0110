"""LLM-S and LLM-E: the mean score of a language model that judges outputs, or their edits, from 1 to 5."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import cleandoc
from typing import Any, ClassVar, Literal

import numpy as np

from gec_core.align import errant_pipeline
from gec_core.align.edits import diff_edits
from gec_core.errors import ScoreError
from gec_core.metrics import options, register
from gec_core.metrics.base import Availability, Case, Metric, Score
from gec_core.metrics.blocks import Explanation, Facts
from gec_core.metrics.llm.endpoint import KEY, MODEL, URL, Endpoint
from gec_core.metrics.llm.prompts import LOWEST, MOST_TOKENS, InvalidAnswer, JudgeQuestion, questions
from gec_core.metrics.options import option
from gec_core.models.loading import text_key
from gec_core.store import Store
from gec_core.types import Array, Edit, Pair

SCORE, ANSWERED = range(2)
"""The columns of a row: the score, and 1 if the judge gave it (0: no valid answer, and the lowest score instead)."""


@dataclass(frozen=True)
class Outlay:
    """What asking a judge would take."""

    questions: int
    known: int
    """Questions whose answers are in the store."""
    tokens_in: float
    tokens_out: float
    cost: float | None
    """In the currency of the prices; None if no price is given."""

    def told(self, name: str) -> str:
        """The outlay in words."""
        if not self.questions:
            return f"{name}: all answers are known; nothing is sent."
        cost = "for a cost, set the options price_in and price_out (prices of a million tokens)"
        if self.cost is not None:
            cost = f"a cost of about {self.cost:.2f}"
        return (
            f"{name}: {self.questions:,} questions to send ({self.known:,} answers are known), about "
            f"{self.tokens_in:,.0f} tokens of questions and {self.tokens_out:,.0f} of answers; {cost}."
        )


class LLMJudge(Metric):
    """What both judges share: questions, answers, their store, and the estimate of costs."""

    family = "model"
    reads = "source"
    averages = True
    own_process = True
    paid = True
    pace = 0.5
    chunk = 60
    short: ClassVar[str]
    citation = "Kobayashi et al. 2024, Large Language Models Are State-of-the-Art Evaluator for GEC, BEA"

    @dataclass(frozen=True)
    class Options(options.Options):
        model: str = option("", f"the model's name at the endpoint (default: the environment variable {MODEL})")
        endpoint: str = option(
            "", f"address of an OpenAI-compatible endpoint, up to /v1 (default: the environment variable {URL})"
        )
        key_variable: str = option(KEY, "name of the environment variable with the key; a key itself is no option")
        criterion: Literal["overall", "grammaticality", "fluency", "meaning"] = option("overall", "what is judged")
        together: int = option(5, "the most outputs of a sentence in one question", least=1, most=10)
        seed: int = option(0, "of the order of outputs, and of the model", least=0, most=2**31 - 1)
        retries: int = option(2, "how often a question is repeated after an invalid answer", least=0, most=10)
        unanswered: Literal["stop", "lowest"] = option(
            "stop", "outputs without a valid answer: stop with an error, or give them the lowest score and say so"
        )
        most_tokens: int = option(
            MOST_TOKENS,
            "the most tokens of an answer; models that reason before they answer need thousands",
            least=20,
            most=1_000_000,
        )
        at_once: int = option(4, "questions under way at the same time", least=1, most=64)
        timeout: float = option(120.0, "seconds to wait for an answer", least=0.1, most=3600)
        price_in: float = option(0.0, "price of a million tokens of questions, for the estimate", least=0, most=1e6)
        price_out: float = option(0.0, "price of a million tokens of answers, for the estimate", least=0, most=1e6)

    options: Options

    @property
    def model(self) -> str:
        """The name of the model; empty if none is given."""
        return self.options.model or os.environ.get(MODEL, "")

    @property
    def signature(self) -> str:
        """Without address, key, patience and prices."""
        given = self.options
        return "|".join(
            [
                *(self.id, f"v{self.version}", f"model:{self.model or 'none'}", f"criterion:{given.criterion}"),
                *(f"together:{given.together}", f"seed:{given.seed}", *self._reads_edits()),
                *(["unanswered:lowest"] if given.unanswered == "lowest" else []),
            ]
        )

    def _reads_edits(self) -> list[str]:
        return []

    @property
    def title(self) -> str:
        return f"{self.short} ({self.model})" if self.model else self.name

    @property
    def label(self) -> str:
        return f"{self.name} · {self.model}" if self.model else self.name

    def availability(self) -> Availability:
        if not (self.model and (self.options.endpoint or os.environ.get(URL))):
            return Availability(
                ready=False,
                how=f"It needs an OpenAI-compatible endpoint: set the environment variables {URL} (the address, up to "
                f"/v1), {MODEL} and, if the server wants one, {KEY}.",
            )
        return Availability(ready=True)

    @cached_property
    def server(self) -> Endpoint:
        """The endpoint that questions go to."""
        given = self.options
        address = given.endpoint or os.environ.get(URL, "")
        return Endpoint(address, self.model, given.key_variable, given.timeout)

    def questions(self, pairs: Iterable[Pair], *, reverse: bool = False) -> list[JudgeQuestion]:
        """The questions about these outputs, sentence by sentence."""
        by_source: dict[str, list[str]] = {}
        for sentence, output in pairs:
            by_source.setdefault(sentence.source, []).append(output)
        given = self.options
        return [
            self._seen(question)
            for source, outputs in by_source.items()
            for question in questions(
                source, outputs, given.criterion, together=given.together, seed=given.seed, reverse=reverse
            )
        ]

    def _seen(self, question: JudgeQuestion) -> JudgeQuestion:
        """The question as this judge sees it."""
        return question

    def outlay(self, pairs: Iterable[Pair], store: Store | None) -> Outlay:
        """What scoring these pairs would take: nothing is sent."""
        asked = self.questions(pairs)
        known = self._known(asked, store, 0)
        new = [question for question in asked if question not in known]
        counts = np.array([question.tokens() for question in new] or [(0.0, 0.0)]).sum(axis=0)
        prices = self.options.price_in, self.options.price_out
        cost = float(counts @ np.array(prices)) / 1e6 if any(prices) else None
        return Outlay(len(new), len(known), float(counts[0]), float(counts[1]), cost)

    def costs(self, pairs: Sequence[Pair], store: Store | None) -> str:
        return self.outlay(pairs, store).told(self.name)

    def answers(
        self,
        asked: Sequence[JudgeQuestion],
        store: Store | None,
        *,
        repeat: int = 0,
        on_answers: Callable[[int], None] = lambda done: None,
    ) -> dict[JudgeQuestion, Array]:
        """The scores of the outputs of each question, from the store or asked for.

        Args:
            asked: The questions.
            store: Where answers are kept, by question and model.
            repeat: Answers to other repeats are asked for anew: how a judge agrees with itself.
            on_answers: Called with the number of questions that are done; may raise to cancel.
        """
        found = self._known(asked, store, repeat)
        missing = list(dict.fromkeys(question for question in asked if question not in found))
        failed: dict[JudgeQuestion, str] = {}
        with ThreadPoolExecutor(self.options.at_once) as threads:
            for start in range(0, len(missing), self.options.at_once):
                part = missing[start : start + self.options.at_once]
                fresh = {}
                for question, scores in zip(part, threads.map(self._ask, part), strict=True):
                    if isinstance(scores, str):
                        failed[question] = scores
                    else:
                        fresh[question] = scores
                if store is not None:
                    store.put(self._kept_under(repeat), {text_key(each.text): row for each, row in fresh.items()})
                found |= fresh
                on_answers(len(found) + len(failed))
        if failed and self.options.unanswered == "stop":
            question, reason = next(iter(failed.items()))
            raise ScoreError(
                f"{self.name}: {len(failed):,} of {len(asked):,} questions so far got no valid answer from "
                f"{self.model} in {self.options.retries + 1} tries (the first, about {question.source[:60]!r}: "
                f"{reason}). Valid answers are kept. Try again, use another model, or count such outputs as {LOWEST} "
                "with the option unanswered=lowest."
            )
        return found

    def _known(self, asked: Sequence[JudgeQuestion], store: Store | None, repeat: int) -> dict[JudgeQuestion, Array]:
        if store is None:
            return {}
        keys = {text_key(question.text): question for question in asked}
        rows = store.get(self._kept_under(repeat), keys)
        return {keys[key]: row for key, row in rows.items()}

    def _kept_under(self, repeat: int) -> str:
        """The signature of answers: the questions are their keys."""
        return f"llm-answers|v1|model:{self.model}|seed:{self.options.seed}|repeat:{repeat}"

    def _ask(self, question: JudgeQuestion) -> Array | str:
        """The scores that the judge gives, or why there are none."""
        messages, reason = question.messages(), ""
        for attempt in range(self.options.retries + 1):
            answer, cut_off = self.server.chat(
                messages,
                seed=self.options.seed + attempt,
                most_tokens=self.options.most_tokens,
                schema=question.schema,
            )
            try:
                return np.array(question.read(answer))
            except InvalidAnswer as problem:
                reason = str(problem)
                if cut_off:
                    reason = f"it was cut off after {self.options.most_tokens} tokens, see the option most_tokens"
                again = f"That answer is not valid: {reason}. Answer with the JSON object only."
                said = {"role": "assistant", "content": answer[:1000]}
                messages = [*question.messages(), said, {"role": "user", "content": again}]
        return reason

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return self.gather(pairs, None)

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        found = self.answers(self.questions(pairs), store)
        scores = by_output(found)
        lacking = np.array([LOWEST, 0.0])
        rows = []
        for sentence, output in pairs:
            score = scores.get((sentence.source, output))
            rows.append(lacking if score is None else np.array([score, 1.0]))
        return rows

    def aggregate(self, statistics: Array) -> Score:
        unanswered = int(np.sum(statistics[:, ANSWERED] == 0))
        return Score(float(statistics[:, SCORE].mean()), {"unanswered": unanswered} if unanswered else {})

    def sentence_scores(self, statistics: Array) -> Array:
        return statistics[:, SCORE]

    def caveat(self, details: Mapping[str, Any]) -> str:
        count = details.get("unanswered", 0)
        return f"{count} outputs got no valid answer and count {LOWEST}" if count else ""

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [{"answer": "valid" if row[ANSWERED] else "none"} for row in statistics]

    def explanation(self, case: Case) -> Explanation:
        facts = {
            "score of the judge (1 to 5)": case.score,
            "judge": self.model,
            "criterion": self.options.criterion,
            "valid answer": "yes" if case.rows[0][ANSWERED] else "no",
        }
        return case.explanation(Facts("The judge's verdict", facts))


def by_output(answers: Mapping[JudgeQuestion, Array]) -> dict[tuple[str, str], float]:
    """The score of each output, by source and output."""
    return {
        (question.source, text): float(score)
        for question, scores in answers.items()
        for text, score in zip(question.shown, scores, strict=True)
    }


_CARD = r"""
    ### Formula
    The mean over sentences of a whole number from 1 to 5 that a language model gives to {what}. A question is about
    one sentence and up to `together` distinct outputs in shuffled order; temperature 0, a seed, and an answer that must
    be a JSON object with a score for each output.

    ### Strengths
    It needs no references. With a large model it agrees with people better than metrics do (Kobayashi et al. 2024).

    ### Known failures
    Scores depend on the order in which outputs are shown, on which outputs are shown together, and on the model, which
    its provider may change behind the same name. A corpus may contain texts that speak to the judge. Put a judge on
    trial before you trust it: `gec-lens trial` measures its position bias, length bias and agreement with itself and
    with people. Texts are sent to the endpoint: do not send what you may not give away.
    """


@register
class LLMSentence(LLMJudge):
    id = "llm-sentence"
    name = "LLM judge, sentences"
    short = "LLM-S"
    order = 160
    summary = "A language model behind an OpenAI-compatible endpoint scores each output from 1 to 5; the mean."
    card = cleandoc(_CARD.replace("{what}", "each output"))


@register
class LLMEdits(LLMJudge):
    id = "llm-edits"
    name = "LLM judge, edits"
    short = "LLM-E"
    order = 161
    summary = (
        "A language model behind an OpenAI-compatible endpoint scores the edits of each output from 1 to 5; the mean."
    )
    card = cleandoc(_CARD.replace("{what}", "the edits of each output"))

    def _reads_edits(self) -> list[str]:
        return [f"edits:{errant_pipeline.label() if errant_pipeline.find() else 'differences'}"]

    def _seen(self, question: JudgeQuestion) -> JudgeQuestion:
        return replace(question, edits=tuple(_edits(question.source, question.shown)))


def _edits(source: str, outputs: Sequence[str]) -> Iterator[tuple[Edit, ...]]:
    """The edits of outputs: ERRANT's, or token differences where ERRANT cannot run."""
    if errant_pipeline.find() is None:
        yield from (diff_edits(source, output) for output in outputs)
        return
    from gec_core.align.errant_edits import TextPair, edits_of

    pairs = [TextPair(source, output) for output in outputs]
    found = edits_of(pairs, None)
    yield from (found[pair] for pair in pairs)
