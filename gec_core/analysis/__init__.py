"""The error analysis of one system beside the others of a corpus.

`analyse` computes it from the scores of a corpus, `report` puts it into sections of prose, tables and figures, and
`page` and `bundle` write these as an HTML file and as a zip file with the numbers. The page *My system* shows the
same sections.

    found = analyse(corpus, score(corpus, metrics), "MINE")
    Path("report.html").write_text(page(report(found)), encoding="utf-8")
"""

from gec_core.analysis.analysis import Analysis, analyse
from gec_core.analysis.document import Section
from gec_core.analysis.html import bundle, page
from gec_core.analysis.sections import report

__all__ = ["Analysis", "Section", "analyse", "bundle", "page", "report"]
