import { isList, isObject, isUuid, uuidFault, type Fault, type Json, type JsonObject } from '@inlay/contract';
import { loggedIn, organization } from '../declare/roles.ts';
import { exampleProvider } from '../connectors/providers.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';

const accountId = '01890a5d-ac96-774b-bcce-b302099a8057';
const text: JsonObject = { type: 'string' };

const table: JsonObject = {
  type: 'object',
  properties: {
    id: {
      ...text,
      description: 'Identifier within its source; becomes `source_dataset` of a dataset created from it.',
    },
    name: { type: 'object', additionalProperties: text },
    description: { type: ['object', 'null'], additionalProperties: text },
    schema: { type: ['string', 'null'] },
    table: { ...text, description: 'Name of the table in its schema.' },
    type: { ...text, description: 'The same as `kind`.' },
    kind: text,
    rows: {
      type: ['integer', 'null'],
      description: 'Approximate number of rows, if the source provides it without counting.',
    },
    links: {
      type: 'array',
      description: 'Foreign keys of one column. Datasets that are created together are linked by them.',
      items: {
        type: 'object',
        properties: {
          column: { ...text, description: 'The column that refers to another table.' },
          dataset: { ...text, description: 'The id of that table.' },
          dataset_column: text,
          cardinality: { enum: ['many_to_one', 'one_to_one'] },
        },
        required: ['column', 'dataset', 'dataset_column', 'cardinality'],
        additionalProperties: false,
      },
    },
  },
  required: ['id', 'name', 'schema', 'table', 'type', 'kind', 'rows', 'links'],
};

const stage: JsonObject = {
  type: 'object',
  description: 'One step of a connection test; steps that were not reached are omitted.',
  properties: {
    stage: { enum: ['reach', 'tls', 'sign_in', 'access'] },
    ok: { type: 'boolean' },
    cause: { type: ['string', 'null'], description: 'The cause of the failure, as one word.' },
    message: { type: 'string', description: 'The result of the step, or the error and how to fix it.' },
  },
  required: ['stage', 'ok', 'cause', 'message'],
  additionalProperties: false,
};

const tableName: JsonObject = {
  type: 'object',
  properties: { schema: { type: ['string', 'null'] }, table: text },
  required: ['table'],
  additionalProperties: false,
};
const namedQuery: JsonObject = {
  type: 'object',
  properties: { name: text, sql: { ...text, maxLength: 100_000 } },
  required: ['name', 'sql'],
  additionalProperties: false,
};

const isFilled = (value: Json | undefined, maxLength: number): boolean =>
  typeof value === 'string' && value !== '' && value.length <= maxLength;

function checkMembers(value: Json, known: readonly string[], at: string, fault: Fault): value is JsonObject {
  if (!isObject(value)) {
    fault(at, `must be an object {${known.join(', ')}}`);
    return false;
  }
  for (const name of Object.keys(value))
    if (!known.includes(name)) fault(`${at}.${name}`, `is not known; known are: ${known.join(', ')}`);
  return true;
}

function checkTableName(value: Json, at: string, fault: Fault): void {
  if (!checkMembers(value, ['schema', 'table'], at, fault)) return;
  if (!isFilled(value['table'], 2000)) fault(`${at}.table`, 'must be the name of a table');
  const { schema = null } = value;
  if (schema !== null && !isFilled(schema, 2000)) fault(`${at}.schema`, 'must be the name of a schema');
}

function checkNamedQuery(value: Json, at: string, fault: Fault): void {
  if (!checkMembers(value, ['name', 'sql'], at, fault)) return;
  if (!isFilled(value['name'], 1000)) fault(`${at}.name`, 'must be a name of at most 1000 characters');
  if (!isFilled(value['sql'], 100_000)) fault(`${at}.sql`, 'must be a query of at most 100000 characters');
}

/** Returns an entry of `tables` as clients send it: `{name, sql, type}` is a query; `name` is an alias of `table`. */
function tableAsRead(value: Json): Json {
  if (!isObject(value)) return value;
  const { type, ...rest } = value;
  if (type !== undefined && typeof type !== 'string') return value;
  const { name, ...others } = rest;
  const isOfName = typeof name === 'string' && rest['sql'] === undefined && rest['table'] === undefined;
  return isOfName ? { ...others, table: name } : rest;
}

export const dataprovider = define({
  name: 'dataprovider',
  description:
    'Lists the tables of a connection, creates datasets from them, and tests the connection. The caller needs *use* on the account.',
  fields: {
    account_id: field.reference('The account; the caller needs *use* on it.', {
      required: true,
      accept: ['create'],
      to: 'account',
      right: 'use',
    }),
    provider: field.text('Provider of the account; refused if it differs.', { accept: ['create'], maxLength: 255 }),
    action: field.text('Another way to say what the request does: `create` here.', {
      accept: ['create'],
      values: ['create'],
    }),
    tables: field.list(
      'Tables as `{schema, table}`, instead of their ids in `datasets`; queries as `{name, sql}` too.',
      {
        accept: ['create'],
        shape: { items: { anyOf: [tableName, namedQuery] }, maxItems: 100 },
        reads: (value) => (isList(value) ? value.map(tableAsRead) : value),
        check: (value, at, fault) => {
          if (!isList(value) || value.length > 100) return fault(at, 'must be a list of at most 100 {schema, table}');
          value.forEach((entry, index) => {
            const check = isObject(entry) && entry['sql'] !== undefined ? checkNamedQuery : checkTableName;
            check(entry, `${at}[${index}]`, fault);
          });
        },
      },
    ),
    queries: field.list('Queries as `{name, sql}`; each becomes a dataset of what it selects.', {
      accept: ['create'],
      shape: { items: namedQuery, maxItems: 100 },
      check: (value, at, fault) => {
        if (!isList(value) || value.length > 100) return fault(at, 'must be a list of at most 100 {name, sql}');
        value.forEach((entry, index) => checkNamedQuery(entry, `${at}[${index}]`, fault));
      },
    }),
    datasets: field.list('Ids of tables; each becomes a dataset with its columns.', {
      accept: ['create'],
      shape: { items: { type: 'string', maxLength: 2000 }, maxItems: 100 },
      check: (value, at, fault) => {
        if (!isList(value) || value.length > 100) return fault(at, 'must be a list of at most 100 ids');
        value.forEach((entry, index) => {
          if (typeof entry !== 'string' || entry === '' || entry.length > 2000)
            fault(`${at}[${index}]`, 'must be the id of a table');
        });
      },
    }),
  },
  roles: { create: organization('editor'), get: loggedIn },
  served: {
    create: {
      check: (input, fault) => {
        const named = ['datasets', 'tables', 'queries'].some((name) => {
          const { [name]: value = null } = input;
          return isList(value) && value.length > 0;
        });
        if (!named) fault('datasets', 'is required: ids of tables; or name tables or queries');
      },
      answers: {
        type: 'object',
        description: 'The created datasets, in the order of the request: of tables, then of queries.',
        properties: {
          count: { type: 'integer' },
          rows: { type: 'array', items: { $ref: '#/components/schemas/Dataset' } },
          data: { type: 'array', description: 'The same as `rows`.', items: { $ref: '#/components/schemas/Dataset' } },
        },
        required: ['count', 'rows', 'data'],
      },
    },
    get: {
      find: {
        type: 'object',
        properties: {
          account_id: { type: 'string', format: 'uuid' },
          provider: text,
          action: { const: 'get' },
          validate: {
            type: 'boolean',
            description:
              'True tries the connection instead, and answers what each step found: reach, tls, sign_in, access.',
          },
        },
        required: ['account_id'],
        additionalProperties: false,
      },
      check: (find, fault) => {
        for (const name of Object.keys(find))
          if (!['account_id', 'provider', 'validate', 'action'].includes(name))
            fault(name, 'is not known; known are: account_id, provider, validate, action');
        const { account_id, provider, validate } = find;
        if (validate !== undefined && typeof validate !== 'boolean') fault('validate', 'must be true or false');
        if (typeof account_id !== 'string' || !isUuid(account_id)) fault('account_id', uuidFault(account_id));
        if (provider !== undefined && typeof provider !== 'string') fault('provider', 'must be a text');
      },
      answers: {
        type: 'object',
        properties: {
          count: { type: 'integer' },
          rows: { type: 'array', items: { anyOf: [table, stage] } },
          data: { type: 'array', description: 'The same as `rows`.', items: { anyOf: [table, stage] } },
        },
        required: ['count', 'rows', 'data'],
      },
      example: { provider: exampleProvider, account_id: accountId },
    },
  },
  example: { account_id: accountId, provider: exampleProvider, datasets: ['public.orders'] },
});
