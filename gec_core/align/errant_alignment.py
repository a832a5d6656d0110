"""ERRANT's alignment and merging rules, compiled (Felice et al. 2016; Bryant et al. 2017).

Alignment. The cost of a replacement grows with the difference of the two tokens: 0 if only case differs, else
.499 for another lemma, .25 or .5 for another part of speech, and the share of characters that differ. Tokens
in another order (case ignored) are one transposition of k + 1 tokens, at cost k. Of equally cheap steps the
first is taken: transposition, replacement, insertion, deletion. Costs are added in the same order as in the
`errant` package, so that comparing two of them gives the same result.

Merging. Steps between two matches or transpositions are joined or kept apart by properties of the tokens: a
possessive ending goes with its noun, a word split in two with its parts, `to eat` with `eating`. The rules are tried
on every stretch of such a run, the longest first, and the first that applies decides; the steps on either side
of the stretch are treated in the same way.

The rules are those of `errant.en.merger`, which goes through all stretches again for the steps that are left, and
through all tokens of a stretch for every rule: minutes for a sentence of a hundred unrelated words.
"""

from __future__ import annotations

import numpy as np

from gec_core.align.errant_pipeline import CONTENT, DETERMINER, OPEN, POSSESSIVE, PUNCTUATION, UPPER, VERBAL
from gec_core.compiled import compiled

MATCH, REPLACE, INSERT, DELETE = 0, 1, 2, 3
"""The steps of an alignment; larger numbers are transpositions of that many tokens, plus TRANSPOSE."""
TRANSPOSE = 2
OTHER_LEMMA = 0.499
OTHER_POS = 0.5
OTHER_OPEN_POS = 0.25
NEAR = 0.75
"""The share of common letters above which two tokens are the same word spelt differently."""
_NO_RULE, _FIRST_APART, _LAST_TWO, _TOGETHER, _CUT, _LAST_APART = range(6)
"""What a rule does with a stretch: keep its first step apart, make its last two one edit, make all of it one edit,
cut it after its first step, keep its last step apart."""


@compiled
def align(source, output):  # type: ignore[no-untyped-def]
    """The steps from source to output, first to last; both are `errant_pipeline.ParsedTokens`.

    Equal tokens at the end are always matched (equal tokens at the beginning are not).
    """
    rows, columns = len(source.orth), len(output.orth)
    while rows and columns and source.orth[rows - 1] == output.orth[columns - 1]:
        rows -= 1
        columns -= 1
    steps = _walk(_fill(source, output, rows + 1, columns + 1))
    return np.concatenate((steps, np.full(len(source.orth) - rows, MATCH, np.int32)))


@compiled
def merge(steps, source, output):  # type: ignore[no-untyped-def]
    """The edits, first to last: rows of (source start, source end, output start, output end)."""
    ends = _ends(steps)
    edits = np.empty((len(steps), 4), np.int32)
    count = 0
    low = 0
    while low < len(steps):
        high = low + 1
        if steps[low] == MATCH:
            low = high
            continue
        if steps[low] > DELETE:
            count = _put(edits, count, ends, low, high)
        else:
            while high < len(steps) and MATCH < steps[high] <= DELETE:
                high += 1
            count = _merge_run(steps, ends, source, output, low, high, edits, count)
        low = high
    return edits[:count]


@compiled
def _fill(source, output, rows, columns):  # type: ignore[no-untyped-def]
    """The last step of the cheapest alignment of every pair of prefixes (shorter than rows and columns)."""
    cost = np.empty((rows, columns))
    step = np.empty((rows, columns), np.int32)
    for i in range(rows):
        cost[i, 0], step[i, 0] = i, DELETE
    for j in range(columns):
        cost[0, j], step[0, j] = j, INSERT
    here, there, balance = _shared_numbers(source.lower[: rows - 1], output.lower[: columns - 1])
    scratch = np.empty(1 + np.max(np.diff(output.at)) if columns > 1 else 1, np.int32)
    for i in range(rows - 1):
        for j in range(columns - 1):
            if source.orth[i] == output.orth[j]:
                cost[i + 1, j + 1], step[i + 1, j + 1] = cost[i, j], MATCH
                continue
            best, taken = np.inf, 0
            size = _transposed(cost, here, there, balance, i, j)
            if size:
                best, taken = cost[i - size, j - size] + size, size + 1 + TRANSPOSE
            replaced = cost[i, j] + _replacement(source, output, i, j, scratch)
            if replaced < best:
                best, taken = replaced, REPLACE
            if cost[i + 1, j] + 1 < best:
                best, taken = cost[i + 1, j] + 1, INSERT
            if cost[i, j + 1] + 1 < best:
                best, taken = cost[i, j + 1] + 1, DELETE
            cost[i + 1, j + 1], step[i + 1, j + 1] = best, taken
    return step


@compiled
def _replacement(source, output, i, j, scratch):  # type: ignore[no-untyped-def]
    """The cost of replacing source token i by output token j."""
    if source.lower[i] == output.lower[j]:
        return 0.0
    lemma = 0.0 if source.lemma[i] == output.lemma[j] else OTHER_LEMMA
    pos = 0.0
    if source.pos[i] != output.pos[j]:
        pos = OTHER_OPEN_POS if source.flags[i] & output.flags[j] & OPEN else OTHER_POS
    return lemma + pos + _unlike(source, output, i, j, scratch)


@compiled
def _shared_numbers(source, output):  # type: ignore[no-untyped-def]
    """Small numbers for the tokens that both have, -1 for the others; and a counter for each number."""
    here = np.full(len(source), -1, np.int32)
    there = np.full(len(output), -1, np.int32)
    count = 0
    for i in range(len(source)):
        if here[i] >= 0:
            continue
        for j in range(len(output)):
            if source[i] == output[j]:
                there[j] = here[i] = count
        if here[i] >= 0:
            for k in range(i + 1, len(source)):
                if source[k] == source[i]:
                    here[k] = count
            count += 1
    return here, there, np.zeros(count, np.int32)


@compiled
def _transposed(cost, here, there, balance, i, j):  # type: ignore[no-untyped-def]
    """The least k such that the k + 1 tokens up to i and up to j are the same in another order; 0 if none.

    The search goes back until the two match, or until a token that the other side lacks.
    `balance` counts how often each token was seen here minus how often there; it is reset to zero.
    """
    unbalanced = 0
    found = 0
    k = 0
    while i >= k and j >= k:
        if k and cost[i - k + 1, j - k + 1] == cost[i - k, j - k]:
            break
        one, other = here[i - k], there[j - k]
        if one < 0 or other < 0:
            break
        unbalanced += 1 if balance[one] >= 0 else -1
        balance[one] += 1
        unbalanced += 1 if balance[other] <= 0 else -1
        balance[other] -= 1
        if k and unbalanced == 0:
            found = k
            k += 1
            break
        k += 1
    for back in range(k):
        balance[here[i - back]] = 0
        balance[there[j - back]] = 0
    return found


@compiled
def _walk(step):  # type: ignore[no-untyped-def]
    """The steps that lead to the last cell."""
    i, j = step.shape[0] - 1, step.shape[1] - 1
    steps = np.empty(i + j, np.int32)
    first = len(steps)
    while i or j:
        taken = step[i, j]
        size = taken - TRANSPOSE if taken > DELETE else 1
        if taken != INSERT:
            i -= size
        if taken != DELETE:
            j -= size
        first -= 1
        steps[first] = taken
    return steps[first:]


@compiled
def _ends(steps):  # type: ignore[no-untyped-def]
    """The positions in source and output where each step begins, and where the last one ends."""
    ends = np.zeros((len(steps) + 1, 2), np.int32)
    for index in range(len(steps)):
        step = steps[index]
        size = step - TRANSPOSE if step > DELETE else 1
        ends[index + 1, 0] = ends[index, 0] + (0 if step == INSERT else size)
        ends[index + 1, 1] = ends[index, 1] + (0 if step == DELETE else size)
    return ends


@compiled
def _put(edits, count, ends, low, high):  # type: ignore[no-untyped-def]
    """Make one edit of the steps from low to high."""
    edits[count, 0], edits[count, 1] = ends[low, 0], ends[high, 0]
    edits[count, 2], edits[count, 3] = ends[low, 1], ends[high, 1]
    return count + 1


@compiled
def _merge_run(steps, ends, source, output, low, high, edits, count):  # type: ignore[no-untyped-def]
    """Add the edits of a run of replacements, insertions and deletions."""
    replaced = np.zeros(len(steps) + 1, np.int32)
    for index in range(low, high):
        replaced[index + 1] = replaced[index] + (steps[index] == REPLACE)
    sides = _counts(source), _counts(output)
    # The stretches still to be treated, the leftmost on top, and whether each is known to be one edit.
    waiting = [(low, high, False)]
    while len(waiting):
        low, high, done = waiting.pop()
        if done or high - low == 1:
            count = _put(edits, count, ends, low, high)
            continue
        if high == low:
            continue
        rule, first, last = _first_rule(steps, ends, replaced, source, output, sides, low, high)
        if rule == _FIRST_APART:
            waiting.append((low + 1, high, False))
            waiting.append((low, low + 1, True))
        elif rule == _LAST_TWO:
            waiting.append((last + 1, high, False))
            waiting.append((last - 1, last + 1, True))
            waiting.append((low, last - 1, False))
        elif rule == _TOGETHER:
            waiting.append((last + 1, high, False))
            waiting.append((first, last + 1, True))
            waiting.append((low, first, False))
        elif rule == _CUT:
            waiting.append((first + 1, high, False))
            waiting.append((low, first + 1, False))
        elif rule == _LAST_APART:
            waiting.append((high - 1, high, True))
            waiting.append((low, high - 1, False))
        else:
            for index in range(low, high):
                count = _put(edits, count, ends, index, index + 1)
    return count


@compiled
def _counts(tokens):  # type: ignore[no-untyped-def]
    """The number of content words, tokens outside verb phrases and changes of class before each token."""
    counts = np.zeros((len(tokens.pos) + 1, 3), np.int32)
    for index in range(len(tokens.pos)):
        counts[index + 1, 0] = counts[index, 0] + ((tokens.flags[index] & CONTENT) != 0)
        counts[index + 1, 1] = counts[index, 1] + ((tokens.flags[index] & VERBAL) == 0)
        counts[index + 1, 2] = counts[index, 2] + (index > 0 and tokens.pos[index] != tokens.pos[index - 1])
    return counts


@compiled
def _first_rule(steps, ends, replaced, source, output, sides, low, high):  # type: ignore[no-untyped-def]
    """The first rule that applies to a stretch within [low, high), and the first and last step of that stretch."""
    same_step = True
    for index in range(low + 1, high):
        same_step = same_step and steps[index] == steps[low]
    if same_step and steps[low] != REPLACE:
        return _TOGETHER, low, high - 1
    for reach in range(high - low - 1, 0, -1):
        for first in range(low, high - reach):
            last = first + reach
            if replaced[last + 1] > replaced[first]:
                rule = _rule(steps, ends, source, output, sides, first, last, first == low, last == high - 1)
                if rule:
                    return rule, first, last
    content = sides[0][ends[high, 0], 0] > sides[0][ends[low, 0], 0]
    content = content or sides[1][ends[high, 1], 0] > sides[1][ends[low, 1], 0]
    if content and replaced[high] > replaced[low]:
        return _TOGETHER, low, high - 1
    return _NO_RULE, low, high


@compiled
def _rule(steps, ends, source, output, sides, first, last, leads, closes):  # type: ignore[no-untyped-def]
    """The rule for the steps from first to last; `leads` and `closes` say whether they begin and end the run."""
    i, to_i, j, to_j = ends[first, 0], ends[last + 1, 0], ends[first, 1], ends[last + 1, 1]
    if leads and (source.flags[i] | output.flags[j]) & POSSESSIVE:
        return _FIRST_APART
    if (source.flags[to_i - 1] | output.flags[to_j - 1]) & POSSESSIVE:
        return _LAST_TWO
    if source.lower[to_i - 1] == output.lower[to_j - 1]:
        if leads and ((to_i - i == 1 and output.flags[j] & UPPER) or (to_j - j == 1 and source.flags[i] & UPPER)):
            return _TOGETHER
        if (to_i - i > 1 and source.flags[to_i - 2] & PUNCTUATION) or (
            to_j - j > 1 and output.flags[to_j - 2] & PUNCTUATION
        ):
            return _LAST_TWO
    if _same_letters(source, output, i, to_i, j, to_j):
        return _TOGETHER
    if to_i - i != to_j - j and _same_class(source, output, sides, i, to_i, j, to_j):
        return _TOGETHER
    if last - first == 1:
        if to_i - i == 2 and to_j - j == 2:
            return _CUT
        if (steps[first] == REPLACE and _near(source, output, i, j)) or (
            steps[last] == REPLACE and _near(source, output, to_i - 1, to_j - 1)
        ):
            return _CUT
        if closes and (
            (steps[last] != INSERT and source.flags[to_i - 1] & DETERMINER)
            or (steps[last] != DELETE and output.flags[to_j - 1] & DETERMINER)
        ):
            return _LAST_APART
    return _NO_RULE


@compiled
def _same_letters(source, output, i, to_i, j, to_j):  # type: ignore[no-untyped-def]
    """Whether the two differ in white space, case, apostrophes and hyphens only."""
    start, end = source.bare_at[i], source.bare_at[to_i]
    shift = output.bare_at[j] - start
    if output.bare_at[to_j] - end != shift:
        return False
    return np.array_equal(source.bare[start:end], output.bare[start + shift : end + shift])


@compiled
def _same_class(source, output, sides, i, to_i, j, to_j):  # type: ignore[no-untyped-def]
    """Whether all tokens have one part of speech, or all belong to verb phrases."""
    here, there = sides
    if here[to_i, 1] == here[i, 1] and there[to_j, 1] == there[j, 1]:
        return True
    unchanging = here[to_i, 2] == here[i + 1, 2] and there[to_j, 2] == there[j + 1, 2]
    return unchanging and source.pos[i] == output.pos[j]


@compiled
def _near(source, output, i, j):  # type: ignore[no-untyped-def]
    """Whether two tokens are the same word spelt differently."""
    longest = output.at[j + 1] - output.at[j]
    return 1 - _unlike(source, output, i, j, np.empty(longest + 1, np.int32)) > NEAR


@compiled
def _unlike(source, output, i, j, scratch):  # type: ignore[no-untyped-def]
    """The share of letters of two tokens that are not in their longest common subsequence."""
    one = source.letters[source.at[i] : source.at[i + 1]]
    other = output.letters[output.at[j] : output.at[j + 1]]
    together = len(one) + len(other)
    return (together - 2 * _common_letters(one, other, scratch)) / together


@compiled
def _common_letters(one, other, scratch):  # type: ignore[no-untyped-def]
    """The length of the longest common subsequence of letters."""
    scratch[: len(other) + 1] = 0
    for letter in one:
        diagonal = 0
        for k in range(len(other)):
            above = scratch[k + 1]
            if letter == other[k]:
                scratch[k + 1] = diagonal + 1
            elif scratch[k] > above:
                scratch[k + 1] = scratch[k]
            diagonal = above
    return scratch[len(other)]
