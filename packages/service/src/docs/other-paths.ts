import type { JsonObject } from '@inlay/contract';
import { fileKinds, uploadParameters } from '../resource/incoming/file.ts';
import { problemRefs } from './fixed-components.ts';
import { schemaRef } from './schema.ts';

const plain = (summary: string, type: string, status = '200'): JsonObject => ({
  get: {
    summary,
    security: [],
    responses: { [status]: { description: summary, content: { [type]: { schema: {} } } } },
  },
});

/** Uploads of files, which are no JSON. */
const upload: JsonObject = {
  post: {
    operationId: 'data-file',
    summary: 'Uploads a file as rows of a dataset.',
    description: 'The body is the file; its content type says which. The answer is that of a create on data.',
    parameters: Object.entries(uploadParameters).map(([name, says]) => ({
      ...{ name, in: 'query', required: false, description: `Must be ${says}.`, schema: { type: 'string' } },
    })),
    requestBody: {
      required: true,
      content: Object.fromEntries(
        Object.values(fileKinds).flatMap((types) =>
          types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
        ),
      ),
    },
    responses: {
      200: { description: 'Stored.', content: { 'application/json': { schema: schemaRef('DataCreated') } } },
      ...problemRefs(),
    },
  },
};

/** Paths beside those of resources. */
export const otherPaths: JsonObject = {
  '/0.1.0/data/file': upload,
  '/livez': plain('Whether the process lives.', 'application/json'),
  '/readyz': plain('Whether it takes requests: the store answers and it is not stopping.', 'application/json'),
  '/metrics': plain('Measurements for Prometheus.', 'text/plain'),
  '/openapi.json': plain('This document.', 'application/json'),
  '/docs': plain('The same as a page.', 'text/html'),
  '/schemas/contents/0.1.99.json': plain('JSON Schema of the contents of dashboards.', 'application/schema+json'),
};
