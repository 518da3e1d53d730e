import { filterExpressions, timeParts, type JsonObject } from '@inlay/contract';
import { aggregations } from '@inlay/query';

const text: JsonObject = { type: 'string' };
const uuid: JsonObject = { type: 'string', format: 'uuid' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const milliseconds: JsonObject = { type: 'number', minimum: 0 };
const list = (items: JsonObject, description: string): JsonObject => ({ type: 'array', items, description });

const level: JsonObject = {
  type: ['integer', 'string', 'null'],
  description:
    'Datetime: 1 year, 2 quarter, 3 month, 4 week, 5 day, 6 hour, 7 minute, 8 second, 9 millisecond, or the word. Hierarchy: counted from the root.',
};
const reference = {
  dataset_id: uuid,
  column_id: { type: 'string', description: 'A column; `*` stands for the rows.' },
  level,
};
const part: JsonObject = {
  enum: timeParts,
  description: 'A part of a time, instead of a level: `weekday_number` makes one group of all Mondays.',
};

const aggregation: JsonObject = {
  title: 'Aggregation',
  type: 'object',
  properties: {
    type: { enum: aggregations },
    column_id: { ...uuid, description: 'Weight of `weightedaverage`, divisor of `rate`.' },
    dataset_id: uuid,
  },
  required: ['type'],
};

const column: JsonObject = { type: 'object', properties: reference, required: ['dataset_id', 'column_id'] };

const dimension: JsonObject = {
  title: 'Dimension',
  type: 'object',
  properties: {
    ...reference,
    part,
    discretization: {
      type: 'object',
      properties: { type: { enum: ['linear', 'nice'] }, bins: { type: 'integer', minimum: 1 } },
      description:
        'Divides a number into equal bins: `linear` into this many from its least to its greatest value, `nice` into at most this many whose edges are multiples of 1, 2 or 5 times a power of ten.',
    },
  },
  required: ['dataset_id', 'column_id'],
};

const measure: JsonObject = {
  title: 'Measure',
  type: 'object',
  properties: { ...reference, aggregation, formula_id: uuid, formula: text },
  description: 'A column with its aggregation, or a formula by id or as text.',
};

const filters: JsonObject = { type: 'array', items: { $ref: '#/components/schemas/QueryFilter' } };

export const queryFilter: JsonObject = {
  title: 'QueryFilter',
  type: 'object',
  properties: {
    expression: { enum: filterExpressions },
    parameters: {
      type: 'array',
      items: {},
      minItems: 1,
      maxItems: 2,
      description: 'The column, followed by the values to compare it with.',
    },
    and: filters,
    or: filters,
  },
  description: 'One test, or `{and: […]}` or `{or: […]}` of several.',
};

const parameterValues: JsonObject = {
  type: 'object',
  maxProperties: 100,
  additionalProperties: {},
  description:
    'Values of parameters by name, such as `{"metadata.region": ["Asia"]}`, for filters whose value is `{parameter, type, value}`. The value of the token wins; row filters never read them. Readers of a dashboard set parameters for which it has a `parameter-control`.',
};

export const dataQuery: JsonObject = {
  title: 'DataQuery',
  type: 'object',
  properties: {
    dashboard_id: {
      ...uuid,
      description:
        'The dashboard that holds the item. Whoever may *read* the dashboard and the datasets, and not *use* them, asks through an item only.',
    },
    item_id: {
      ...text,
      description:
        'The stored item whose query this is. Without `dimensions` and `measures` the query asks what the item asks.',
    },
    dimensions: list(dimension, 'What the rows are grouped by.'),
    measures: list(measure, 'What is computed for each group.'),
    where: list(queryFilter, 'Tests on rows, all of which hold.'),
    having: list(queryFilter, 'The same on what was computed.'),
    order: list(
      {
        ...column,
        title: 'QueryOrder',
        properties: { ...reference, part, aggregation, order: { enum: ['asc', 'desc'] } },
      },
      'What comes first.',
    ),
    limit: { type: 'object', properties: { by: count, offset: count, others: { type: 'boolean' } } },
    parameters: parameterValues,
    options: {
      type: 'object',
      properties: {
        locale_id: text,
        timezone_id: text,
        rollup_data: {
          type: 'boolean',
          default: true,
          description: 'If false, rows are returned without aggregation.',
        },
        weekstart: { type: ['integer', 'string'], description: '1 Monday … 7 Sunday, or the name of the day.' },
      },
    },
  },
};

/** The `find` of a get on data. */
export const dataFind: JsonObject = {
  description: 'One query, or `{queries: […]}` for several; the results have the same order.',
  anyOf: [
    dataQuery,
    {
      title: 'DataQueries',
      type: 'object',
      properties: {
        queries: { type: 'array', minItems: 1, maxItems: 100, items: dataQuery },
        parameters: { ...parameterValues, description: 'Values of parameters for all queries; those of a query win.' },
      },
      required: ['queries'],
    },
  ],
};

/** A cell of a result. Its type depends on the column. */
const cell: JsonObject = {
  title: 'Cell',
  description: 'A number, a text or a truth value; the member of a hierarchy; the two edges of a bin.',
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    {
      title: 'HierarchyMember',
      type: 'object',
      properties: { id: text, name: { type: 'object', additionalProperties: text } },
      required: ['id', 'name'],
    },
    {
      title: 'OtherMembers',
      type: 'object',
      properties: { id: { type: 'null' }, others: { type: 'integer' } },
      required: ['id', 'others'],
    },
    { type: 'array', items: { type: ['number', 'null'] }, minItems: 2, maxItems: 2 },
  ],
};

const answer: JsonObject = {
  title: 'DataResult',
  type: 'object',
  properties: {
    data: {
      ...list({ type: 'array', items: cell }, 'A row each: dimensions first, then measures, in the order asked.'),
    },
    query_id: uuid,
    cached: { type: 'boolean' },
    truncated: { type: 'boolean', description: 'Whether rows were left out because of a limit.' },
    source: {
      enum: ['pushdown', 'engine', 'mixed', 'cluster'],
      description:
        'Where it was computed: at the source, in the columnar engine, in the engine over rows of the source, or at the cluster that has the rows of large datasets.',
    },
    performance: {
      type: 'object',
      properties: {
        validating: milliseconds,
        preparing: milliseconds,
        queuing: milliseconds,
        querying: milliseconds,
        processing: milliseconds,
        rows: count,
      },
      required: ['validating', 'preparing', 'queuing', 'querying', 'processing', 'rows'],
    },
  },
  required: ['data', 'query_id', 'cached', 'truncated', 'source', 'performance'],
};

const failed: JsonObject = {
  title: 'FailedQuery',
  type: 'object',
  description: 'The error of one query in a batch; the other queries still return results.',
  properties: {
    error: {
      type: 'object',
      properties: {
        type: { type: 'object', properties: { code: count, description: text } },
        code: text,
        message: text,
        validation: { type: 'object' },
      },
      required: ['type', 'code', 'message'],
    },
  },
  required: ['error'],
};

/** The answer to a get on data: an object for a single query, a list for several. */
export const dataAnswer: JsonObject = {
  anyOf: [answer, { type: 'array', items: { anyOf: [answer, failed] } }],
};
