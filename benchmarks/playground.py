"""The playground in a real Chromium: from a key stroke to new scores, for 30 tokens with two references.

All metrics without a model are chosen. A key stroke that changes the scores is typed again and again; the times
are those of the browser's own clock, the pause that tells typing from a finished word included. The second row
has metrics with models at work in the background."""

import statistics
import tempfile
from collections.abc import Sequence
from urllib.parse import urlencode

from playwright.sync_api import Page

from benchmarks._common import parser, table
from tools.browser import browser, dashboard, settled

SOURCE = (
    "The students who has failed in last term have to retake the course next year because the rules "
    "of university says that nobody can skip a examination without reasons ."
)
REFERENCES = (
    SOURCE.replace("has failed in last", "failed last").replace("says", "say").replace("a exam", "an exam"),
    SOURCE.replace("has", "have").replace("last", "the last").replace("of university says", "of the university say"),
)
OUTPUTS = (SOURCE.replace("says", "say"), SOURCE.replace("has", "have").replace("a exam", "an exam"))
QUICK = ("m2", "sentm2", "errant", "senterrant", "imeasure", "gleu", "bleu", "green")
MODELS = ("scribendi", "ptm2", "bertscore")
STROKES = 30
LIMIT = 0.3

WATCH = """() => {
  const before = document.querySelector('.lens-board').innerHTML;
  window.lens = {};
  document.addEventListener('input', () => { window.lens.pressed ??= performance.now(); }, { capture: true });
  const watch = () => {
    if (window.lens.pressed && document.querySelector('.lens-board')?.innerHTML !== before) {
      window.lens.taken = performance.now() - window.lens.pressed;
    } else requestAnimationFrame(watch);
  };
  watch();
}"""


def main(arguments: Sequence[str]) -> None:
    parser(__file__, __doc__).parse_args(arguments)
    rows: list[list[object]] = []
    with (
        tempfile.TemporaryDirectory() as cache,
        dashboard({"GEC_LENS_CACHE": cache}) as address,
        browser() as chromium,
    ):
        for name, metrics in (("metrics without a model", QUICK), ("with models at work", (*QUICK, *MODELS))):
            page = chromium.new_page(viewport={"width": 1280, "height": 900})
            page.goto(f"{address}/playground?{_query(metrics)}")
            settled(page)
            times = sorted(_stroke(page, number) for number in range(STROKES))
            rows.append([f"key stroke to scores, {name}, median", statistics.median(times), LIMIT])
            rows.append([f"key stroke to scores, {name}, 9 of 10 within", times[int(0.9 * STROKES) - 1], LIMIT])
            page.close()
    table(["what", "seconds", "limit"], rows)


def _query(metrics: tuple[str, ...]) -> str:
    texts = {"source": SOURCE, "output": OUTPUTS, "reference": REFERENCES}
    return urlencode({"corpus": "demo", "metrics": metrics, **texts}, doseq=True)


def _stroke(page: Page, number: int) -> float:
    """Type a letter that makes a new word at the end of the first output, or take it away again."""
    box = page.get_by_label("Output 1", exact=True)
    box.click()
    page.keyboard.press("Control+End")
    if not number % 2:
        page.keyboard.type(" ")
        page.wait_for_timeout(600)
    page.evaluate(WATCH)
    page.keyboard.press("Backspace" if number % 2 else "x")
    page.wait_for_function("window.lens.taken", polling=20)
    page.wait_for_timeout(200)
    return float(page.evaluate("window.lens.taken")) / 1000
