import { isObject, isUuid, unknownWord, uuidFault, type Fault, type Json, type JsonObject } from '@inlay/contract';
import { rights } from './roles.ts';

/** The ids that `explain` accepts, with the resource of each. */
const parties = { user_id: 'user', authorization_id: 'authorization' } as const;
type Member = keyof typeof parties;

/** Whose access a request asks to have explained. */
export interface ExplainedParty {
  readonly member: Member;
  readonly resource: (typeof parties)[Member];
  readonly id: string;
}

const isMember = (name: string): name is Member => Object.hasOwn(parties, name);
const names = Object.keys(parties).filter(isMember);

/** Reads `explain`. Reports faults; undefined if there are any. specification/rights#explanations */
export function readExplain(value: Json, fault: Fault): ExplainedParty | undefined {
  const at = 'explain';
  const all = names.map((name) => `"${name}"`).join(' or ');
  if (!isObject(value)) {
    fault(at, `must be an object with ${all}`);
    return undefined;
  }
  for (const name of Object.keys(value)) if (!isMember(name)) fault(`${at}.${name}`, unknownWord(name, names));
  const sent = names.filter((name) => (value[name] ?? null) !== null);
  const [member] = sent;
  if (member === undefined || sent.length > 1) {
    fault(at, `must have either ${all}`);
    return undefined;
  }
  const id = value[member];
  if (typeof id === 'string' && isUuid(id)) return { member, resource: parties[member], id: id.toLowerCase() };
  fault(`${at}.${member}`, uuidFault(id));
  return undefined;
}

/** Maximum number of ways in an explanation. Those that give most come first. */
export const maxPaths = 100;

const uuid: JsonObject = { type: 'string', format: 'uuid' };
const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });
const textOrNull: JsonObject = { type: ['string', 'null'] };
const closed = (title: string, description: string, properties: JsonObject): JsonObject => ({
  title,
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const listOf = (items: JsonObject, description: string): JsonObject => ({ type: 'array', items, description });

/** JSON schema of `explain` in a request. */
export const explainShape: JsonObject = {
  title: 'Explain',
  type: 'object',
  description: 'Whose access is explained: a person or an authorization.',
  properties: { user_id: uuid, authorization_id: uuid },
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
};

const reference = closed('ExplainedRecord', 'A record; id and name are null if you may not see it.', {
  type: { type: 'string', description: 'The resource of the record.' },
  id: orNull(uuid),
  name: { description: 'Its name as the record has it: a text, or texts by language.' },
});

const level: JsonObject = { anyOf: [{ enum: rights }, { type: 'null' }] };

const problem = closed('ExplainedProblem', 'What a request is refused with.', {
  code: { type: 'string' },
  message: { type: 'string' },
});

const unknownCount = 'null where it could not be counted, or where you may not know it.';
const count: JsonObject = { type: ['integer', 'null'], minimum: 0, description: `Number of rows; ${unknownCount}` };

/** Where the filters and the givers of rights come from. */
export const partyWords = { caller: 'subject', issuer: 'issuer' } as const;

const filter = closed('ExplainedFilter', 'A row filter: whom it is set for (`from`), and what it tests.', {
  from: reference,
  via: {
    ...orNull(reference),
    description: 'The record whose link has the filter; null for a filter of a token.',
  },
  dataset: reference,
  column: orNull(reference),
  expression: textOrNull,
  parameter: { ...textOrNull, description: 'Name of the parameter that gives the value.' },
  value: { description: 'The value in force; null if it has none, is sensitive or is not shown.' },
  shown: {
    type: 'boolean',
    description: 'False if you may not see what the filter tests: column, expression and value are then null.',
  },
});

const step = {
  rows: count,
  problem: { ...orNull(problem), description: 'Why all rows are refused from here on, or cannot be counted.' },
};

const path = closed('ExplainedPath', 'A way by which a right is given.', {
  party: { enum: Object.values(partyWords), description: 'Who has it: the subject, or the issuer of its token.' },
  type: {
    enum: ['rank', 'user', 'group', 'token', 'end_user', 'collection'],
    description:
      '`rank`: by rank in the organization; `user`, `group`, `token`: by a link; `end_user`: made by a token of the same end user; `collection`: by a collection that has the record.',
  },
  to: { ...orNull(reference), description: 'Whom the link leads to; null for a rank and an end user.' },
  collection: orNull(reference),
  giver: {
    ...orNull(reference),
    description: 'Who gave it and bounds it; null for a rank, and for what an owner gave, which nobody bounds.',
  },
  linked_level: { ...level, description: 'What its links say. A giver who holds less lowers it.' },
  level: { ...level, description: 'What it gives now; null for nothing.' },
  rows: {
    anyOf: [{ enum: ['all', 'filtered', 'none'] }, { type: 'null' }],
    description:
      'Of a dataset: which rows it opens, before the row filters; null if it does not give the right that the rows are read with.',
  },
  any_of: listOf(
    listOf(filter, 'Filters that must all hold.'),
    'With `filtered`: the alternatives of which one must hold.',
  ),
});

const rows = closed('ExplainedRows', 'The rows of a dataset.', {
  right: {
    anyOf: [{ enum: ['read', 'use'] }, { type: 'null' }],
    description:
      'The right with which rows are read. `use`: by any query; `read`: only by what stored items ask; null where the filters cannot be loaded.',
  },
  total: { ...count, description: `Number of rows before the first filter; ${unknownCount}` },
  filters: listOf(
    closed('ExplainedFilterStep', 'A row filter with the number of rows after it.', { filter, ...step }),
    'The row filters in the order in which they are counted. All of them must hold.',
  ),
  givers: listOf(
    closed('ExplainedGiverStep', 'What the paths of a party open.', {
      party: { enum: Object.values(partyWords) },
      ...step,
    }),
    'The parties whose paths do not open all rows, with the number of rows after them.',
  ),
  visible: { ...count, description: `After all of them: what queries read. 0 where they are refused.` },
  problem: { ...orNull(problem), description: 'Why queries are refused, or why rows could not be counted.' },
  counted: { type: 'boolean', description: 'False if you may not know the numbers of rows.' },
});

const members: JsonObject = {
  id: orNull(uuid),
  name: { description: 'As the record has it; null if you may not see it.' },
  explained: {
    type: 'boolean',
    description: 'False for a dataset that you do not own: only its owners and Organization Owners see more of it.',
  },
  level: { ...level, description: 'The level held: the least of `bounds`.' },
  bounds: listOf(
    closed('ExplainedBound', 'A bound of the level.', {
      by: {
        enum: ['paths', 'issuer', 'role', 'environment'],
        description:
          'Of a token: `issuer` is what its issuer holds, `role` what its role allows, `environment` whether there is a version for it.',
      },
      level,
    }),
    'What the level depends on.',
  ),
  paths: {
    ...listOf(path, 'The ways by which rights are given, also those that give nothing any more; at most 100.'),
    maxItems: maxPaths,
  },
  paths_count: { type: 'integer', minimum: 0, description: 'How many ways there are in all.' },
  hidden_columns: listOf(reference, 'Columns that do not exist for the token.'),
  rows: { ...orNull(rows), description: 'Of a dataset whose rows are seen; null otherwise.' },
};

const dataset = closed('ExplainedDataset', 'A dataset of a dashboard.', members);

/** JSON schema of the answer to `explain`. */
export const explanationShape: JsonObject = closed(
  'Explanation',
  'Who sees what and why; only in the answer to a get with `explain`.',
  {
    subject: closed('ExplainedSubject', 'Whose access is explained.', {
      type: { enum: ['user', 'login', 'api', 'embed'] },
      id: uuid,
      name: textOrNull,
      suborganization: textOrNull,
      rank: { ...textOrNull, description: 'Rank in the organization.' },
      role: { ...textOrNull, description: 'Role of an embed token.' },
      user: { ...orNull(reference), description: 'Of an authorization: its person or issuer.' },
      integration: { ...orNull(reference), description: 'Of an embed token: whose securables it was given.' },
      environment: textOrNull,
      ended: {
        type: 'boolean',
        description: 'True if the person is no member of the organization any more, or the authorization has ended.',
      },
    }),
    sees: {
      enum: ['record', 'outline', 'nothing'],
      description: 'What a get of the record shows; `outline` to Organization Owners who may not read it.',
    },
    problem: { ...orNull(problem), description: 'What a get of the record is refused with.' },
    ...members,
    datasets: {
      ...orNull(listOf(dataset, 'Each dataset that is linked to it.')),
      description: 'Of a dashboard; null otherwise.',
    },
  },
);
