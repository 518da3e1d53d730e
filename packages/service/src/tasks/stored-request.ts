import { objectOr, textOr, type JsonObject } from '@inlay/contract';
import type { CallerReference } from '../callers/caller-of.ts';
import { servedOperations, type ServedOperation } from '../declare/served-spec.ts';

/** A request that a task answers later. */
export interface StoredRequest {
  readonly caller: CallerReference;
  readonly operation: ServedOperation;
  /** `find` of a get, or the checked properties of a create. */
  readonly input: JsonObject;
  readonly lines: boolean;
}

export const writeStoredRequest = ({ caller: { kind, id }, operation, input, lines }: StoredRequest): JsonObject => ({
  caller: { kind, id },
  operation,
  asked: input,
  lines,
});

/** Parses the output of `writeStoredRequest`. */
export function readStoredRequest(stored: JsonObject): StoredRequest {
  const { operation, asked, lines } = stored;
  const { kind, id } = objectOr(stored['caller']);
  return {
    caller: { kind: kind === 'person' ? 'person' : 'authorization', id: textOr(id, '') },
    operation: servedOperations.find((name) => name === operation) ?? 'get',
    input: objectOr(asked),
    lines: lines === true,
  };
}
