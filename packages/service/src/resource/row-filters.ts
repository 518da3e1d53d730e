import {
  expressionFault,
  filterExpressions,
  filterTerms,
  isList,
  isObject,
  isUuid,
  oneOf,
  unknownWord,
  uuidFault,
  type Fault,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import { readRowFilter } from '@inlay/query';
import { filterAsStored, filterOf, type AnyFilter } from '../access/filter-kinds.ts';
import type { NamedColumn } from '../declare/fields.ts';
import type { Warning } from '../declare/warning.ts';

const besides = ['clause', 'origin', 'chart_id', 'expression', 'propagate'] as const;
const known = [...besides, 'parameters'];
const knownFlat = [...besides, 'securable_id', 'column_id', 'level', 'value'];
const columnMembers = ['dataset_id', 'column_id', 'level'];
const clauses = ['where', 'having'] as const;
const origins = ['global', 'chart', 'initialization'] as const;
/** Limit of an item id in characters. */
const longestItemId = 1000;

const uuid: JsonObject = { type: 'string', format: 'uuid' };

/** JSON schema of a list of filters. */
const filtersShape: JsonObject = {
  type: 'array',
  maxItems: 200,
  items: {
    type: 'object',
    title: 'RowFilter',
    properties: {
      clause: {
        enum: clauses,
        default: 'where',
        description: '`having` narrows the groups of queries with a measure over the column, and never rows.',
      },
      origin: {
        enum: origins,
        default: 'global',
        description:
          'With `where`: `global` is a row filter; `chart` narrows the queries of the item `chart_id`; `initialization` is the value with which filter items over the column start. Only a row filter bounds what may be seen.',
      },
      chart_id: {
        type: 'string',
        minLength: 1,
        maxLength: longestItemId,
        description: 'Id of an item of a dashboard; required with `chart`, and not allowed without.',
      },
      securable_id: uuid,
      column_id: uuid,
      level: { type: ['integer', 'null'] },
      expression: { enum: filterExpressions },
      parameters: {
        type: 'array',
        items: {},
        minItems: 1,
        maxItems: 2,
        description:
          'The column `{dataset_id, column_id, level}`, then the value, as data queries take them; instead of `securable_id`, `column_id`, `level` and `value`.',
      },
      propagate: {
        type: 'boolean',
        default: true,
        description:
          'Of a row filter: whether datasets that look up this one show only rows whose looked-up row is visible.',
      },
      value: { description: 'A literal, a list, or `{parameter: "metadata.region", type, value}`.' },
    },
    required: ['expression'],
    // Requires exactly one of the two members. Type generators would read a choice of `required` lists as a separate
    // type for any value.
    not: { propertyNames: { not: { enum: ['parameters', 'column_id'] } } },
    dependentRequired: { column_id: ['securable_id'], securable_id: ['column_id'] },
    additionalProperties: false,
  },
};

/** Returns the columns that row filters reference. Malformed parts are skipped. */
const columnsOfFilters = (value: Json, at: string): readonly NamedColumn[] =>
  (isList(value) ? value : []).flatMap((filter, index) => {
    const { datasetId, columnId, at: places } = filterTerms(isObject(filter) ? filter : {});
    if (typeof datasetId !== 'string' || typeof columnId !== 'string') return [];
    const place = `${at}[${index}]`;
    const dataset = { at: `${place}${places.datasetId}`, id: datasetId.toLowerCase() };
    return [{ at: `${place}${places.columnId}`, columnId: columnId.toLowerCase(), dataset }];
  });

/** Checks the format of row filters. The check is strict, since a misspelled member would let rows through. */
function checkFilters(value: Json, at: string, fault: Fault): void {
  if (!isList(value) || value.length > 200) return fault(at, 'must be a list of at most 200 filters');
  value.forEach((filter, index) => checkFilter(filter, `${at}[${index}]`, fault));
}

function checkFilter(filter: Json, at: string, fault: Fault): void {
  if (!isObject(filter)) return fault(at, 'must be an object');
  const { parameters, expression, propagate = true } = filter;
  const isFlat = parameters === undefined;
  const names = isFlat ? knownFlat : known;
  for (const name of Object.keys(filter)) {
    if (!names.includes(name)) fault(`${at}.${name}`, unknownWord(name, names));
  }
  if (!isFlat) checkParameters(parameters, `${at}.parameters`, fault);
  const { datasetId, columnId, level, at: places } = filterTerms(filter);
  for (const [id, place] of [[datasetId, places.datasetId] as const, [columnId, places.columnId] as const]) {
    if (typeof id !== 'string' || !isUuid(id)) fault(`${at}${place}`, uuidFault(id));
  }
  if (typeof propagate !== 'boolean') fault(`${at}.propagate`, 'must be true or false');
  checkReach(filter, at, fault);
  if (level !== undefined && level !== null && !Number.isInteger(level))
    fault(`${at}${places.level}`, 'must be a whole number');
  if (!filterExpressions.some((word) => word === expression)) fault(`${at}.expression`, expressionFault(expression));
  checkValue(filter, `${at}${places.value}`, fault);
}

/** Checks the format of a filter's value, as far as that does not depend on the column. */
function checkValue(filter: JsonObject, at: string, fault: Fault): void {
  const { expression } = filter;
  const { value } = filterTerms(filter);
  const isParameter = isObject(value) && value['parameter'] !== undefined;
  if (isParameter) checkParameter(value, at, fault);
  const operand = isParameter ? value['value'] : value;
  if ((isParameter && operand === undefined) || !filterExpressions.some((word) => word === expression)) return;
  readRowFilter({ on: anyColumn, expression, value: operand }, at, { fault, parameters: new Map() }, at);
}

/** Checks the format of column and value in `parameters`. */
function checkParameters(parameters: Json, at: string, fault: Fault): void {
  if (!isList(parameters) || parameters.length < 1 || parameters.length > 2)
    return fault(at, 'must be a list: the column, then the value');
  const [column = null] = parameters;
  if (!isObject(column)) return fault(`${at}[0]`, 'must be an object');
  for (const name of Object.keys(column)) {
    if (!columnMembers.includes(name)) fault(`${at}[0].${name}`, unknownWord(name, columnMembers));
  }
}

const anyColumn = { datasetId: '', columnId: '', level: null };

/** Checks where a filter applies. specification/rights#filters-that-are-no-row-filters */
function checkReach(filter: JsonObject, at: string, fault: Fault): void {
  const { clause = 'where', origin = 'global', chart_id: chartId, expression } = filter;
  const { level = null, at: places } = filterTerms(filter);
  if (!clauses.some((word) => word === clause)) fault(`${at}.clause`, oneOf(clauses, clause));
  if (!origins.some((word) => word === origin)) fault(`${at}.origin`, oneOf(origins, origin));
  const isId = typeof chartId === 'string' && chartId !== '' && chartId.length <= longestItemId;
  if (origin === 'chart' && !isId) fault(`${at}.chart_id`, 'must be the id of an item of a dashboard, a text');
  if (origin !== 'chart' && chartId !== undefined) fault(`${at}.chart_id`, 'is allowed only with "origin": "chart"');
  if (clause === 'having' && origin === 'initialization')
    fault(`${at}.clause`, 'must be "where": filter items, which start with this value, filter rows');
  if (clause === 'having' && level !== null)
    fault(`${at}${places.level}`, 'is not allowed with "having": measures have no level');
  if (clause === 'having' && expression === 'last_available')
    fault(`${at}.expression`, 'tests rows, so it is not allowed with "having"');
  if (filterOf(null, filter).kind !== 'row' && filter['propagate'] !== undefined)
    fault(`${at}.propagate`, 'is allowed only for row filters: other filters follow no links');
}

const noBound = 'it does not bound which rows may be seen';

/** Describes the effect of a filter that is not a row filter; null for a row filter. */
function effectOf(filter: AnyFilter): string | null {
  switch (filter.kind) {
    case 'row':
      return null;
    case 'chart':
      return `it narrows the queries of item ${filter.chartId.slice(0, 100)} alone; ${noBound}`;
    case 'initialization':
      return `it is the value with which filter items over this column start, and which the viewer may change; ${noBound}`;
    case 'group': {
      const where = filter.chartId === null ? '' : ` of item ${filter.chartId.slice(0, 100)}`;
      return `it narrows the groups of queries${where} with a measure over this column; ${noBound}`;
    }
  }
}

/** Warns of each filter that is not a row filter, and describes its effect. */
const warnOfFilters = (value: Json, at: string): readonly Warning[] =>
  (isList(value) ? value : []).flatMap((entry, index) => {
    const effect = effectOf(filterOf(null, entry));
    if (effect === null) return [];
    return [{ path: `${at}[${index}]`, code: 'not_row_filter', message: `This is not a row filter: ${effect}.` }];
  });

/** Normalizes filters for the store. */
const filtersAsStored = (value: Json): Json => (isList(value) ? value.map(filterAsStored) : value);

const terms = { securable_id: 'datasetId', column_id: 'columnId', level: 'level', value: 'value' } as const;
const isTerm = (name: string): name is keyof typeof terms => Object.hasOwn(terms, name);

/**
 * Converts a path in stored filters to the path in the sent filters. Stored filters have column and value next to the
 * expression.
 */
function placeAsSent(sent: Json, inside: string): string {
  const [, index = '', name = '', rest = ''] = /^\[(\d+)\]\.(\w+)(.*)$/su.exec(inside) ?? [];
  const filter = isList(sent) ? sent[Number(index)] : undefined;
  if (filter === undefined || !isObject(filter) || filter['parameters'] === undefined) return inside;
  if (!isTerm(name) || Object.hasOwn(filter, name)) return inside;
  return `[${index}]${filterTerms(filter).at[terms[name]]}${rest}`;
}

/** Check, warnings and stored form shared by all fields with filter lists. */
export const filtersField = {
  check: checkFilters,
  columns: columnsOfFilters,
  stored: filtersAsStored,
  placeAsSent,
  shape: filtersShape,
  warns: warnOfFilters,
} as const;

function checkParameter(value: JsonObject, at: string, fault: Fault): void {
  const { parameter, type } = value;
  if (typeof parameter !== 'string' || parameter === '')
    fault(`${at}.parameter`, 'must name a parameter such as "metadata.region"');
  if (type !== undefined && typeof type !== 'string') fault(`${at}.type`, 'must be a text');
}
