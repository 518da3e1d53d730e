import { html, nothing, render } from 'lit';
import { flatTable } from '../../charts/table/flat.ts';
import { columnWidths, type TextMeasure } from '../../charts/table/widths.ts';
import type { Mark } from '../../charts/frame/mark.ts';
import type { Chart } from '../../charts/frame/chart.ts';
import type { Frame } from '../../charts/frame/frame.ts';
import type { Link } from '../../charts/frame/link.ts';
import type { Table, TableSort } from '../../charts/frame/table.ts';
import { chartWordsFor, filledIn } from '../../locale/chart-words.ts';
import { keyOfMark } from '../../marks.ts';
import type { RenderContext } from '../render-context.ts';
import { headRows, nextSort, type HeadActions } from './head-view.ts';
import { footView, rowsView } from './rows-view.ts';
import { seenRows, shiftBetween, windowAt, type Sight, type Window } from './window.ts';

interface SheetState {
  readonly chart: Chart;
  readonly frame: Frame;
  readonly renderContext: RenderContext;
  readonly chosen: Mark | null;
  /** Caption for screen readers; empty if the card already names the table. */
  readonly caption: string;
}

/** The elements of a table: the scroll box, the sheet in it and the note below it. */
interface SheetPlace {
  readonly body: HTMLElement;
  readonly sheet: HTMLElement;
  readonly note: HTMLElement;
}

const [leastPx, maxPx] = [40, 1000];
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const notePx = 24;

/** The table of a card: virtualized rows, sorting and resizable columns. */
export class TableSheet {
  readonly #choose: (mark: Mark) => void;
  readonly #follow: (link: Link, event: Event) => void;
  readonly #observer = new ResizeObserver(() => this.#resized());
  #place: SheetPlace | null = null;
  #state: SheetState | null = null;
  #given: Table | null = null;
  #table: Table | null = null;
  #sort: TableSort | null = null;
  #widths: readonly number[] = [];
  #isSized = false;
  #part: Window = { first: 0, last: 0 };
  #shift = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;
  /** Sizes that scrolling does not change. */
  #seen = { widthPx: 0, heightPx: 0, headPx: 0, footPx: 0 };

  constructor(choose: (mark: Mark) => void, follow: (link: Link, event: Event) => void) {
    this.#choose = choose;
    this.#follow = follow;
  }

  /** Renders a table. Does nothing if neither the table nor its state has changed. */
  show(place: SheetPlace, state: SheetState): void {
    if (this.#place?.sheet !== place.sheet) this.#begin(place);
    const previousState = this.#state;
    this.#state = state;
    if (
      previousState?.frame !== state.frame ||
      previousState.renderContext !== state.renderContext ||
      previousState.chart !== state.chart
    )
      this.#read(state);
    else if (previousState.chosen === state.chosen) return;
    this.#draw();
    this.#resized();
  }

  end(): void {
    this.#observer.disconnect();
    clearTimeout(this.#resting);
    this.#place?.body.removeEventListener('scroll', this.#scrolled);
    this.#place = null;
    this.#state = null;
  }

  #begin(place: SheetPlace): void {
    this.end();
    this.#place = place;
    this.#observer.observe(place.body);
    place.body.addEventListener('scroll', this.#scrolled, { passive: true });
    place.sheet.addEventListener('pointerover', showWhole);
  }

  #read({ chart, frame, renderContext }: SheetState): void {
    const context = { ...renderContext, widthPx: 0, heightPx: 0 };
    const table = chart.kind === 'table' ? chart.table(frame, context) : flatTable(frame, context);
    const names = ({ columns }: Table): string => columns.map(({ label }) => label).join('\u0001');
    if (this.#given === null || names(this.#given) !== names(table)) {
      this.#sort = null;
      this.#isSized = false;
    }
    const padPx = renderContext.theme.sizes.spacePx * 4 + 4;
    if (!this.#isSized)
      this.#widths = columnWidths(table, textMeasure(renderContext.theme.font), { padPx, headPx: padPx + 12 });
    this.#given = table;
    this.#table = this.#sort === null ? table : table.sorted(this.#sort);
  }

  readonly #actions: HeadActions = {
    sort: (column) => {
      this.#sort = nextSort(this.#sort, column);
      this.#table = this.#given?.sorted(this.#sort) ?? null;
      this.#draw();
      this.#tellSeen();
    },
    widen: (column, byPx) => this.#resize(column, (this.#shownWidths()[column] ?? 0) + byPx),
    drag: (column, event) => this.#drag(column, event),
  };

  /**
   * Returns the column widths as rendered. Spare room is shared among all columns. If there is none, the sticky first
   * column shrinks to leave room for the other columns.
   */
  #shownWidths(): readonly number[] {
    const { widthPx } = this.#seen;
    if (this.#isSized || widthPx === 0) return this.#widths;
    const sparePx = widthPx - sumOf(this.#widths.slice(1));
    const maxPx = sparePx >= 110 ? sparePx : Math.max(96, widthPx * 0.42);
    const preferredWidths = this.#widths.map((width, index) => (index === 0 ? Math.min(maxPx, width) : width));
    const share = Math.max(1, widthPx / Math.max(1, sumOf(preferredWidths)));
    return preferredWidths.map((width) => width * share);
  }

  #resize(column: number, px: number): void {
    this.#widths = this.#shownWidths().map((width, index) =>
      index === column ? Math.min(maxPx, Math.max(leastPx, px)) : width,
    );
    this.#isSized = true;
    this.#draw();
    this.#tellSeen();
  }

  #drag(column: number, event: PointerEvent): void {
    const { currentTarget, clientX, pointerId } = event;
    if (!(currentTarget instanceof HTMLElement)) return;
    event.preventDefault();
    const start = this.#shownWidths()[column] ?? 0;
    const turn = this.#state?.renderContext.rightToLeft === true ? -1 : 1;
    const onMove = (move: PointerEvent): void => this.#resize(column, start + turn * (move.clientX - clientX));
    const dragController = new AbortController();
    currentTarget.setPointerCapture(pointerId);
    currentTarget.addEventListener('pointermove', onMove, { signal: dragController.signal });
    for (const name of ['pointerup', 'pointercancel'])
      currentTarget.addEventListener(name, () => dragController.abort(), { signal: dragController.signal });
  }

  #sight(scrollPx: number, heightPx = this.#seen.heightPx): Sight {
    return { scrollPx, heightPx, rowPx: this.#state?.renderContext.theme.sizes.rowPx ?? 30 };
  }

  #draw(): void {
    const [place, state, table] = [this.#place, this.#state, this.#table];
    if (place === null || state === null || table === null) return;
    const { renderContext, chosen, caption } = state;
    this.#part = windowAt(this.#sight(place.body.scrollTop, this.#seen.heightPx || 600), table.size);
    const widths = this.#shownWidths();
    const head = {
      sort: this.#sort,
      widths,
      rightToLeft: renderContext.rightToLeft,
      widthWord: chartWordsFor(renderContext.formats.locale).width,
    };
    const rows = table.size + table.head.length + (table.foot === null ? 0 : 1);
    render(
      html`<div class="edges" .style=${`--foot:calc(var(--inlay-row) * ${table.foot === null ? 0 : 1})`}></div>
        <table
          class=${renderContext.rightToLeft ? 'turned' : ''}
          aria-rowcount=${rows}
          .style=${`width:${sumOf(widths)}px;--head:calc(var(--inlay-row) * ${table.head.length})`}
        >
          ${
            caption === ''
              ? nothing
              : html`<caption class="hidden">
                  ${caption}
                </caption>`
          }
          <colgroup>
            ${widths.map((px) => html`<col .style=${`width:${px}px`} />`)}
          </colgroup>
          ${headRows(table, head, this.#actions)}
          <tbody></tbody>
          ${footView(table)}
        </table>`,
      place.sheet,
    );
    this.#drawRows(keyOfMark(chosen));
  }

  /** Renders the rows alone, as scrolling requires. */
  #drawRows(chosenKey: string): void {
    const rows = this.#place?.sheet.querySelector('tbody') ?? null;
    if (rows === null || this.#table === null) return;
    render(
      rowsView(this.#table, this.#part, this.#shift, { choose: this.#choose, follow: this.#follow, chosen: chosenKey }),
      rows,
    );
  }

  readonly #scrolled = (): void => {
    const [place, table] = [this.#place, this.#table];
    if (place === null || table === null) return;
    this.#tellSeen();
    const sight = this.#sight(place.body.scrollTop);
    const nextWindow = windowAt(sight, table.size);
    if (shiftBetween(this.#part, nextWindow) === 0) this.#move(nextWindow);
    else {
      // After a jump to entirely new rows, rows outside the visible area are rendered only when scrolling pauses.
      this.#move(windowAt(sight, table.size, 0));
      clearTimeout(this.#resting);
      this.#resting = setTimeout(this.#scrolled, 80);
    }
  };

  #move(nextWindow: Window): void {
    if (nextWindow.first === this.#part.first && nextWindow.last === this.#part.last) return;
    this.#shift += shiftBetween(this.#part, nextWindow);
    this.#part = nextWindow;
    this.#drawRows(keyOfMark(this.#state?.chosen ?? null));
  }

  #resized(): void {
    const [place, table] = [this.#place, this.#table];
    if (place === null || table === null) return;
    const { clientWidth: widthPx, clientHeight: heightPx } = place.body;
    const heightOf = (name: string): number => place.sheet.querySelector<HTMLElement>(name)?.offsetHeight ?? 0;
    const previousSight = this.#seen;
    this.#seen = { widthPx, heightPx, headPx: heightOf('thead'), footPx: heightOf('tfoot') };
    const nextWindow = windowAt(this.#sight(place.body.scrollTop), table.size);
    if (widthPx !== previousSight.widthPx || nextWindow.last !== this.#part.last) this.#draw();
    this.#tellSeen();
  }

  /** Updates the note that says which rows are visible, and the shadows at edges with more content. */
  #tellSeen(): void {
    const [place, table, state] = [this.#place, this.#table, this.#state];
    if (place === null || table === null || state === null) return;
    const { body, note } = place;
    const { widthPx, heightPx, headPx, footPx } = this.#seen;
    const [x, y] = [Math.abs(body.scrollLeft), body.scrollTop];
    const tablePx = sumOf(this.#shownWidths());
    const roomPx = heightPx - headPx - footPx;
    const sight = this.#sight(y, roomPx);
    const allPx = table.size * sight.rowPx;
    body.classList.toggle('moved', x > 1);
    body.classList.toggle('beside', tablePx - widthPx - x > 2);
    body.classList.toggle('below', allPx - roomPx - y > 2);
    const { formats } = state.renderContext;
    const words = chartWordsFor(formats.locale);
    const [from, to] = seenRows(sight, table.size);
    const isWhole = allPx <= roomPx + (note.hidden ? 0 : notePx);
    const cutNote = state.frame.truncated
      ? filledIn(words.firstRows, { n: formats.number(state.frame.rows.length) })
      : '';
    const inSight = isWhole
      ? ''
      : filledIn(words.rowsInSight, {
          from: formats.number(from),
          to: formats.number(to),
          n: formats.number(table.size),
        });
    const text = [inSight, cutNote].filter((note) => note !== '').join(' · ');
    if (note.textContent !== text) note.textContent = text;
    note.hidden = text === '';
  }
}

/** Measures text as rendered in this page. */
function textMeasure({ family, sizePx, weight, style }: RenderContext['theme']['font']): TextMeasure {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return (text) => text.length * sizePx * 0.6;
  const fonts = [weight, '600'].map((fontWeight) => `${style} ${fontWeight} ${sizePx}px ${family}`);
  return (text, isBold) => {
    context.font = fonts[isBold ? 1 : 0] ?? '';
    return context.measureText(text).width;
  };
}

/** Sets the full text of a truncated cell as its title, which is shown on hover. */
function showWhole({ target }: Event): void {
  const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('td, th') : null;
  if (cell === null) return;
  const content = cell.querySelector('button') ?? cell;
  const isCut = cell.scrollWidth > cell.clientWidth || content.scrollWidth > content.clientWidth;
  if (isCut) cell.title = (cell.textContent ?? '').trim();
  else cell.removeAttribute('title');
}
