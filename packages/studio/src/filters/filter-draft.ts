import {
  expressionOf,
  filterTerms,
  flatFilterMembers,
  isList,
  isObject,
  objectIn,
  objectOr,
  operatorOf,
  operatorRule,
  textOr,
  type FilterOperator,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { FilterNode } from '../edit/changes/filters.ts';
import { levelOfUnit, relativeUnits } from './relative-days.ts';
import type { FilterWords } from './filter-words.ts';
import type { ValueText } from './value-text.ts';

/** A filter while a person fills it in. */
export interface FilterDraft {
  /** The filter that is changed; null for a new one. */
  readonly node: FilterNode | null;
  /** The condition to which a new filter is an alternative; null for one of its own. */
  readonly beside: FilterNode | null;
  readonly datasetId: string;
  readonly columnId: string;
  readonly operator: FilterOperator;
  readonly level: number | null;
  readonly clause: 'where' | 'having';
  /** A parameter from which the value comes; null for a fixed value. */
  readonly parameter: JsonObject | null;
  /** Values that are chosen from a list. */
  readonly chosen: readonly Json[];
  /** Values that are typed: one, or two bounds. */
  readonly typed: readonly [string, string];
  /** Values as they are stored by the text that stands for them. */
  readonly stored: ReadonlyMap<string, Json>;
  readonly quantity: string;
  readonly unit: string;
}

export const newDraft = (beside: FilterNode | null = null): FilterDraft => ({
  node: null,
  beside,
  datasetId: '',
  columnId: '',
  operator: '=',
  level: null,
  clause: 'where',
  parameter: null,
  chosen: [],
  typed: ['', ''],
  stored: new Map(),
  quantity: '1',
  unit: 'month',
});

/** How the value of an operator is entered. */
export type ValueInput = 'one' | 'several' | 'list' | 'field' | 'bounds' | 'period' | 'nothing';

/** Returns how the value of an operator is entered for columns of a type. Members can be chosen; numbers and times are typed. */
export function valueInput(operator: FilterOperator, type: string): ValueInput {
  const hasMembers = type !== 'numeric' && type !== 'datetime';
  switch (operatorRule(operator).takes) {
    case 'value':
      return hasMembers && (operator === '=' || operator === '!=') ? 'one' : 'field';
    case 'list':
      return hasMembers ? 'several' : 'list';
    case 'range':
      return 'bounds';
    case 'text':
      return 'field';
    case 'period':
      return 'period';
    case 'nothing':
      return 'nothing';
  }
}

const plainValue = (value: Json): Json => (isObject(value) ? (value['id'] ?? null) : value);

/** Returns a stored filter for its form. `textOf` returns how values of a column are written. */
export function draftOf(node: FilterNode, textOf: (columnId: string) => ValueText): FilterDraft {
  const { datasetId, columnId, level, value } = filterTerms(node.value);
  const operator = operatorOf(textOr(node.value['expression'], '')) ?? '=';
  const text = textOf(textOr(columnId, ''));
  const period = objectOr(value);
  const isParameter = typeof period['parameter'] === 'string';
  const isPeriod = operatorRule(operator).takes === 'period';
  const values = (isParameter || isPeriod || value === undefined ? [] : isList(value) ? value : [value]).map(
    plainValue,
  );
  const texts = values.map((one) => (one === null ? '' : text.write(one)));
  const unit = period['unit'] ?? (operator === 'to_date' ? 'year' : 'day');
  return {
    ...newDraft(),
    node,
    datasetId: textOr(datasetId, ''),
    columnId: textOr(columnId, ''),
    operator,
    level: typeof level === 'number' ? level : null,
    clause: [node.value['clause'], objectIn(node.value, 'properties')['type']].includes('having') ? 'having' : 'where',
    parameter: isParameter ? period : null,
    chosen: values,
    typed: [texts[0] ?? '', texts[1] ?? ''],
    stored: new Map(texts.map((one, index) => [one, values[index] ?? null])),
    quantity: String(typeof period['quantity'] === 'number' ? period['quantity'] : 1),
    unit: relativeUnits[levelOfUnit(unit) - 1] ?? 'day',
  };
}

/** What a form says: a filter, or what is wrong with the value. */
export type DraftResult =
  | { readonly filter: JsonObject; readonly fault: null }
  | { readonly filter: null; readonly fault: keyof FilterWords };

const wrong = (fault: keyof FilterWords): DraftResult => ({ filter: null, fault });

/** Returns what a typed text stands for; undefined if it is no value. */
const typedValue = (draft: FilterDraft, text: ValueText, typed: string): Json | undefined =>
  draft.stored.get(typed) ?? text.read(typed.trim());

/** Returns the value of a draft, undefined for operators without one, or the fault of what was entered. */
function valueOf(
  draft: FilterDraft,
  type: string,
  text: ValueText,
): { readonly value: Json | undefined } | { readonly fault: keyof FilterWords } {
  const { operator, chosen, typed } = draft;
  const input = valueInput(operator, type);
  if (input === 'nothing') return { value: undefined };
  if (draft.parameter !== null) return { value: draft.parameter };
  if (input === 'period') {
    const quantity = Number(draft.quantity);
    return draft.quantity.trim() !== '' && Number.isInteger(quantity) && quantity >= 0 && quantity <= 100_000
      ? { value: { unit: draft.unit, quantity } }
      : { fault: 'noNumber' };
  }
  if (input === 'one' || input === 'several' || input === 'list') {
    const [first] = chosen;
    if (first === undefined) return { fault: 'needValue' };
    return { value: input === 'one' ? first : chosen };
  }
  const fields = input === 'bounds' ? typed : typed.slice(0, 1);
  if (fields.some((one) => one.trim() === '')) return { fault: 'needValue' };
  if (operatorRule(operator).takes === 'text') return { value: typed[0] };
  const values = fields.map((one) => typedValue(draft, text, one));
  if (values.includes(undefined)) return { fault: type === 'numeric' ? 'noNumber' : 'noDay' };
  const known = values.filter((one) => one !== undefined);
  return { value: input === 'bounds' ? known : known[0] };
}

/** Adds what is typed to the values of a list. */
export function withTyped(draft: FilterDraft, type: string, text: ValueText): FilterDraft | keyof FilterWords {
  const value = draft.typed[0].trim() === '' ? undefined : typedValue(draft, text, draft.typed[0]);
  if (value === undefined) return type === 'numeric' ? 'noNumber' : type === 'datetime' ? 'noDay' : 'needValue';
  return { ...draft, chosen: [...draft.chosen.filter((one) => one !== value), value], typed: ['', ''] };
}

/** Returns the filter of a filled-in form, with the members that the stored one has beside, or what is wrong. */
export function filterOf(draft: FilterDraft, type: string, text: ValueText): DraftResult {
  if (draft.columnId === '') return wrong('needValue');
  const result = valueOf(draft, type, text);
  if ('fault' in result) return wrong(result.fault);
  const before = draft.node?.value ?? {};
  const {
    expression: _expression,
    parameters: _parameters,
    properties,
    ...others
  } = Object.fromEntries(Object.entries(before).filter(([name]) => !flatFilterMembers.includes(name)));
  const { type: _type, label, ...ownProperties } = objectOr(properties);
  const isSameColumn = filterTerms(before).columnId === draft.columnId;
  const keptProperties: JsonObject = {
    ...ownProperties,
    ...(label === undefined || !isSameColumn ? {} : { label }),
    ...(draft.clause === 'having' ? { type: 'having' } : {}),
  };
  const hasLevel = draft.level !== null && type === 'datetime' && !operatorRule(draft.operator).isRelative;
  const kept = draft.level !== null && type !== 'datetime' && isSameColumn;
  return {
    fault: null,
    filter: {
      ...others,
      expression: expressionOf(draft.operator),
      parameters: [
        {
          dataset_id: draft.datasetId,
          column_id: draft.columnId,
          ...(hasLevel || kept ? { level: draft.level } : {}),
        },
        ...(result.value === undefined ? [] : [result.value]),
      ],
      ...(Object.keys(keptProperties).length === 0 ? {} : { properties: keptProperties }),
    },
  };
}
