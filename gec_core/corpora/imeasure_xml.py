"""The XML format of I-measure: gold errors with alternative corrections (Felice and Briscoe 2015, Listing 1).

    <sentence id="1" numann="2">
      <text>This machines is old .</text>
      <error-list>
        <error id="1" req="yes" type="SVA">
          <alt ann="0"><c start="0" end="1">These</c><c start="2" end="3">are</c></alt>
          <alt ann="1"><c start="1" end="2">machine</c></alt>
        </error>
      </error-list>
    </sentence>

Elements around the <sentence> elements are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from xml.sax.saxutils import escape, quoteattr

from gec_core.corpora.text import TextFile, normalise, quote
from gec_core.corpora.xmltree import Node, parse
from gec_core.types import Annotation, Edit, ErrorGroup, Sentence

_REQUIRED = {"yes": True, "no": False}


def read(file: TextFile) -> list[Sentence]:
    """Read an I-measure XML file, with the errors grouped as they are there."""
    return [_sentence(node) for node in parse(file).every("sentence")]


def write(sentences: Iterable[Sentence]) -> str:
    """The text of an I-measure XML file, made from the error groups; annotations are not written."""
    body = "\n".join(line for number, sentence in enumerate(sentences, 1) for line in _lines(number, sentence))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<scripts>\n<script id="1">\n{body}\n</script>\n</scripts>\n'


def _sentence(node: Node) -> Sentence:
    text = next(node.every("text"), None)
    if text is None:
        raise node.file.error("a <sentence> without a <text>.", node.line)
    source = normalise(text.text)
    length = len(source.split())
    errors = tuple(_error(error, length) for error in node.every("error"))
    seen = {alternative.annotator for error in errors for alternative in error.alternatives}
    annotators = node.integer("numann") if "numann" in node.attributes else len(seen)
    if len(seen) > annotators:
        raise node.file.error(f"numann says {annotators}, but {len(seen)} annotators have corrections.", node.line)
    if (most := node.file.limits.references) is not None and annotators > most:
        raise node.file.error(f"{annotators:,} annotators; at most {most} are allowed.", node.line)
    return Sentence(source, annotations=_annotations(errors, seen, annotators), errors=errors)


def _error(node: Node, length: int) -> ErrorGroup:
    required = node.attribute("req")
    if required not in _REQUIRED:
        raise node.file.error(f"<error> has req={quote(required)}; expected 'yes' or 'no'.", node.line)
    type_ = node.attributes.get("type", "")
    alternatives = tuple(
        Annotation(alternative.integer("ann"), tuple(_edit(c, length, type_) for c in alternative.every("c")))
        for alternative in node.every("alt")
    )
    return ErrorGroup(alternatives, _REQUIRED[required], type_)


def _edit(node: Node, length: int, type_: str) -> Edit:
    start, end = node.integer("start"), node.integer("end")
    if not start <= end <= length:
        raise node.file.error(
            f"the correction {start} {end} is outside the sentence, which has {length} tokens.", node.line
        )
    return Edit(start, end, normalise(node.text), type_)


def _annotations(errors: tuple[ErrorGroup, ...], seen: set[int], annotators: int) -> tuple[Annotation, ...]:
    """The edits of each annotator; one who corrects nothing gets an unused number."""
    silent = (number for number in count() if number not in seen)
    everyone = sorted(seen | {next(silent) for _ in range(max(annotators, 1) - len(seen))})
    return tuple(Annotation(annotator, _edits_of(annotator, errors)) for annotator in everyone)


def _edits_of(annotator: int, errors: tuple[ErrorGroup, ...]) -> tuple[Edit, ...]:
    """The first alternative of every error that the annotator corrects: alternatives exclude one another."""
    chosen = (
        next((alternative.edits for alternative in error.alternatives if alternative.annotator == annotator), ())
        for error in errors
    )
    return tuple(sorted((edit for edits in chosen for edit in edits), key=lambda edit: (edit.start, edit.end)))


def _lines(number: int, sentence: Sentence) -> Iterator[str]:
    yield f'<sentence id="{number}" numann="{len(sentence.annotations)}">'
    yield f"<text>{escape(sentence.source)}</text>"
    yield "<error-list>"
    for index, error in enumerate(sentence.errors or (), 1):
        required = "yes" if error.required else "no"
        yield f'<error id="{index}" req="{required}" type={quoteattr(error.type)}>'
        for alternative in error.alternatives:
            edits = "".join(f'<c start="{e.start}" end="{e.end}">{escape(e.correction)}</c>' for e in alternative.edits)
            yield f'<alt ann="{alternative.annotator}">{edits}</alt>'
        yield "</error>"
    yield "</error-list>"
    yield "</sentence>"
