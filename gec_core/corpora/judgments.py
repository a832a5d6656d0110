"""Rankings of outputs by people, in the XML of Grundkiewicz et al. (2015).

    <ranking-item src-id="135" user="annotator01">
      <translation rank="3" system="A"/>
      <translation rank="1" system="B C"/>
    </ranking-item>

`src-id` counts sentences from 0, `system` names all systems with that one output, rank 1 is best.
"""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from gec_core.corpora.text import TextFile
from gec_core.corpora.xmltree import Node, parse
from gec_core.types import Judgment, Judgments, Ranked


def read(file: TextFile) -> Judgments:
    """The rankings in the order of the file. An item without translations stays, as an empty one."""
    return Judgments(tuple(_item(node) for node in parse(file).every("ranking-item")))


def _item(node: Node) -> Judgment:
    ranked = tuple(
        Ranked(tuple(place.attribute("system").split()), place.integer("rank", least=1))
        for place in node.every("translation")
    )
    names = [name for place in ranked for name in place.systems]
    for name in names:
        if names.count(name) > 1:
            raise node.file.error(f"{name} is ranked more than once in one <ranking-item>.", node.line)
    return Judgment(node.integer("src-id"), node.attribute("user"), ranked)


def write(judgments: Judgments) -> str:
    """The text of a judgments.xml."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<appraise-results>"]
    for item in judgments.items:
        lines.append(f'<ranking-item src-id="{item.sentence}" user={quoteattr(item.judge)}>')
        lines.extend(
            f'  <translation rank="{place.rank}" system={quoteattr(" ".join(place.systems))}/>' for place in item.ranked
        )
        lines.append("</ranking-item>")
    return "\n".join([*lines, "</appraise-results>", ""])
