import { isObject, member, sameJson, type Item, type Json, type JsonObject, emptySelection } from '@inlay/contract';
import { initialFilterOf, valueFilter, type InitialFilter } from '@inlay/contract/initial-filter';
import { createFrame, type Field, type Mark } from '../../charts/index.ts';
import type { Answer } from '../../card/card-events.ts';
import type { RenderContext } from '../../card/render-context.ts';
import type { BoardController } from '../board-controller.ts';

/** How to select values in an item: by a mark of a chart or table, or by the starting value of a filter or control. */
export interface SelectionTarget {
  /** Selects a mark; null clears the selection. Returns true if a mark is selected afterwards. */
  readonly choose: (mark: Mark | null) => boolean;
  readonly start: (start: InitialFilter) => void;
}

/** One value of a selection, in the format of the event `clicked`. */
interface SelectedValue {
  readonly label: Json;
  readonly columnId: Json;
  readonly value: Json;
}

const valueIn = (json: Json): SelectedValue =>
  isObject(json)
    ? {
        label: member(json, 'label') ?? null,
        columnId: member(json, 'columnId') ?? member(json, 'column_id') ?? null,
        value: member(json, 'value') ?? null,
      }
    : { label: null, columnId: null, value: json };

function fieldFor(fields: readonly Field[], { label, columnId }: SelectedValue, index: number): Field | undefined {
  if (columnId !== null) return fields.find(({ placed }) => placed.content?.columnId === columnId);
  return label === null ? fields[index] : fields.find((field) => field.label === label);
}

/** Returns the mark of the first row that matches all values; null if no row matches. */
function markWith(
  item: Item,
  answer: Extract<Answer, { kind: 'rows' }>,
  renderContext: RenderContext,
  values: readonly SelectedValue[],
) {
  const frame = createFrame(item, answer.query, answer.rows, renderContext);
  const targets = values.map((selectedValue, index) => ({
    field: fieldFor(frame.dimensions, selectedValue, index),
    value: selectedValue.value,
  }));
  const fields = targets.flatMap(({ field }) => field ?? []);
  if (values.length === 0 || fields.length < values.length) return null;
  const row = frame.rows.find((cells) =>
    targets.every(({ field, value }) => field !== undefined && sameJson(field.literal(cells[field.index]), value)),
  );
  return row === undefined ? null : { cells: fields.map((field) => ({ field, cell: row[field.index] ?? null })) };
}

/**
 * Selects values in an item at its current drill level. Returns true if anything is selected afterwards. A parameter
 * control ignores values that it does not offer.
 */
export async function select(
  item: Item,
  answer: Answer | undefined,
  renderContext: RenderContext,
  data: readonly Json[],
  contents: JsonObject | null,
  target: SelectionTarget,
): Promise<boolean> {
  const values = data.map(valueIn);
  const selectedValues = values.map(({ value }) => value);
  if (item.type === 'parameter-control') {
    const { chart } = await import('../../charts/parameter-control.ts');
    const setting = chart.parameter(item, contents, { ...renderContext, widthPx: 0, heightPx: 0 });
    const start = setting?.startWith(selectedValues) ?? null;
    if (start === null) return false;
    target.start(start);
    return selectedValues.length > 0;
  }
  const filter = valueFilter(item, selectedValues);
  if (filter === null)
    return target.choose(answer?.kind === 'rows' ? markWith(item, answer, renderContext, values) : null);
  const start = data.length === 0 ? null : initialFilterOf(item, [filter], renderContext.formats.timeZone);
  target.start(start ?? { chosen: { ...emptySelection }, conditions: [] });
  return start !== null && start.conditions.length > 0;
}

/**
 * Selects values in an item of a board, by default in the first one. Returns true if anything is selected afterwards.
 */
export async function selectIn(board: BoardController, data: readonly Json[], itemId?: string): Promise<boolean> {
  const item = board.item(itemId);
  if (item === undefined) return false;
  return select(item, board.answer(item.id), board.renderContext, data, board.model.contents, {
    choose: (mark) => board.choose(item.id, mark),
    start: ({ chosen, conditions, parameters }) => {
      board.states.begin(item.id, chosen);
      board.applyFilters(item.id, conditions, parameters);
    },
  });
}
