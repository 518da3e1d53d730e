import { isList, isObject, textOr, type Json } from '@inlay/contract';
import type { RowAccess } from '../tracing/call-context.ts';
import { rights } from '../declare/roles.ts';

/** Serializes the rights with which the rows of a file were read. */
export function accessText(accesses: readonly RowAccess[]): string {
  return JSON.stringify([...new Map(accesses.map((access) => [JSON.stringify(access), access])).values()]);
}

/** Parses the output of `accessText`. Returns null for any other JSON. */
export function readAccess(stored: string): readonly RowAccess[] | null {
  const parsed: Json = JSON.parse(stored);
  if (!isList(parsed)) return null;
  const accesses = parsed.flatMap((value): readonly RowAccess[] => {
    if (!isObject(value)) return [];
    const { datasetIds = null, digest } = value;
    const right = rights.find((name) => name === value['right']);
    if (!isList(datasetIds) || right === undefined || typeof digest !== 'string') return [];
    return [{ datasetIds: datasetIds.map((id) => textOr(id, '')), right, digest }];
  });
  return accesses.length === parsed.length ? accesses : null;
}
