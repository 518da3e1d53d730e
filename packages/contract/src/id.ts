const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** Whether a text has the form of a UUID of any version. */
export const isUuid = (text: string): boolean => text.length === 36 && uuid.test(text);

/**
 * A UUID of version 7, which sorts by the time it was made (RFC 9562, decision W8).
 * @param unixMs milliseconds since 1970, UTC
 * @param random at least 10 random bytes
 */
export function uuidV7(unixMs: number, random: Uint8Array): string {
  const time = Math.max(0, Math.floor(unixMs)).toString(16).padStart(12, '0');
  const hex = (from: number, to: number): string => {
    let digits = '';
    for (let at = from; at < to; at += 1) digits += (random[at] ?? 0).toString(16).padStart(2, '0');
    return digits;
  };
  const version = `7${hex(0, 2).slice(1)}`;
  const variant = (0x80 | ((random[2] ?? 0) & 0x3f)).toString(16) + hex(3, 4);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${hex(4, 10)}`;
}
