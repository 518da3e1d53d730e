/** Returns a table that names a family, in one record or in many. */
function nameTable(family: string, records: number): Buffer {
  const text = Buffer.from(family, 'utf16le').swap16();
  const record = [3, 1, 0x04_09, 1, text.length, 0];
  const values = [0, records, 6 + records * 12, ...Array.from({ length: records }, () => record).flat()];
  const head = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => head.writeUInt16BE(value, index * 2));
  return Buffer.concat([head, text]);
}

interface FontOptions {
  readonly fsType?: number;
  /** Records that name the family. */
  readonly records?: number;
}

/** Returns a TrueType file with the tables that every font has, and nothing drawn in them. */
export function fontFile(family: string, { fsType = 0, records = 1 }: FontOptions = {}): Buffer {
  const name = nameTable(family, records);
  const os2 = Buffer.alloc(10);
  os2.writeUInt16BE(fsType, 8);
  const empty = Buffer.alloc(4);
  const tables: readonly (readonly [string, Buffer])[] = [
    ...(['cmap', 'glyf', 'head', 'hhea', 'hmtx', 'maxp'] as const).map((tag) => [tag, empty] as const),
    ['name', name],
    ['OS/2', os2],
  ];
  const head = Buffer.alloc(12 + tables.length * 16);
  head.writeUInt32BE(0x00_01_00_00, 0);
  head.writeUInt16BE(tables.length, 4);
  let at = head.length;
  for (const [index, [tag, bytes]] of tables.entries()) {
    head.write(tag, 12 + index * 16, 'latin1');
    head.writeUInt32BE(at, 12 + index * 16 + 8);
    head.writeUInt32BE(bytes.length, 12 + index * 16 + 12);
    at += bytes.length;
  }
  return Buffer.concat([head, ...tables.map(([, bytes]) => bytes)]);
}
