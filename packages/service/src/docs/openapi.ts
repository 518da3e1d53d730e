import type { JsonObject } from '@inlay/contract';
import type { Registry } from '../resource/registry.ts';

/** The OpenAPI 3.1 document of the API. */
export const openApi = (registry: Registry): JsonObject => ({
  openapi: '3.1.0',
  paths: Object.fromEntries([...registry.paths.keys()].map((path) => [path, {}])),
});
