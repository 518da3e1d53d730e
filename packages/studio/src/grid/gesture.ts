import type { Edge } from '../layout/arrange.ts';
import type { Layout } from '../layout/area.ts';

/** Pixels that a pointer moves before a press becomes a drag. */
const thresholdPx = 4;
/** Pixels from the top and bottom of the window within which a drag scrolls the page. */
const scrollZonePx = 48;

/** The size of a cell on the page, and the direction in which columns count. */
export interface CellSize {
  readonly widthPx: number;
  readonly heightPx: number;
  /** -1 if columns count from the right. */
  readonly direction: 1 | -1;
}

/** What a drag does to the layout: `by` columns and rows since it began. */
export interface DragListener {
  readonly edge: Edge | null;
  readonly cell: CellSize;
  preview(byColumns: number, byRows: number): void;
  /** The pointer was released; `isDrag` is false if it had not moved. */
  end(isDrag: boolean): void;
  cancel(): void;
}

/** Follows a pointer from its press on, until it is released or cancelled. Escape cancels too. */
export function followPointer(press: PointerEvent, target: HTMLElement, listener: DragListener): void {
  const { cell } = listener;
  const startY = press.clientY + window.scrollY;
  let isDrag = false;
  let shown = '0 0';
  target.setPointerCapture(press.pointerId);
  const controller = new AbortController();
  const { signal } = controller;
  const move = (event: PointerEvent): void => {
    const [x, y] = [event.clientX - press.clientX, event.clientY + window.scrollY - startY];
    isDrag ||= Math.hypot(x, y) >= thresholdPx;
    if (!isDrag) return;
    const byColumns = Math.round(x / cell.widthPx) * cell.direction;
    const byRows = Math.round(y / cell.heightPx);
    if (shown !== `${byColumns} ${byRows}`) listener.preview(byColumns, byRows);
    shown = `${byColumns} ${byRows}`;
    const beyond = event.clientY < scrollZonePx ? -1 : event.clientY > window.innerHeight - scrollZonePx ? 1 : 0;
    if (beyond !== 0) window.scrollBy(0, beyond * cell.heightPx);
  };
  const stop = (finish: () => void): void => {
    controller.abort();
    if (target.hasPointerCapture(press.pointerId)) target.releasePointerCapture(press.pointerId);
    finish();
  };
  target.addEventListener('pointermove', move, { signal });
  target.addEventListener('pointerup', () => stop(() => listener.end(isDrag)), { signal });
  target.addEventListener('pointercancel', () => stop(() => listener.cancel()), { signal });
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      stop(() => listener.cancel());
    },
    { signal, capture: true },
  );
}

const arrows: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the columns and rows of an arrow key; null for other keys. */
export const stepOf = (key: string, direction: 1 | -1): readonly [columns: number, rows: number] | null => {
  const step = Object.hasOwn(arrows, key) ? arrows[key] : undefined;
  return step === undefined ? null : [step[0] * direction, step[1]];
};

/** Returns the item that is nearest in a direction; null if there is none. */
export function nearestIn({ areas }: Layout, id: string, [columns, rows]: readonly [number, number]): string | null {
  const own = areas.find((area) => area.id === id);
  if (own === undefined) return null;
  const center = (area: (typeof areas)[number]): readonly [number, number] => [
    area.col + area.sizeX / 2,
    area.row + area.sizeY / 2,
  ];
  const [ownX, ownY] = center(own);
  const candidates = areas.flatMap((area) => {
    const [x, y] = center(area);
    const [along, across] = columns === 0 ? [(y - ownY) * rows, x - ownX] : [(x - ownX) * columns, y - ownY];
    return area.id === id || along <= 0 ? [] : [{ id: area.id, distance: along + 2 * Math.abs(across) }];
  });
  return candidates.toSorted((left, right) => left.distance - right.distance)[0]?.id ?? null;
}
