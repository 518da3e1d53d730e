import { apiVersion } from '@inlay/contract';
import { operators, type Operator } from '../search/find.ts';
import type { OperationName } from './describe.ts';

/** A step of the guide: what it is for, and its shell command. */
export interface Step {
  readonly operation: OperationName;
  readonly says: string;
  readonly run: string;
}

/** The start of every shell session: the address of the service, and the credentials printed at the first start. */
export const credentialsShell = `export INLAY=http://127.0.0.1:8080
export KEY='the key printed at the first start'
export TOKEN='the token printed with it'`;

/** The three places where credentials can be sent. */
export const authenticationShell = `# In a header
curl -sS "$INLAY/${apiVersion}/theme" -H "Authorization: Bearer $KEY:$TOKEN" \\
  -H 'Content-Type: application/json' -d '{"action": "search", "find": {}}'

# As HTTP Basic
curl -sS "$INLAY/${apiVersion}/theme" -u "$KEY:$TOKEN" \\
  -H 'Content-Type: application/json' -d '{"action": "search", "find": {}}'

# In the body
curl -sS "$INLAY/${apiVersion}/theme" -H 'Content-Type: application/json' \\
  -d '{"key": "'"$KEY"'", "token": "'"$TOKEN"'", "action": "search", "find": {}}'`;

/** A shell function that shortens the examples after it. */
export const shortShell = `inlay() {
  curl -sS "$INLAY/${apiVersion}/$1" -H "Authorization: Bearer $KEY:$TOKEN" \\
    -H 'Content-Type: application/json' -d "$2"
}
id() { sed 's/^{"id":"\\([^"]*\\)".*/\\1/'; }`;

/** Examples of every operation, in an order that works when pasted from top to bottom. */
export const steps: readonly Step[] = [
  {
    operation: 'create',
    says: '`properties` alone. Links can be made in the same request with `associations`; all of it or nothing is stored. The answer is the whole record.',
    run: `DASHBOARD=$(inlay dashboard '{"action": "create", "properties": {"name": {"en": "Sales"}}}' | id)
TAG=$(inlay tag '{"action": "create", "properties": {"name": {"en": "Quarterly"}}}' | id)
echo "$DASHBOARD $TAG"`,
  },
  {
    operation: 'get',
    says: 'One record by its `id`. The answer carries an `ETag`.',
    run: `inlay dashboard '{"action": "get", "id": "'"$DASHBOARD"'"}'`,
  },
  {
    operation: 'search',
    says: '`find` alone. The answer is `{count, rows}`, where `count` is the total before `limit`; see Search.',
    run: `inlay dashboard '{"action": "search", "find": {
  "where": {"name.en": {"startsWith": "Sal"}},
  "attributes": ["name", "created_at"],
  "order": [["created_at", "desc"]],
  "limit": 10
}}'`,
  },
  {
    operation: 'update',
    says: '`id` and `properties`, holding only what changes. `null` clears a field or takes it back to its default. With `If-Match: <ETag>` the update is refused where somebody else was faster.',
    run: `inlay dashboard '{"action": "update", "id": "'"$DASHBOARD"'", "properties": {"description": {"en": "Revenue by region"}}}'`,
  },
  {
    operation: 'associate',
    says: '`id`, `resource` with `role` and `id`, and `properties` where the link has any. The answer is the record of `id`.',
    run: `inlay dashboard '{"action": "associate", "id": "'"$DASHBOARD"'", "resource": {"role": "Tags", "id": "'"$TAG"'"}}'
inlay dashboard '{"action": "get", "id": "'"$DASHBOARD"'", "find": {"include": [{"model": "Tags"}]}}'`,
  },
  {
    operation: 'dissociate',
    says: '`id` and `resource`. Undoing a link that is not there changes nothing and is no error.',
    run: `inlay dashboard '{"action": "dissociate", "id": "'"$DASHBOARD"'", "resource": {"role": "Tags", "id": "'"$TAG"'"}}'`,
  },
  {
    operation: 'delete',
    says: '`id`. The answer is `{"code": 200}`.',
    run: `inlay dashboard '{"action": "delete", "id": "'"$DASHBOARD"'"}'
inlay tag '{"action": "delete", "id": "'"$TAG"'"}'`,
  },
];

const operatorWords = {
  eq: 'Equal; null too.',
  ne: 'Not equal; null too.',
  gt: 'Greater, or later.',
  gte: 'Greater or equal.',
  lt: 'Less, or earlier.',
  lte: 'Less or equal.',
  in: 'One of; an empty list matches nothing.',
  notIn: 'None of.',
  like: 'Like a pattern: `%` any text, `_` one character.',
  notLike: 'Not like a pattern.',
  iLike: 'Like a pattern, without case.',
  notILike: 'Not like a pattern, without case.',
  between: 'From the first to the second, both included.',
  notBetween: 'Outside the two.',
  startsWith: 'Begins with.',
  endsWith: 'Ends with.',
  contains: 'Has inside.',
  isNull: 'Null, or with `false` not null.',
} as const satisfies Readonly<Record<Operator, string>>;

const operands = {
  value: '`"text"`',
  bound: '`"2026-01-01T00:00:00.000Z"`, `5`',
  list: '`["a", "b"]`',
  pattern: '`"%sales%"`',
  pair: '`[1, 9]`',
  text: '`"Sal"`',
  flag: '`true`',
} as const satisfies Readonly<Record<(typeof operators)[Operator], string>>;

/** Rows of the table of operators: name, meaning, example of an operand. */
export const operatorRows: readonly (readonly [string, string, string])[] = Object.entries(operators).map(
  ([name, takes]): readonly [string, string, string] => [
    name,
    Object.entries(operatorWords).find(([word]) => word === name)?.[1] ?? '',
    operands[takes],
  ],
);

/** Rows of the table of `find` members: name, form, meaning. */
export const findRows: readonly (readonly [string, string, string])[] = [
  [
    'where',
    '`{"field": value}`, `{"field": [values]}`, `{"field": {operator: operand}}`',
    'Members are AND-ed. `and`, `or` and `not` group, at most 8 deep and 200 terms. One language of a multilingual field is `"name.en"`.',
  ],
  [
    'search',
    '`{"keyphrase": "…", "match_types": ["name"]}`',
    'Every word must occur, without case and accents, in any language of the fields named; `name` where none is.',
  ],
  [
    'include',
    '`[{"model": "Users", "attributes": […], "where": {…}, "required": true}]`',
    'Associated records you may see, under the lowerCamelCase name of the association, at most 3 deep. `required` leaves out rows without one. What the link says stands in `link`.',
  ],
  ['attributes', '`["name", "created_at"]`', 'Only these fields; `id` always comes along.'],
  ['order', '`[["name", "asc"], ["created_at", "desc"]]`', 'Ties are broken by id.'],
  ['limit', '`100`', '0 to 10,000; 1,000 where not given.'],
  ['offset', '`0`', 'Rows to leave out first; far in, ask for the page after the last `id` instead.'],
  ['count', '`false`', 'Counts nothing; `count` of the answer is null.'],
];

/** A search that shows most of the grammar. */
export const searchExample = `inlay securable '{"action": "search", "find": {
  "where": {
    "type": "dashboard",
    "or": [
      {"name.en": {"iLike": "%sales%"}},
      {"created_at": {"gte": "2026-01-01T00:00:00.000Z"}}
    ]
  },
  "include": [{"model": "Tags", "attributes": ["name"]}],
  "attributes": ["name", "type"],
  "order": [["name.en", "asc"]],
  "limit": 20
}}'`;
