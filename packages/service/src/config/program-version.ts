import { readFileSync } from 'node:fs';
import { isObject, type Json } from '@inlay/contract';

export function programVersion(): string {
  const manifest: Json = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const version = isObject(manifest) ? manifest['version'] : undefined;
  return typeof version === 'string' ? version : 'unknown';
}
