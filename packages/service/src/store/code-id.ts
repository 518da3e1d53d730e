import { createHash } from 'node:crypto';

/**
 * UUID namespace for the ids of locales and countries. The namespace is documented in docs/specification/resources.md
 * and must never change.
 */
export const codeNamespace = '5b3c1f0e-9d64-5a57-8e0b-2f6d1c7a4e90';

/**
 * Returns the id of a locale or country: the version 5 UUID of its code (RFC 9562).
 * specification/resources#locale-and-country
 */
export function codeId(code: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(codeNamespace.replaceAll('-', ''), 'hex'))
    .update(code)
    .digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
