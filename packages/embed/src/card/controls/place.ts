const gapPx = 4;
const edgePx = 8;

/**
 * Positions a popup within the window: below its anchor, or above it if there is too little space below and more above.
 */
export function placeBeside(popup: HTMLElement, anchor: Element, maxPx: number, rightToLeft: boolean): void {
  const anchorRect = anchor.getBoundingClientRect();
  const { style } = popup;
  style.minWidth = `${Math.min(anchorRect.width, innerWidth - 2 * edgePx)}px`;
  style.maxHeight = `${maxPx}px`;
  const [belowPx, abovePx] = [innerHeight - anchorRect.bottom - gapPx - edgePx, anchorRect.top - gapPx - edgePx];
  const isAbove = popup.offsetHeight > belowPx && abovePx > belowPx;
  style.maxHeight = `${Math.max(120, Math.min(maxPx, isAbove ? abovePx : belowPx))}px`;
  const start = rightToLeft ? anchorRect.right - popup.offsetWidth : anchorRect.left;
  style.left = `${Math.max(edgePx, Math.min(start, innerWidth - popup.offsetWidth - edgePx))}px`;
  // Fixes the edge that is next to the anchor, so that the popup stays at the anchor when its height changes.
  style.top = isAbove ? 'auto' : `${anchorRect.bottom + gapPx}px`;
  style.bottom = isAbove ? `${innerHeight - anchorRect.top + gapPx}px` : 'auto';
}
