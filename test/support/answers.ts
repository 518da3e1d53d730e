import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApi } from '../../packages/service/src/docs/openapi.ts';
import { createRegistry } from '../../packages/service/src/resource/registry.ts';
import { resources } from '../../packages/service/src/resources/index.ts';

const member = (value: Json | undefined, name: string): Json | undefined =>
  value !== undefined && isObject(value) ? value[name] : undefined;

/** Returns the OpenAPI description as a value, and a compiler of the schemas in it. */
export function compileDocument(): {
  readonly document: JsonObject;
  readonly compile: (pointer: string) => ValidateFunction;
} {
  const document = openApi(createRegistry(resources));
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false });
  formats.default(ajv);
  ajv.addSchema({ ...document, $id: 'inlay:openapi' });
  const compiled = new Map<string, ValidateFunction>();
  return {
    document,
    compile: (pointer) => {
      const held = compiled.get(pointer) ?? ajv.compile({ $ref: `inlay:openapi${pointer}` });
      compiled.set(pointer, held);
      return held;
    },
  };
}

type Compiled = ReturnType<typeof compileDocument>;
const kept: { compiled?: Compiled } = {};

function pointerOf({ document }: Compiled, path: string, operation: string): string | undefined {
  const post = member(member(member(document, 'paths'), `/0.1.0/${path}`), 'post');
  const answer = member(member(member(post, 'x-inlay-operations'), operation), 'answer');
  const pointer = member(answer, '$ref');
  return typeof pointer === 'string' ? pointer : undefined;
}

/** Where a successful answer differs from the OpenAPI description, in words; undefined if it does not. */
export function differencesOf(path: string, operation: string, body: string): string | undefined {
  const compiled = (kept.compiled ??= compileDocument());
  const value: Json = JSON.parse(body);
  const isSearch = operation === 'get' && Array.isArray(member(value, 'rows')) && member(value, 'id') === undefined;
  const name = isSearch ? 'search' : operation;
  const pointer = pointerOf(compiled, path, name) ?? pointerOf(compiled, path, operation);
  const validate = pointer === undefined ? undefined : compiled.compile(pointer);
  if (validate?.(value) === true) return undefined;
  const differences = (validate?.errors ?? [])
    .slice(0, 5)
    .map((error) => `  ${error.instancePath} ${error.message ?? ''} ${JSON.stringify(error.params)}`);
  const where =
    pointer === undefined ? 'The OpenAPI description has no such operation' : `An answer differs from ${pointer}`;
  return [`${where}: ${name} on ${path}`, ...differences, body.slice(0, 600)].join('\n');
}

/**
 * Holds a successful answer against the OpenAPI description. Raises an Error that says where it differs, and prints it:
 * what is raised inside the server is only seen as a 500.
 */
export function checkAnswer(path: string, operation: string, body: string): void {
  const differences = differencesOf(path, operation, body);
  if (differences === undefined) return;
  process.stderr.write(`${differences}\n`);
  throw new Error(differences);
}
