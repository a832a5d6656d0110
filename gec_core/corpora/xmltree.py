"""Parse XML safely into a tree of elements with line numbers.

Document types and entities are refused: corpora do not need them, and with them a small XML file can
fill the memory or read other files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from defusedxml import sax
from defusedxml.common import DefusedXmlException

from gec_core.corpora.text import TextFile, quote

_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(slots=True)
class Node:
    """An element, its own text, and the line it starts on."""

    file: TextFile
    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[Node] = field(default_factory=list)

    def every(self, tag: str) -> Iterator[Node]:
        """The elements with this tag at any depth, in the order of the file."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node.tag == tag:
                yield node
            waiting.extend(reversed(node.children))

    def attribute(self, name: str) -> str:
        """The value of an attribute that the element must have."""
        if name not in self.attributes:
            raise self.file.error(f"<{self.tag}> lacks the attribute {name!r}.", self.line)
        return self.attributes[name]

    def integer(self, name: str, least: int = 0) -> int:
        """The value of an attribute that must be a whole number from `least` on."""
        value = self.attribute(name).strip()
        if not _NUMBER.fullmatch(value) or int(value) < least:
            expected = f"a whole number from {least} on"
            raise self.file.error(f"<{self.tag}> has {name}={quote(value)}; expected {expected}.", self.line)
        return int(value)


def parse(file: TextFile) -> Node:
    """The root element of an XML file."""
    builder = _Builder(file)
    data = file.data()
    file.refuse_other_kinds(data, "XML")
    if len(data) > file.limits.tree:
        raise file.error(f"XML of {len(data) / 1e6:,.0f} MB; at most {file.limits.tree / 1e6:.0f} MB are allowed.")
    try:
        sax.parseString(data, builder, forbid_dtd=True)
    except DefusedXmlException:
        raise file.error("XML with a document type or entities is refused. Remove the <!DOCTYPE …> part.") from None
    except SAXParseException as problem:
        raise file.error(f"not well-formed XML ({problem.getMessage()}).", problem.getLineNumber()) from None
    except (LookupError, ValueError) as problem:
        raise file.error(f"XML in an encoding that cannot be read ({problem}). Save the file as UTF-8.") from None
    return builder.root


class _Builder(ContentHandler):
    def __init__(self, file: TextFile) -> None:
        super().__init__()
        self._file = file
        self._open: list[Node] = []
        self._text: list[str] = []

    def setDocumentLocator(self, locator: Locator) -> None:
        self._locator = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        node = Node(self._file, name, dict(attrs.items()), self._locator.getLineNumber() or 0)
        if self._open:
            self._open[-1].children.append(node)
        else:
            self.root = node
        self._open.append(node)
        self._text.clear()

    def characters(self, content: str) -> None:
        self._text.append(content)

    def endElement(self, name: str) -> None:
        node = self._open.pop()
        if not node.children:
            node.text = "".join(self._text)
        self._text.clear()
