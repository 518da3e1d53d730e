import { isList, isUuid, type JsonObject } from '@inlay/contract';
import { loggedIn, organization } from '../access/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../resource/fields.ts';

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
  required: ['id', 'name', 'schema', 'kind', 'rows', 'links'],
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

export const dataprovider = define({
  name: 'dataprovider',
  description:
    'Lists the tables of a connection, creates datasets from them, and tests the connection. The caller needs *use* on the account.',
  unstored: true,
  fields: {
    account_id: field.reference('The account; the caller needs *use* on it.', {
      required: true,
      accept: ['create'],
      to: 'account',
      right: 'use',
    }),
    provider: field.text('Provider of the account; refused if it differs.', { accept: ['create'], maxLength: 255 }),
    datasets: field.list('Ids of tables; each becomes a dataset with its columns.', {
      required: true,
      accept: ['create'],
      shape: { items: { type: 'string', maxLength: 2000 }, minItems: 1, maxItems: 100 },
      check: (value, at, fault) => {
        if (!isList(value) || value.length < 1 || value.length > 100)
          return fault(at, 'must be a list of 1 to 100 ids');
        value.forEach((one, index) => {
          if (typeof one !== 'string' || one === '' || one.length > 2000)
            fault(`${at}[${index}]`, 'must be the id of a table');
        });
      },
    }),
  },
  roles: { create: organization('editor'), get: loggedIn },
  served: {
    create: {
      answers: {
        type: 'object',
        description: 'The created datasets, in the order of the request.',
        properties: {
          count: { type: 'integer' },
          rows: { type: 'array', items: { $ref: '#/components/schemas/Dataset' } },
        },
        required: ['count', 'rows'],
      },
    },
    get: {
      find: {
        type: 'object',
        properties: {
          account_id: { type: 'string', format: 'uuid' },
          provider: text,
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
          if (!['account_id', 'provider', 'validate'].includes(name))
            fault(name, 'is not known; known are: account_id, provider, validate');
        const { account_id, provider, validate } = find;
        if (validate !== undefined && typeof validate !== 'boolean') fault('validate', 'must be true or false');
        if (typeof account_id !== 'string' || !isUuid(account_id)) fault('account_id', 'must be a UUID');
        if (provider !== undefined && typeof provider !== 'string') fault('provider', 'must be a text');
      },
      answers: {
        type: 'object',
        properties: { count: { type: 'integer' }, rows: { type: 'array', items: { anyOf: [table, stage] } } },
        required: ['count', 'rows'],
      },
      example: { provider: 'postgresql', account_id: accountId },
    },
  },
  example: { account_id: accountId, provider: 'postgresql', datasets: ['public.orders'] },
});
