() => {
  // The texts on a page whose contrast with what is behind them is too low: 4.5 to 1, or 3 to 1 for large letters.
  // Left out is what does not lie on its ancestors: numbers in heatmaps, which tests of charts look at, and sliders'.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ancestors = (element) => (element ? [...ancestors(element.parentElement), element] : []);
  const found = {};
  const walker = document.createTreeWalker(document.querySelector("[data-testid=stApp]"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    const shown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const skipped = "style, script, [data-testid=stIconMaterial], :disabled, [aria-disabled=true], .heatmaplayer, [data-testid=stSliderThumbValue]";
    if (!text || !shown || element.closest(skipped)) continue;
    const chain = ancestors(element);
    let back = [255, 255, 255];
    for (const each of chain) back = over(rgba(getComputedStyle(each).backgroundColor), back);
    const style = getComputedStyle(element);
    const ink = rgba(element instanceof SVGElement ? style.fill : style.color);
    const opacity = chain.reduce((product, each) => product * Number(getComputedStyle(each).opacity), 1);
    ink[3] *= opacity;
    if (ink[3] === 0) continue; // shown on hover only
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = contrast(over(ink, back), back);
    if (ratio < (large ? 3 : 4.5)) {
      const where = element.closest("[data-testid]")?.dataset.testid + " " + element.tagName + "." + element.getAttribute("class");
      found[where] ??= `${ratio.toFixed(2)} ${text.slice(0, 40)}`;
    }
  }
  return found;
}
