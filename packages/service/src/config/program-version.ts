import { readFileSync } from 'node:fs';
import { isObject, type Json } from '@inlay/contract';

export function programVersion(): string {
  const read: Json = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const stated = isObject(read) ? read['version'] : undefined;
  return typeof stated === 'string' ? stated : 'unknown';
}
