/** The mark or polyphone drawn under a point of the screen; its place in the content. */
export function pieceAt(overlay: HTMLElement, x: number, y: number): { offset: number; rect: DOMRect } | null {
  for (const element of overlay.querySelectorAll<HTMLElement>("[data-offset]")) {
    for (const rect of element.getClientRects()) {
      if (x >= rect.left - 1 && x <= rect.right + 1 && y >= rect.top - 2 && y <= rect.bottom + 4)
        return { offset: Number(element.dataset.offset), rect };
    }
  }
  return null;
}

export function pieceRect(overlay: HTMLElement, offset: number): DOMRect | null {
  return overlay.querySelector(`[data-offset="${offset}"]`)?.getBoundingClientRect() ?? null;
}

/** Whether the caret stands in the first or the last row of what is drawn. */
export function isAtEdge(overlay: HTMLElement, caret: number, edge: "first" | "last"): boolean {
  const own = topOf(overlay, caret);
  const bounds = overlay.getBoundingClientRect();
  if (own === null) return true;
  const row = Number.parseFloat(getComputedStyle(overlay).lineHeight) || 30;
  return edge === "first" ? own - bounds.top < row * 0.9 : bounds.bottom - own < row * 1.3;
}

function topOf(overlay: HTMLElement, caret: number): number | null {
  const walker = document.createTreeWalker(overlay, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest("[data-label]") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  let left = caret;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node.textContent ?? "";
    if (left <= length) {
      const range = document.createRange();
      range.setStart(node, left);
      range.collapse(true);
      return (range.getClientRects()[0] ?? range.getBoundingClientRect()).top;
    }
    left -= length;
  }
  return null;
}
