/** A TrueType file with the tables that every font has, and nothing drawn in them. */
export function fontFile(family: string, { fsType = 0 }: { readonly fsType?: number } = {}): Buffer {
  const text = Buffer.from(family, 'utf16le').swap16();
  const name = Buffer.alloc(18 + text.length);
  [0, 1, 18, 3, 1, 0x04_09, 1, text.length, 0].forEach((value, index) => name.writeUInt16BE(value, index * 2));
  text.copy(name, 18);
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
