import {
  filterExpressions,
  inWords,
  isList,
  isObject,
  isUuid,
  nullTests,
  type Fault,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { NamedColumn } from './fields.ts';

const known = ['clause', 'origin', 'securable_id', 'column_id', 'level', 'expression', 'value', 'propagate'] as const;

const uuid: JsonObject = { type: 'string', format: 'uuid' };

/** Row filters as JSON schema (decision R6a). */
export const filtersShape: JsonObject = {
  type: 'array',
  maxItems: 200,
  items: {
    type: 'object',
    properties: {
      clause: { const: 'where' },
      origin: { const: 'global' },
      securable_id: uuid,
      column_id: uuid,
      level: { type: ['integer', 'null'] },
      expression: { enum: filterExpressions },
      propagate: {
        type: 'boolean',
        default: true,
        description: 'Whether datasets that look up this one show only rows whose looked-up row is visible.',
      },
      value: { description: 'A literal, a list, or `{parameter: "metadata.region", type, value}`.' },
    },
    required: ['securable_id', 'column_id', 'expression'],
    additionalProperties: false,
  },
};

/** The columns that row filters name; of what has the wrong form, nothing. */
export const columnsOfFilters = (value: Json, at: string): readonly NamedColumn[] =>
  (isList(value) ? value : []).flatMap((filter, index) => {
    const { securable_id: datasetId, column_id: columnId } = isObject(filter) ? filter : {};
    if (typeof datasetId !== 'string' || typeof columnId !== 'string') return [];
    const place = `${at}[${index}]`;
    const dataset = { at: `${place}.securable_id`, id: datasetId.toLowerCase() };
    return [{ at: `${place}.column_id`, columnId: columnId.toLowerCase(), dataset }];
  });

/** The form of row filters: what is misspelt here would let rows through, so every member is checked (decision R6a). */
export function checkFilters(value: Json, at: string, fault: Fault): void {
  if (!isList(value) || value.length > 200) return fault(at, 'must be a list of at most 200 filters');
  value.forEach((filter, index) => checkFilter(filter, `${at}[${index}]`, fault));
}

function checkFilter(filter: Json, at: string, fault: Fault): void {
  if (!isObject(filter)) return fault(at, 'must be an object');
  for (const name of Object.keys(filter)) {
    if (!known.some((word) => word === name)) fault(`${at}.${name}`, `is not known; known are: ${known.join(', ')}`);
  }
  for (const name of ['securable_id', 'column_id']) {
    const id = filter[name];
    if (typeof id !== 'string' || !isUuid(id)) fault(`${at}.${name}`, 'must be a UUID');
  }
  const { clause = 'where', origin = 'global', level, expression, value, propagate = true } = filter;
  if (typeof propagate !== 'boolean') fault(`${at}.propagate`, 'must be true or false');
  if (clause !== 'where') fault(`${at}.clause`, 'must be "where"');
  if (origin !== 'global') fault(`${at}.origin`, 'must be "global"');
  if (level !== undefined && level !== null && !Number.isInteger(level)) fault(`${at}.level`, 'must be a whole number');
  if (!filterExpressions.some((word) => word === expression))
    fault(
      `${at}.expression`,
      `must be one of: ${filterExpressions.slice(0, 17).join(', ')}, or a relative date such as "last_now"`,
    );
  if (isObject(value ?? null)) checkParameter(value ?? null, `${at}.value`, fault);
  else if (value === undefined && !nullTests.includes(inWords(expression))) fault(`${at}.value`, 'is required');
}

function checkParameter(value: Json, at: string, fault: Fault): void {
  if (!isObject(value)) return;
  const { parameter, type } = value;
  if (typeof parameter !== 'string' || parameter === '')
    fault(`${at}.parameter`, 'must name a parameter such as "metadata.region"');
  if (type !== undefined && typeof type !== 'string') fault(`${at}.type`, 'must be a text');
}
