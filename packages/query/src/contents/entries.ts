import {
  aggregationFuncs,
  filledText,
  fitsSlot,
  isItemType,
  itemQuery,
  listOr,
  objectOr,
  readItem,
  slotsOf,
  type ItemType,
  type Json,
  type JsonObject,
  type SlotRule,
} from '@inlay/contract';
import { columnsOfFormula } from '../check-formula.ts';
import type { ModelColumn } from '../model.ts';
import { faultOfQuery, type QueryFault } from './query-fault.ts';
import type { KnownRecords, ReferenceWarning } from './known-records.ts';
import { idOfName, unknownColumn } from './unknown-reference.ts';

/** An entry of a slot and its path. */
export interface PlacedEntry {
  readonly path: string;
  readonly type: ItemType;
  readonly rule: SlotRule;
  readonly entry: JsonObject;
}

/** Returns the entries of all items of a view, from the slots that the item types define. */
export function entriesIn(items: Json | undefined, path: string): readonly PlacedEntry[] {
  return listOr(items).flatMap((item, index) => {
    const { type, slots } = objectOr(item);
    if (typeof type !== 'string' || !isItemType(type)) return [];
    return listOr(slots).flatMap((slot, place) => {
      const { name, content } = objectOr(slot);
      const rule = slotsOf(type).find((candidate) => candidate.name === name);
      if (rule === undefined) return [];
      const at = `${path}[${index}].slots[${place}].content`;
      return listOr(content).map((entry, number) => ({ path: `${at}[${number}]`, type, rule, entry: objectOr(entry) }));
    });
  });
}

/** Returns the ids of the columns in the formula of an entry. */
export const formulaColumns = ({ entry }: PlacedEntry): readonly string[] =>
  columnsOfFormula(filledText(entry['formula']) ?? '');

const members: readonly (readonly [RegExp, string])[] = [
  [/\.column_id$/u, '.columnId'],
  [/\.level$/u, '.level'],
  [/\.formula$/u, '.formula'],
  [/\.formula_id$/u, '.formulaId'],
  [/\.aggregation\b/u, '.aggregationFunc'],
  [/\.discretization\b/u, '.bins'],
];

/** Returns the member of an entry that caused a fault; `at` is the path of the fault in the query of the entry. */
const memberAt = (at: string, entry: JsonObject): string => {
  const member = members.find(([pattern]) => pattern.test(at))?.[1] ?? '';
  return member === '' && filledText(entry['formula']) !== null ? '.formula' : member;
};

const failing = 'the item shows an error';
const takes = {
  category:
    'is a number, and every number would stand alone: cut it into `bins` ({"enabled": true, "number": 10}), or put it into a slot of measures',
  datetime: 'is no time, and this slot takes times alone',
  range: 'is neither a number nor a time, and this slot takes those alone',
} as const;
type NarrowSlot = keyof typeof takes;
const isNarrow = (kind: SlotRule['takes']): kind is NarrowSlot => Object.hasOwn(takes, kind);

/** If a formula writes names of columns where it needs ids, returns the fix as a sentence; otherwise null. */
function namesInFormula(placedEntry: PlacedEntry, { model, datasetOfColumn }: KnownRecords): string | null {
  const dataset = model.datasets.get(filledText(placedEntry.entry['datasetId']) ?? '');
  const unknownNames = formulaColumns(placedEntry).filter((id) => !datasetOfColumn.has(id.toLowerCase()));
  const idSuggestions = unknownNames.flatMap((name) => {
    const id = dataset === undefined ? null : idOfName(dataset, name);
    return id === null ? [] : [`{${id}} for {${name.slice(0, 100)}}`];
  });
  return idSuggestions.length === 0
    ? null
    : `names columns by their names instead of their ids: write ${idSuggestions.join(' and ')}`;
}

/** Warns if the entry sets a level that the column does not have. */
function levelFault({ entry, path }: PlacedEntry, column: ModelColumn): readonly ReferenceWarning[] {
  const level = entry['level'];
  if (typeof level !== 'number') return [];
  const at = { path: `${path}.level`, code: 'level_invalid' };
  if (!Number.isInteger(level) || level < 1)
    return [{ ...at, message: 'has no effect: levels are whole numbers from 1' }];
  if (column.type === 'datetime') return [];
  if (column.type !== 'hierarchy')
    return [
      {
        ...at,
        message: `has no effect: columns of type ${column.type} have no levels; times and hierarchies have them`,
      },
    ];
  return column.separator === null && level > 1
    ? [
        {
          ...at,
          message:
            'has no effect: the column has one level; declare its levels as hierarchylevel records of the column',
        },
      ]
    : [];
}

/** Warns if the slot does not accept the type of the column. A query with the column would still succeed. */
function misfit({ rule, entry, path }: PlacedEntry, column: ModelColumn): readonly ReferenceWarning[] {
  if (!isNarrow(rule.takes)) return [];
  if (fitsSlot(rule, column.type, entry)) return [];
  return [{ path, code: 'slot_unfit', message: takes[rule.takes] }];
}

/**
 * Returns the query of an item whose only entry is this one; null if such an item needs no query. Leaves out an unknown
 * aggregation, because another warning reports it.
 */
const queryOf = ({
  type,
  rule,
  entry: { aggregationFunc = null, ...otherMembers },
}: PlacedEntry): JsonObject | null => {
  const isKnown = aggregationFuncs.some((candidate) => candidate === aggregationFunc);
  const entry = isKnown ? { ...otherMembers, aggregationFunc } : otherMembers;
  const item = readItem({ type, slots: [{ name: rule.name, content: [entry] }] });
  return item === null ? null : (itemQuery(item)?.query ?? null);
};

function inWords(placedEntry: PlacedEntry, fault: QueryFault, records: KnownRecords): ReferenceWarning | null {
  const { entry, path } = placedEntry;
  const at = `${path}${memberAt(fault.at, entry)}`;
  const columnId = filledText(entry['columnId']);
  if (fault.code === 'column_unknown' && columnId !== null) {
    const dataset = records.model.datasets.get(filledText(entry['datasetId']) ?? '');
    // Unknown datasets and columns have their own warning.
    if (dataset === undefined || !records.datasetOfColumn.has(columnId.toLowerCase())) return null;
    return {
      path: at,
      code: 'reference_unknown',
      message: unknownColumn(columnId, dataset, records.datasetOfColumn, failing),
    };
  }
  if (fault.code === 'dataset_unknown' || fault.code === 'formula_unknown') return null;
  const names = fault.code === 'formula_invalid' ? namesInFormula(placedEntry, records) : null;
  return { path: at, code: fault.code ?? 'value_invalid', message: `${names ?? fault.message}; ${failing}` };
}

/** Warns if the query of an entry would be refused. The message is the one that the query would return. */
export function entryWarnings(
  placedEntry: PlacedEntry,
  records: KnownRecords,
  nowMs: number,
): readonly ReferenceWarning[] {
  const { entry, rule, path } = placedEntry;
  const datasetId = filledText(entry['datasetId']);
  const columnId = filledText(entry['columnId']);
  const isFormula = columnId === null && (filledText(entry['formula']) ?? filledText(entry['formulaId'])) !== null;
  if (isFormula && (rule.takes === 'category' || rule.takes === 'datetime'))
    return [{ path, code: 'slot_unfit', message: `is a formula, and "${rule.name}" takes columns; ${failing}` }];
  if (isFormula && datasetId === null)
    return [
      {
        path: `${path}.datasetId`,
        code: 'missing',
        message: `is required: nothing says of which dataset the formula is; ${failing}`,
      },
    ];
  const dataset = records.model.datasets.get(datasetId ?? '');
  if (dataset === undefined) return [];
  const column = dataset.columns.get(columnId ?? '');
  const misfits = column === undefined ? [] : misfit(placedEntry, column);
  if (misfits.length > 0 && rule.takes !== 'category') return misfits;
  const query = queryOf(placedEntry);
  const fault = query === null ? null : faultOfQuery(query, records.model, nowMs);
  if (fault !== null) return [inWords(placedEntry, fault, records)].filter((value) => value !== null);
  return column === undefined ? [] : [...levelFault(placedEntry, column), ...misfits];
}
