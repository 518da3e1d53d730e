export interface FontFacts {
  readonly family: string;
  /** True if the licence permits embedding the font in documents. */
  readonly mayBeEmbedded: boolean;
}

interface Table {
  readonly offset: number;
  readonly length: number;
}

const kinds: readonly number[] = [0x00_01_00_00, 0x4f_54_54_4f, 0x74_72_75_65];
const maxTables = 64;
/** Tables that a font must have to draw text. */
const needed = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2'];

/** Returns the tables of a TrueType or OpenType file; null if the file is of another kind or truncated. */
function tablesOf(file: Buffer): ReadonlyMap<string, Table> | null {
  if (file.length < 12 || !kinds.includes(file.readUInt32BE(0))) return null;
  const count = file.readUInt16BE(4);
  if (count > maxTables || file.length < 12 + count * 16) return null;
  const tables = Array.from({ length: count }, (_, index) => {
    const at = 12 + index * 16;
    const tag = file.toString('latin1', at, at + 4);
    return [tag, { offset: file.readUInt32BE(at + 8), length: file.readUInt32BE(at + 12) }] as const;
  });
  return tables.every(([, { offset, length }]) => offset + length <= file.length) ? new Map(tables) : null;
}

/** Ids of the records that name the family, in order of preference: typographic, legacy. */
const familyNames = [16, 1];

function familyOf(file: Buffer, { offset, length }: Table): string {
  const names = file.subarray(offset, offset + length);
  if (names.length < 6) return '';
  const [count, texts] = [names.readUInt16BE(2), names.readUInt16BE(4)];
  // Only the chosen record is decoded, since a file may have tens of thousands of long records.
  const decoders = new Map<number, () => string>();
  for (let index = 0; index < count && 18 + index * 12 <= names.length; index += 1) {
    const at = 6 + index * 12;
    const [platform, language, id] = [names.readUInt16BE(at), names.readUInt16BE(at + 4), names.readUInt16BE(at + 6)];
    const start = texts + names.readUInt16BE(at + 10);
    const bytes = names.subarray(start, start + names.readUInt16BE(at + 8));
    const isEnglish = platform === 1 ? language === 0 : language === 0x04_09;
    if (!familyNames.includes(id) || (decoders.has(id) && !isEnglish)) continue;
    decoders.set(id, () => (platform === 1 ? bytes.toString('latin1') : new TextDecoder('utf-16be').decode(bytes)));
  }
  return familyNames.map((id) => decoders.get(id)?.() ?? '').find((family) => family !== '') ?? '';
}

/**
 * True if `fsType` forbids embedding. Its lowest four bits are the licence, of which 2 forbids it; bit 9 permits only
 * bitmaps.
 */
const forbids = (type: number): boolean => (type & 0xf) === 2 || (type & 0x2_00) !== 0;

/** Reads the metadata of a TrueType or OpenType font; null if the bytes are no such font. */
export function readFont(file: Buffer): FontFacts | null {
  const tables = tablesOf(file);
  if (tables === null || !needed.every((name) => tables.has(name))) return null;
  if (!tables.has('glyf') && !tables.has('CFF ')) return null;
  const [names, os2] = [tables.get('name'), tables.get('OS/2')];
  if (names === undefined || os2 === undefined || os2.length < 10) return null;
  return { family: familyOf(file, names), mayBeEmbedded: !forbids(file.readUInt16BE(os2.offset + 8)) };
}
