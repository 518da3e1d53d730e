import { html, type TemplateResult } from 'lit';
import type { Table, TableHead, TableSort } from '../../charts/frame/table.ts';

export interface HeadActions {
  sort(column: number): void;
  /** Starts resizing a column with a pointer. */
  drag(column: number, event: PointerEvent): void;
  widen(column: number, byPx: number): void;
}

interface HeadState {
  readonly sort: TableSort | null;
  readonly widths: readonly number[];
  /** Accessible name of a column's resize handle. */
  readonly widthWord: string;
  readonly rightToLeft: boolean;
}

/** Returns the sort order of a column after the next click: ascending, then descending, then unsorted (null). */
export function nextSort(sort: TableSort | null, column: number): TableSort | null {
  if (sort?.column !== column) return { column, isDescending: false };
  return sort.isDescending ? null : { column, isDescending: true };
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 10, ArrowLeft: -10 };

function edgeView(column: number, text: string, state: HeadState, actions: HeadActions): TemplateResult {
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    actions.widen(column, state.rightToLeft ? -step : step);
  };
  return html`<span
    class="edge"
    role="separator"
    tabindex="0"
    aria-orientation="vertical"
    aria-label=${`${state.widthWord}: ${text}`}
    aria-valuenow=${Math.round(state.widths[column] ?? 0)}
    aria-valuemin="40"
    aria-valuemax="1000"
    @keydown=${onKeyDown}
    @pointerdown=${(event: PointerEvent) => actions.drag(column, event)}
  ></span>`;
}

function headCell(head: TableHead, state: HeadState, actions: HeadActions): TemplateResult {
  const { text, columns, numeric, column } = head;
  const name = `${numeric ? 'number' : ''}${column === 0 ? ' first' : ''}`;
  if (column === null)
    return text === ''
      ? html`<td colspan=${columns} class="first"></td>`
      : html`<th scope="colgroup" colspan=${columns} class="group">${text}</th>`;
  const isSorted = state.sort?.column === column;
  const order = isSorted ? (state.sort?.isDescending === true ? 'descending' : 'ascending') : 'none';
  return html`<th scope="col" colspan=${columns} class=${name} aria-sort=${order}>
    <button type="button" @click=${() => actions.sort(column)}>${text}</button>${edgeView(column, text, state, actions)}
  </th>`;
}

export const headRows = (table: Table, state: HeadState, actions: HeadActions): TemplateResult =>
  html`<thead>
    ${table.head.map(
      (row, index) =>
        html`<tr aria-rowindex=${index + 1}>
          ${row.map((head) => headCell(head, state, actions))}
        </tr>`,
    )}
  </thead>`;
