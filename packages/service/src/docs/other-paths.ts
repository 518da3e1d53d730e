import { apiVersion, type JsonObject } from '@inlay/contract';
import { anyFile, fileKinds, uploadParameters } from '../resource/incoming/file.ts';
import { problemRefs } from './fixed-components.ts';
import { schemaRef } from './schema.ts';
import { taskFilePath, taskPath } from '../tasks/paths.ts';

const plainGet = (operationId: string, summary: string, type: string, schema: JsonObject): JsonObject => ({
  get: {
    operationId,
    summary,
    security: [],
    responses: { 200: { description: summary, content: { [type]: { schema } } } },
  },
});

const text: JsonObject = { type: 'string' };
const freeObject: JsonObject = { type: 'object', additionalProperties: true };
const status = (word: string, otherProperties: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { status: { type: 'string', const: word }, ...otherProperties },
  required: ['status'],
  additionalProperties: false,
});

/** File uploads, with bodies other than JSON. */
const upload: JsonObject = {
  post: {
    operationId: 'data-file',
    tags: ['data'],
    summary: 'Uploads a file as rows of a dataset.',
    description: `The body is the file, as ${anyFile} with its format in \`format\`. It may also have the content type of its format, and then needs no \`format\`: ${Object.values(fileKinds).flat().join(', ')}. The answer is that of a create on data.`,
    parameters: Object.entries(uploadParameters).map(([name, { description, schema }]) => ({
      name,
      in: 'query',
      required: false,
      description: `Must be ${description}.`,
      schema,
    })),
    requestBody: { required: true, content: { [anyFile]: { schema: { type: 'string', format: 'binary' } } } },
    // Generators accept a single binary content type per body, and skip operations with several.
    'x-inlay-content-types': Object.values(fileKinds).flat(),
    responses: {
      200: { description: 'Stored.', content: { 'application/json': { schema: schemaRef('DataCreated') } } },
      ...problemRefs(),
    },
  },
};

const taskId: JsonObject = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the task.',
  schema: { type: 'string', format: 'uuid' },
};

const ofTask = (operationId: string, summary: string, content: JsonObject): JsonObject => ({
  get: {
    operationId,
    tags: ['task'],
    summary,
    parameters: [taskId],
    responses: { 200: { description: summary, content }, ...problemRefs() },
  },
});

/** Paths that belong to no resource. */
export const otherPaths: JsonObject = {
  [`/${apiVersion}/data/file`]: upload,
  [taskPath('{id}')]: ofTask('task-status', 'The task.', { 'application/json': { schema: schemaRef('Task') } }),
  [taskFilePath('{id}')]: ofTask(
    'task-file',
    'The file of the task, for the person who requested it while they have the rights that it was made with.',
    { [anyFile]: { schema: { type: 'string', format: 'binary' } } },
  ),
  '/livez': plainGet('livez', 'Whether the process lives.', 'application/json', status('ok')),
  '/readyz': plainGet(
    'readyz',
    'Whether it takes requests: the store answers and it is not stopping.',
    'application/json',
    status('ready', {
      unreadable_secrets: {
        type: 'integer',
        minimum: 0,
        description: 'Stored secrets that this instance cannot open. Only where a key for secrets is missing.',
      },
    }),
  ),
  '/metrics': plainGet('metrics', 'Measurements for Prometheus.', 'text/plain', text),
  '/openapi.json': plainGet('openapi', 'This document.', 'application/json', freeObject),
  '/docs': plainGet('docs', 'The same as a page.', 'text/html', text),
  '/schemas/contents/0.1.99.json': plainGet(
    'contents-schema',
    'JSON Schema of the contents of dashboards.',
    'application/schema+json',
    freeObject,
  ),
};
