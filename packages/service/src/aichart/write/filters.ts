import type { Json, JsonObject } from '@inlay/contract';
import type { Condition, GroupBound, RowCondition } from '../plan.ts';
import type { Profile } from '../profile.ts';
import type { TimeSpan } from '../read/conditions/clauses.ts';
import { nameIn } from './titles.ts';

const dayLevel = 5;
/** The column that stands for the number of rows. */
const allRows = '*';

/** A test of a filter: its expression, its value, which tests of empty cells do not have, and the level of a time. */
interface Test {
  readonly expression: string;
  readonly value?: Json;
  readonly level?: number;
}

/** Writes a span as the tests of filters, all of which hold. An empty list if filters cannot express it. */
function spanTests(span: TimeSpan, isExcluded: boolean): readonly Test[] {
  if (span.kind === 'period')
    return [{ expression: isExcluded ? '? != ?' : '? = ?', value: span.start, level: span.level }];
  if (isExcluded || span.kind === 'parts') return [];
  if (span.kind === 'relative')
    return [{ expression: span.expression, value: { unit: span.unit, quantity: span.quantity } }];
  return [
    ...(span.from === null ? [] : [{ expression: '? >= ?', value: span.from, level: dayLevel }]),
    ...(span.to === null ? [] : [{ expression: '? <= ?', value: span.to, level: dayLevel }]),
  ];
}

/** Returns the tests of a condition: all of one of the lists hold. */
function testsOf(condition: RowCondition | GroupBound): readonly (readonly Test[])[] {
  switch (condition.kind) {
    case 'values':
      return [[{ expression: condition.isExcluded ? '? not in ?' : '? in ?', value: [...condition.values] }]];
    case 'empty':
      return [[{ expression: condition.isExcluded ? '? is not null' : '? is null' }]];
    case 'span':
      return condition.spans.map((span) => spanTests(span, condition.isExcluded));
    case 'bound':
    case 'groupBound': {
      const [low, high] = condition.values;
      return [
        [
          condition.operator === 'between'
            ? { expression: '? between ?', value: [low, high ?? low] }
            : { expression: `? ${condition.operator} ?`, value: low },
        ],
      ];
    }
  }
}

/** Writes a condition that filters express as filters of an item, all of which hold. */
export function filtersOf(profile: Profile, condition: Condition, language: string): readonly JsonObject[] {
  if (condition.kind === 'either') {
    const alternatives = condition.of.flatMap((one) => together(filtersOf(profile, one, language)));
    return [{ or: alternatives }];
  }
  const id = condition.column === null ? allRows : profile.columns[condition.column]?.id;
  if (id === undefined) return [];
  const type = condition.kind === 'groupBound' ? 'having' : 'where';
  const filter = ({ expression, value, level }: Test): JsonObject => ({
    expression,
    parameters: [
      { dataset_id: profile.dataset.id, column_id: id, ...(level === undefined ? {} : { level }) },
      ...(value === undefined ? [] : [value]),
    ],
    properties: { type, ...(condition.column === null ? {} : { label: nameIn(profile, condition.column, language) }) },
  });
  const [first = [], ...others] = testsOf(condition);
  if (others.length === 0) return first.map(filter);
  // A row lies in one of several spans; none of them may be left out of several excluded ones.
  const isAll = condition.kind === 'span' && condition.isExcluded;
  return [{ [isAll ? 'and' : 'or']: [first, ...others].flatMap((tests) => together(tests.map(filter))) }];
}

/** Joins filters that all hold to one. */
const together = (filters: readonly JsonObject[]): readonly JsonObject[] =>
  filters.length > 1 ? [{ and: [...filters] }] : filters;
