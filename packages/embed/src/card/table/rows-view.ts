import { html, nothing, svg, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Mark } from '../../charts/frame/mark.ts';
import { sparklinePx } from '../../charts/table/widths.ts';
import type { Link } from '../../charts/frame/link.ts';
import type { Table, TableCell, TableRow } from '../../charts/frame/table.ts';
import { isSelectable, keyOfMark } from '../../marks.ts';
import type { Window } from './window.ts';

interface CellChoice {
  readonly choose: (mark: Mark) => void;
  readonly follow: (link: Link, event: Event) => void;
  /** Key of the selected mark. */
  readonly chosen: string;
}

const styleOf = ({ colors, bar }: TableCell): string | null => {
  if (colors !== undefined) return `background:${colors.fill};color:${colors.ink}`;
  return bar === undefined ? null : `--bar:${Math.abs(bar) * 100}%`;
};

function linkView(link: Link, text: string, follow: CellChoice['follow']): TemplateResult {
  const onFollow = (event: Event): void => follow(link, event);
  if (link.href === null)
    return html`<button type="button" class="link" dir="auto" @click=${onFollow}>${text}</button>`;
  const target = link.isInPlace ? '_self' : '_blank';
  return html`<a href=${link.href} target=${target} rel="noopener noreferrer" dir="auto" @click=${onFollow}
    >${text}</a
  >`;
}

function insideOf({ mark, text, link }: TableCell, { choose, follow, chosen }: CellChoice): TemplateResult | string {
  if (link !== undefined && text !== '') return linkView(link, text, follow);
  if (mark === undefined || mark.cells.length === 0 || text === '' || !isSelectable(mark)) return text;
  return html`<button
    type="button"
    aria-pressed=${String(keyOfMark(mark) === chosen)}
    dir="auto"
    @click=${() => choose(mark)}
  >
    ${text}
  </button>`;
}

function classOf(cell: TableCell, isNumeric: boolean, isFirst: boolean): string {
  const bar = cell.bar === undefined || cell.colors !== undefined ? '' : cell.bar < 0 ? ' bars below' : ' bars';
  return `${isNumeric ? 'number' : ''}${bar}${isFirst ? ' first' : ''}`;
}

interface RowPlace {
  readonly index: number;
  readonly part: Window;
}

const lineHeightPx = 20;

/**
 * Renders a sparkline with gaps at nulls. It is hidden from screen readers, because the cell and the rows of the item
 * have its values.
 */
function lineView(values: readonly (number | null)[]): TemplateResult {
  const numbers = values.filter((value) => value !== null);
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  const reach = max - min || 1;
  const x = (index: number): string => ((index / Math.max(1, values.length - 1)) * (sparklinePx - 4) + 2).toFixed(1);
  const y = (value: number): string => (lineHeightPx - 3 - ((value - min) / reach) * (lineHeightPx - 6)).toFixed(1);
  const path = values
    .map((value, index) => {
      if (value === null) return '';
      const previousValue = index === 0 ? null : (values[index - 1] ?? null);
      return `${previousValue === null ? 'M' : 'L'}${x(index)} ${y(value)}${previousValue === null ? 'h.01' : ''}`;
    })
    .join('');
  return html`<svg
    class="line"
    width=${sparklinePx}
    height=${lineHeightPx}
    viewBox=${`0 0 ${sparklinePx} ${lineHeightPx}`}
    aria-hidden="true"
  >
    ${svg`<path d=${path}></path>`}
  </svg>`;
}

/** Renders one cell. A cell that spans several rows is rendered in the first of these rows that is in the window. */
function cellView(
  cell: TableCell,
  column: Table['columns'][number] | undefined,
  at: RowPlace & { readonly column: number },
  choice: CellChoice,
): TemplateResult | typeof nothing {
  const contents = insideOf(cell, choice);
  if (column?.isHead !== true) {
    const style = styleOf(cell);
    const line = cell.line === undefined ? nothing : lineView(cell.line);
    const name = classOf(cell, column?.numeric === true, at.column === 0);
    return style === null
      ? html`<td class=${name}>${line}${contents}</td>`
      : html`<td class=${name} .style=${style}>${line}${contents}</td>`;
  }
  const { span, columns = 1 } = cell;
  const firstClass = at.column === 0 ? 'first' : nothing;
  if (span === undefined) return html`<th scope="row" class=${firstClass} colspan=${columns}>${contents}</th>`;
  if (at.index !== Math.max(span.first, at.part.first)) return nothing;
  const rows = Math.min(span.first + span.rows, at.part.last) - at.index;
  return html`<th scope=${rows > 1 ? 'rowgroup' : 'row'} rowspan=${rows} class=${firstClass}>
    <div class="stay">${contents}</div>
  </th>`;
}

function cellsView(
  table: Table,
  row: TableRow,
  at: { readonly index: number; readonly part: Window },
  choice: CellChoice,
) {
  let column = 0;
  return row.cells.map((cell) => {
    const place = column;
    column += cell.columns ?? 1;
    return cellView(cell, table.columns[place], { ...at, column: place }, choice);
  });
}

const room = (rows: number, columns: number): TemplateResult | typeof nothing =>
  rows === 0
    ? nothing
    : html`<tr class="room" aria-hidden="true">
        <td colspan=${columns} .style=${`height:calc(var(--inlay-row) * ${rows})`}></td>
      </tr>`;

/**
 * Renders the rows in the window. The key of a row is its index minus `shift`. A row reuses the elements of a previous
 * row with the same key.
 */
export function rowsView(table: Table, part: Window, shift: number, choice: CellChoice): TemplateResult {
  const count = part.last - part.first;
  const places = Array.from({ length: count }, (_, index) => part.first + index);
  const heads = table.head.length;
  return html`${room(part.first, table.columns.length)}${repeat(
    places,
    (index) => index - shift,
    (index) => {
      const row = table.row(index);
      return html`<tr class=${row.kind} aria-rowindex=${index + heads + 1}>
        ${cellsView(table, row, { index, part }, choice)}
      </tr>`;
    },
  )}${room(table.size - part.last, table.columns.length)}`;
}

/** Renders the sticky row of totals. */
export const footView = (table: Table): TemplateResult | typeof nothing =>
  table.foot === null
    ? nothing
    : html`<tfoot>
        <tr aria-rowindex=${table.head.length + table.size + 1}>
          ${cellsView(
            table,
            table.foot,
            { index: 0, part: { first: 0, last: 1 } },
            { choose: () => undefined, follow: () => undefined, chosen: '' },
          )}
        </tr>
      </tfoot>`;
