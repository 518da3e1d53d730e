import type { JsonObject } from '@inlay/contract';
import { catalogue } from '../problems/catalogue.ts';
import { longestIdempotencyKey } from '../pipeline/identify.ts';
import { nullable, oneOfThem, schemaRef } from './schema.ts';
import { operators } from '../search/find.ts';

const text: JsonObject = { type: 'string' };

/** Returns the error codes by HTTP status, in the order of the catalogue. */
function codesByStatus(): ReadonlyMap<number, readonly string[]> {
  const byStatus = new Map<number, readonly string[]>();
  for (const [code, { status }] of Object.entries(catalogue))
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  return new Map([...byStatus].toSorted(([left], [right]) => left - right));
}

/** Response headers. */
export const headers = {
  XRequestId: { description: 'Names the request in logs; one that was sent is kept.', schema: text },
  ETag: { description: 'State of the single record; send it back as If-Match.', schema: text },
  RateLimit: { description: 'What is left of the limit, such as `"token";r=999;t=0`.', schema: text },
  RateLimitPolicy: { description: 'The limit itself, such as `"token";q=1000`.', schema: text },
  Location: {
    description: 'Address of the task; get it until its `status` is not `open` or `inprogress`.',
    schema: text,
  },
  PreferenceApplied: { description: '`respond-async`', schema: text },
  RetryAfter: { description: 'Seconds to wait before the request is sent again.', schema: { type: 'integer' } },
} as const satisfies Readonly<Record<string, JsonObject>>;

/** Request headers. */
export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'On a write: the first answer is kept and given again; the same key with another body is 409. On a read it has no effect.',
    schema: { type: 'string', minLength: 1, maxLength: longestIdempotencyKey },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'On update and delete: the ETag the record must still have; otherwise 409.',
    schema: text,
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Kept when it is 1 to 128 letters, digits and `. _ : -`; any other is replaced by one of the service.',
    schema: text,
  },
} as const satisfies Readonly<Record<string, JsonObject>>;

/** The request header that lets a task answer later. */
export const preferLater: JsonObject = {
  name: 'Prefer',
  in: 'header',
  description:
    '`respond-async`: the answer is 202 with a task that does the work, and its file is fetched later. Embed tokens are answered at once.',
  schema: { type: 'string' },
};

/** The ways to send credentials in a header. In a body, credentials are `key` and `token`. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: '<key>:<token>',
    description: '`Authorization: Bearer <key>:<token>`',
  },
  basic: { type: 'http', scheme: 'basic', description: 'The key as user name, the token as password.' },
} as const satisfies Readonly<Record<string, JsonObject>>;

const operatorNames = Object.keys(operators).flatMap((name) => [name, `$${name}`]);

/** Schemas that do not depend on a resource. */
export const fixedSchemas: JsonObject = {
  Problem: {
    description: 'The body of every answer that is not a success.',
    type: 'object',
    properties: {
      type: {
        type: 'object',
        properties: { code: { type: 'integer', description: 'The HTTP status.' }, description: text },
        required: ['code', 'description'],
        additionalProperties: false,
      },
      message: { ...text, description: 'What is wrong and how to mend it.' },
      code: { enum: Object.keys(catalogue), description: 'A stable word for programs.' },
      validation: {
        description: 'Every fault by its place, all of them at once.',
        type: 'object',
        additionalProperties: { type: 'array', items: text },
      },
      request_id: text,
    },
    required: ['type', 'message', 'code', 'request_id'],
    additionalProperties: false,
  },
  Deleted: { type: 'object', properties: { code: { const: 200 } }, required: ['code'], additionalProperties: false },
  Where: {
    description:
      'Members are AND-ed. `{"field": value}`, `{"field": [values]}` or `{"field": {operator: operand}}`; one language of a multilingual field is `"name.en"`, as in `{"name.en": {"iLike": "%sales%"}, "created_at": {"gte": "2026-01-01T00:00:00.000Z"}}`. Groups: `and`, `or`, `not`, with or without `$`. At most 8 deep and 200 terms.',
    type: 'object',
    additionalProperties: true,
    $comment: `Operators: ${operatorNames.join(' ')}`,
  },
  Order: {
    description: '`[["field", "asc"], ["other", "desc"]]`; one flat pair and plain names are accepted too.',
    type: 'array',
    maxItems: 10,
    items: { anyOf: [text, { type: 'array', items: text, minItems: 1, maxItems: 2 }] },
  },
  Include: {
    description: 'An association by its role; its records come along under the lowerCamelCase name, at most 3 deep.',
    type: 'object',
    properties: {
      model: text,
      as: nullable(text),
      attributes: nullable({ type: 'array', items: text }),
      where: nullable(schemaRef('Where')),
      required: { type: 'boolean', description: 'Default: false.' },
      order: nullable(schemaRef('Order')),
      limit: nullable({ type: 'integer', minimum: 0, maximum: 10_000 }),
      include: nullable({ type: 'array', items: schemaRef('Include') }),
    },
    additionalProperties: false,
    ...oneOfThem(['model', 'as']),
  },
};

const headerRefs = (names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.map((name) => [
      name === 'XRequestId' ? 'X-Request-Id' : name === 'ETag' ? name : name.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, '-'),
      { $ref: `#/components/headers/${name}` },
    ]),
  );

/** References to the headers of an answer that names a task. */
export const taskHeaders = headerRefs(['XRequestId', 'Location', 'PreferenceApplied', 'RateLimit', 'RateLimitPolicy']);

/** References to the headers of a successful answer. */
export const successHeaders = headerRefs(['XRequestId', 'ETag', 'RateLimit', 'RateLimitPolicy']);

/** Returns the schema of the problem body for each error status, with its possible codes. */
export const problemSchemas = (): JsonObject =>
  Object.fromEntries(
    [...codesByStatus()].map(([status, codes]) => [
      `Problem${status}`,
      { allOf: [schemaRef('Problem'), { properties: { code: { enum: codes } } }] },
    ]),
  );

/** Returns a response for each error status of the catalogue, with its codes. */
export function problemResponses(): JsonObject {
  const responses = [...codesByStatus()].map(([status, codes]) => {
    const entries = Object.entries(catalogue).filter(([code]) => codes.includes(code));
    const waits = status === 429 || status === 503;
    const described = entries.map(([code, { message }]) => `- \`${code}\`: ${message}`).join('\n');
    const response = {
      description: described,
      headers: headerRefs(waits ? ['XRequestId', 'RetryAfter'] : ['XRequestId']),
      content: { 'application/json': { schema: schemaRef(`Problem${status}`) } },
    };
    return [`Problem${status}`, response];
  });
  return Object.fromEntries(responses);
}

/** Returns references to the error responses, by status. */
export const problemRefs = (): JsonObject =>
  Object.fromEntries(
    [...codesByStatus().keys()].map((status) => [String(status), { $ref: `#/components/responses/Problem${status}` }]),
  );
