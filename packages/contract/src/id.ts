const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** True for a UUID of any version. */
export const isUuid = (text: string): boolean => text.length === 36 && uuid.test(text);

/**
 * Returns a UUID version 7 (RFC 9562). Such ids sort by the time of their creation.
 * @param unixMs time of creation, in milliseconds since 1970, UTC
 * @param random a UUID version 4 that supplies the 74 random bits
 */
export function uuidV7(unixMs: number, random: string): string {
  const time = Math.max(0, Math.floor(unixMs)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

/** Returns the time at which a UUID version 7 was created, in milliseconds since 1970; null for other ids. */
export function timeOfId(id: string): number | null {
  if (!isUuid(id) || id[14] !== '7') return null;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
