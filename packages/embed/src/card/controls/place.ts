const gapPx = 4;
const edgePx = 8;

/** Positions a popup below its anchor, or above if there is more room, within the window. */
export function placeBeside(popup: HTMLElement, anchor: Element, maxPx: number, rightToLeft: boolean): void {
  const at = anchor.getBoundingClientRect();
  const { style } = popup;
  style.minWidth = `${Math.min(at.width, innerWidth - 2 * edgePx)}px`;
  style.maxHeight = `${maxPx}px`;
  const [belowPx, abovePx] = [innerHeight - at.bottom - gapPx - edgePx, at.top - gapPx - edgePx];
  const isAbove = popup.offsetHeight > belowPx && abovePx > belowPx;
  style.maxHeight = `${Math.max(120, Math.min(maxPx, isAbove ? abovePx : belowPx))}px`;
  const start = rightToLeft ? at.right - popup.offsetWidth : at.left;
  style.left = `${Math.max(edgePx, Math.min(start, innerWidth - popup.offsetWidth - edgePx))}px`;
  // Anchored at the edge nearest the anchor, so that the popup stays attached when it changes height.
  style.top = isAbove ? 'auto' : `${at.bottom + gapPx}px`;
  style.bottom = isAbove ? `${innerHeight - at.top + gapPx}px` : 'auto';
}
