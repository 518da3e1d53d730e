import { isObject, type Json } from '@inlay/contract';

/** Returns the name in a stored record, in its first language. */
export function nameIn(record: unknown): string {
  const content: Json = typeof record === 'string' ? JSON.parse(record) : null;
  const name = isObject(content) ? (content['name'] ?? content['source_name']) : null;
  if (isObject(name ?? null)) return String(Object.values(name ?? {})[0] ?? '');
  return typeof name === 'string' ? name : '';
}
