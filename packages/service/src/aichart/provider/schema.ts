import { slotsOf, type Json, type JsonObject } from '@inlay/contract';
import type { Ask } from '../engine.ts';
import { grains } from '../grain.ts';
import { boundOperators, relativeExpressions, timeUnits } from '../read/conditions/clauses.ts';
import { allowedTypes, type DescribedDataset } from './prompt.ts';

/** The words from which an answer of a model chooses. */
export const aggregations = [
  'sum',
  'average',
  'min',
  'max',
  'median',
  'count',
  'distinctcount',
  'cumulativesum',
] as const;
export const periodUnits = ['year', 'quarter', 'month', 'week', 'day'] as const;
/** Parts of a time, with their smallest and largest value. */
export const partBounds = { weekday: [1, 7], month: [1, 12], hour: [0, 23], quarter: [1, 4] } as const;
export const parts = ['weekday', 'month', 'hour', 'quarter'] as const;
/** What a dataset lacks for a question: a number, a group, a time, or anything about it. */
export const lacks = ['number', 'group', 'time', 'data'] as const;

const object = (properties: Readonly<Record<string, Json>>): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const oneOf = (words: readonly string[]): JsonObject => ({ type: 'string', enum: [...words] });
const orNull = (words: readonly string[]): JsonObject => ({ type: ['string', 'null'], enum: [...words, null] });
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
const any = (...forms: readonly JsonObject[]): JsonObject => ({ anyOf: [...forms] });
const nothing: JsonObject = { type: 'null' };
const text: JsonObject = { type: 'string' };
const number: JsonObject = { type: 'number' };
const whole: JsonObject = { type: 'integer' };
const yesOrNo: JsonObject = { type: 'boolean' };

/** What several parts of the schema refer to: providers limit how long the lists of a schema are together. */
const column: JsonObject = { $ref: '#/$defs/column' };
const span: JsonObject = { $ref: '#/$defs/span' };
const quantity: JsonObject = { $ref: '#/$defs/quantity' };

const spans: readonly JsonObject[] = [
  object({
    kind: oneOf(['relative']),
    expression: oneOf(relativeExpressions),
    unit: oneOf(timeUnits),
    quantity: whole,
  }),
  object({ kind: oneOf(['period']), unit: oneOf(periodUnits), day: text }),
  object({
    kind: oneOf(['between']),
    from: { type: ['string', 'null'] },
    to: { type: ['string', 'null'] },
  }),
  object({ kind: oneOf(['parts']), part: oneOf(parts), values: list(whole) }),
];

/** Returns the JSON schema of an answer. It allows only listed words and column ids, and texts for values to look up. */
export function answerSchema(dataset: DescribedDataset, query: Ask): JsonObject {
  const slots = [...new Set(allowedTypes(query).flatMap((type) => slotsOf(type).map(({ name }) => name)))];
  const placed = object({ column, aggregation: orNull(aggregations), grain: orNull(grains) });
  const formula = any(
    object({ kind: oneOf(['ratio']), of: quantity, to: quantity, percent: yesOrNo }),
    object({ kind: oneOf(['difference']), of: quantity, to: quantity }),
    object({ kind: oneOf(['rate']), column, values: list(text) }),
  );
  const bound = { operator: oneOf(boundOperators), values: list(number) };
  const condition = any(
    object({ kind: oneOf(['values']), column, values: list(text), excluded: yesOrNo }),
    object({ kind: oneOf(['span']), column, spans: list(span), excluded: yesOrNo }),
    object({ kind: oneOf(['bound']), column, ...bound }),
    object({ kind: oneOf(['group_bound']), column: any(column, nothing), ...bound }),
  );
  const comparison = object({
    column,
    current: any(span, nothing),
    previous: any(oneOf(['previous', 'year']), span),
  });
  const answer = object({
    cannot: orNull(lacks),
    type: oneOf(allowedTypes(query)),
    slots: list(object({ name: oneOf(slots), columns: list(any(placed, object({ formula }))) })),
    sort: any(object({ by: oneOf(['group', 'measure']), order: oneOf(['asc', 'desc']) }), nothing),
    limit: { type: ['integer', 'null'], minimum: 1, maximum: 1000 },
    conditions: list(condition),
    comparison: any(comparison, nothing),
    follow_up: yesOrNo,
    unread: list(text),
  });
  const $defs = {
    column: oneOf(dataset.columns.map(({ id }) => id)),
    span: any(...spans),
    quantity: object({ column: any(column, nothing), aggregation: orNull(aggregations) }),
  };
  return { ...answer, $defs };
}
