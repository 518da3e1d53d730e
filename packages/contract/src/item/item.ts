import {
  columnTypes,
  numberNotations,
  timeParts,
  type ColumnType,
  type NumberNotation,
  type TimePart,
} from '../item-types/declare/vocabulary.ts';
import { filledText, isObject, listIn, member, objectOr, type Json, type JsonObject } from '../json.ts';

/** An entry of a slot: a column or a formula. */
export interface SlotContent {
  /** Null if the service derives the dataset from the columns of the formula. */
  readonly datasetId: string | null;
  /** Null if the entry is a formula. */
  readonly columnId: string | null;
  readonly formulaId: string | null;
  readonly formula: string | null;
  readonly label: Json;
  readonly type: ColumnType;
  readonly subtype: string | null;
  readonly format: string | null;
  /** ISO 4217 code; `viewer` means the currency of the viewer. Null if numbers have no currency. */
  readonly currency: string | null;
  /** Unit that follows numbers, such as `kg`; null if there is none. */
  readonly unit: string | null;
  readonly notation: NumberNotation | null;
  readonly level: number | null;
  /** Finest level to which viewers may drill; null for the default. */
  readonly lowestLevel: number | null;
  /** Part of a time to group by instead of the level; null to group by the level. */
  readonly part: TimePart | null;
  readonly aggregation: string | null;
  readonly weight: { readonly datasetId: string | null; readonly columnId: string } | null;
  readonly bins: number | null;
  /** The link of the cells as it is stored; null if there is none. */
  readonly link: Json;
}

/** An item of a dashboard. A stored member of the wrong type is treated as missing. */
export interface Item {
  readonly id: string;
  readonly type: string;
  readonly position: { readonly col: number; readonly row: number; readonly sizeX: number; readonly sizeY: number };
  readonly title: Json;
  readonly options: JsonObject;
  /** Filters of the item alone, as they are stored. */
  readonly filters: readonly Json[];
  readonly slots: readonly { readonly name: string; readonly content: readonly SlotContent[] }[];
  /**
   * Of an item that is edited: the id of the stored item that has the same rows; null if there is none. By default its own
   * id.
   */
  readonly storedId?: string | null;
}

const wholeNumber = (value: Json | undefined, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.round(value)) : fallback;
const levelIn = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;

/** Reads an entry. Returns an empty list if it names neither a column nor a formula. */
export function readEntry(value: Json): readonly SlotContent[] {
  if (!isObject(value)) return [];
  const datasetId = filledText(member(value, 'datasetId') ?? member(value, 'set'));
  const columnId = filledText(member(value, 'columnId') ?? member(value, 'column'));
  const formulaId = filledText(member(value, 'formulaId'));
  const formula = filledText(member(value, 'formula'));
  if (formulaId === null && formula === null && (columnId === null || datasetId === null)) return [];
  const type = columnTypes.find((kind) => kind === member(value, 'type'));
  const mode = member(value, 'datetimeDisplayMode');
  const weight = member(value, 'aggregationWeight');
  const bins = member(value, 'bins');
  const weightId = isObject(weight) ? filledText(member(weight, 'columnId')) : null;
  return [
    {
      datasetId,
      columnId,
      formulaId,
      formula,
      label: member(value, 'label') ?? null,
      type: type ?? (columnId === null ? 'numeric' : 'hierarchy'),
      subtype: filledText(member(value, 'subtype')),
      format: filledText(member(value, 'format')),
      currency: filledText(member(value, 'currency')),
      unit: filledText(member(value, 'unit')),
      notation: numberNotations.find((notation) => notation === member(value, 'notation')) ?? null,
      level: levelIn(member(value, 'level')),
      lowestLevel: levelIn(member(value, 'lowestLevel')),
      part: (type ?? 'datetime') === 'datetime' ? (timeParts.find((part) => part === mode) ?? null) : null,
      aggregation: filledText(member(value, 'aggregationFunc')),
      weight:
        isObject(weight) && weightId !== null
          ? { columnId: weightId, datasetId: filledText(member(weight, 'datasetId')) ?? datasetId }
          : null,
      link: member(value, 'link') ?? null,
      bins: isObject(bins) && member(bins, 'enabled') === true ? wholeNumber(member(bins, 'number'), 10) : null,
    },
  ];
}

/** True if an entry sets an aggregation. */
export const isAggregatedEntry = ({ aggregation, bins }: SlotContent): boolean =>
  bins === null && (aggregation ?? 'none') !== 'none';

/**
 * By column type: the finest level for drilling. Times end at minutes, hierarchies at their maximum number of levels.
 */
const finestLevels: Readonly<Record<string, number>> = { datetime: 7, hierarchy: 20 };

/** Returns the finest level to which viewers may drill; null if the column has no levels. */
export function finestLevel({ type, level, lowestLevel, part }: SlotContent): number | null {
  const deepest = finestLevels[type];
  return level === null || part !== null || deepest === undefined
    ? null
    : Math.max(level, Math.min(deepest, lowestLevel ?? deepest));
}

/** Reads an item of `views[].items`; null if the item has no type. */
export function readItem(value: Json): Item | null {
  if (!isObject(value)) return null;
  const type = filledText(member(value, 'type'));
  if (type === null) return null;
  const place = member(value, 'position');
  const at = (name: string, fallback: number): number =>
    isObject(place) ? wholeNumber(member(place, name), fallback) : fallback;
  const options = member(value, 'options');
  return {
    id: filledText(member(value, 'id')) ?? '',
    type,
    position: { col: at('col', 0), row: at('row', 0), sizeX: at('sizeX', 24), sizeY: at('sizeY', 16) },
    title: member(value, 'title') ?? (isObject(options) ? (member(options, 'title') ?? null) : null),
    options: objectOr(options),
    filters: listIn(value, 'filters'),
    slots: listIn(value, 'slots').flatMap((slot) =>
      isObject(slot)
        ? [
            {
              name: filledText(member(slot, 'name')) ?? '',
              content: listIn(slot, 'content').flatMap(readEntry),
            },
          ]
        : [],
    ),
  };
}
