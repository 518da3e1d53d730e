import { html, nothing, type TemplateResult } from 'lit';
import type { Mark, Table, TableCell } from '../../charts/drawing/chart.ts';
import { isSelectable, keyOfMark } from '../../marks.ts';

/** Rows of a table that are in the page at once; the others are room above and below. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

export const rowPx = 30;

/** The rows in sight, with some before and after, so that scrolling finds them there. */
export const windowAt = (scrollPx: number, heightPx: number, rows: number): Window => {
  const first = Math.max(0, Math.floor(scrollPx / rowPx) - 10);
  return { first, last: Math.min(rows, first + Math.ceil(heightPx / rowPx) + 30) };
};

/** Before anything was scrolled. */
export const inSight = windowAt(0, 600, Number.MAX_SAFE_INTEGER);

const spansRows = (table: Table): boolean => table.body.some((row) => row.some(({ rows }) => (rows ?? 1) > 1));

function cellView(cell: TableCell, choose: ((mark: Mark) => void) | null, chosen: string): TemplateResult {
  const { mark, text } = cell;
  const canChoose = choose !== null && mark !== undefined && mark.cells.length > 0 && isSelectable(mark) && text !== '';
  const inside = canChoose
    ? html`<button type="button" aria-pressed=${String(keyOfMark(mark) === chosen)} @click=${() => choose(mark)}>
        ${text}
      </button>`
    : text;
  return cell.header === 'row'
    ? html`<th scope="row" rowspan=${cell.rows ?? 1}>${inside}</th>`
    : html`<td class=${cell.numeric ? 'number' : nothing}>${inside}</td>`;
}

/** A table in the page; `choose` is told when a viewer picks a member. */
export function tableView(
  table: Table,
  caption: string,
  part: Window | null,
  choose: ((mark: Mark) => void) | null,
  chosen: string,
): TemplateResult {
  // Cells that span rows cannot be cut in the middle.
  const { first, last } = part === null || spansRows(table) ? { first: 0, last: table.body.length } : part;
  const columns = Math.max(1, table.head.at(-1)?.length ?? 1);
  const room = (rows: number): TemplateResult | typeof nothing =>
    rows === 0
      ? nothing
      : html`<tr aria-hidden="true">
          <td class="room" colspan=${columns} .style=${`height:${rows * rowPx}px`}></td>
        </tr>`;
  return html`<table aria-rowcount=${table.body.length + table.head.length}>
    ${
      caption === ''
        ? nothing
        : html`<caption class="hidden">
            ${caption}
          </caption>`
    }
    <thead>
      ${table.head.map(
        (row) =>
          html`<tr>
            ${row.map(({ text, columns: wide, numeric }) => html`<th scope=${wide > 1 ? 'colgroup' : 'col'} colspan=${wide} class=${numeric ? 'number' : nothing}>${text}</th>`)}
          </tr>`,
      )}
    </thead>
    <tbody>
      ${room(first)}
      ${table.body.slice(first, last).map(
        (row, index) =>
          html`<tr aria-rowindex=${first + index + table.head.length + 1}>
            ${row.map((cell) => cellView(cell, choose, chosen))}
          </tr>`,
      )}
      ${room(table.body.length - last)}
    </tbody>
  </table>`;
}
