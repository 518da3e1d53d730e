const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value & 0xff_ff, index * 2));
  return bytes;
};
const longs = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
};

const [em, ascent, descent] = [1000, 880, -120];

/** Returns the letters, each drawn by the second glyph: a table of format 12. */
function characterMap(letters: readonly number[]): Buffer {
  const groups = letters.map((letter) => longs(letter, letter, 1));
  const table = Buffer.concat([words(12, 0), longs(16 + groups.length * 12, 0, groups.length), ...groups]);
  return Buffer.concat([words(0, 1, 3, 10), longs(12), table]);
}

function names(family: string): Buffer {
  const entries = [
    [1, family],
    [2, 'Regular'],
    [4, family],
    [6, family.replaceAll(' ', '')],
  ] as const;
  const texts = entries.map(([, text]) => Buffer.from(text, 'utf16le').swap16());
  const starts = texts.map((_, index) => texts.slice(0, index).reduce((sum, { length }) => sum + length, 0));
  const records = entries.map(([id], index) => words(3, 1, 0x04_09, id, texts[index]?.length ?? 0, starts[index] ?? 0));
  return Buffer.concat([words(0, entries.length, 6 + 12 * entries.length), ...records, ...texts]);
}

/** A square as a glyph: one contour of four points. */
const square = Buffer.concat([words(1, 100, 0, 900, 800, 3, 0), Buffer.from([1, 1, 1, 1]), words(100, 0, 800, 0)]);
const glyph = Buffer.concat([square, words(0, 800, 0, -800)]);

/**
 * Returns a TrueType file that browsers read: squares a whole em wide for some letters, such as those of Chinese and
 * Japanese.
 */
export function wideFont(family: string, letters: string): Buffer {
  const codePoints = [...new Set(letters)].map((letter) => letter.codePointAt(0) ?? 0).toSorted((a, b) => a - b);
  const os2 = Buffer.alloc(78);
  [3, em, 400, 5].forEach((value, index) => os2.writeUInt16BE(value, index === 0 ? 0 : index * 2));
  os2.writeUInt16BE(ascent, 68);
  os2.writeInt16BE(descent, 70);
  os2.writeUInt16BE(ascent, 74);
  os2.writeUInt16BE(-descent, 76);
  const tables: readonly (readonly [string, Buffer])[] = [
    ['OS/2', os2],
    ['cmap', characterMap(codePoints)],
    ['glyf', glyph],
    [
      'head',
      Buffer.concat([
        longs(0x00_01_00_00, 0x00_01_00_00, 0, 0x5f_0f_3c_f5),
        words(0, em),
        longs(0, 0, 0, 0),
        words(100, 0, 900, 800, 0, 8, 2, 0, 0),
      ]),
    ],
    ['hhea', Buffer.concat([longs(0x00_01_00_00), words(ascent, descent, 0, em, ...Array(11).fill(0), 2)])],
    ['hmtx', words(em, 0, em, 100)],
    ['loca', words(0, 0, glyph.length / 2)],
    ['maxp', Buffer.concat([longs(0x00_01_00_00), words(2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)])],
    ['name', names(family)],
    ['post', longs(0x00_03_00_00, 0, 0, 0, 0, 0, 0, 0)],
  ];
  const padded = tables.map(([tag, bytes]) => [tag, bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)] as const);
  let at = 12 + tables.length * 16;
  const head = padded.map(([tag, bytes, rest]) => {
    const entry = Buffer.concat([Buffer.from(tag, 'latin1'), longs(0, at, bytes.length)]);
    at += bytes.length + rest.length;
    return entry;
  });
  const start = Buffer.concat([longs(0x00_01_00_00), words(tables.length, 128, 3, tables.length * 16 - 128)]);
  return Buffer.concat([start, ...head, ...padded.flatMap(([, bytes, rest]) => [bytes, rest])]);
}
