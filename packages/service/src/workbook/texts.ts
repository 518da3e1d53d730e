import type { Archive } from './archive.ts';
import { WorkbookFault } from './fault.ts';
import { parseWhole, unescaped } from './xml.ts';

/** Shared strings of a workbook. Cells refer to them by index. */
export interface Texts {
  readonly at: (index: number) => string | null;
}

/** Maximum number of characters in a cell, as in spreadsheet applications. */
export const maxCharacters = 32_767;

const blockBytes = 1024 ** 2;
/** Overhead per string in bytes, for its offset and length. */
const besideBytes = 8;

/** Packs strings into buffers outside the heap, because the heap would be too small for many strings. */
function createPack(maxBytes: number): Texts & { readonly add: (text: string) => void } {
  const blocks: Buffer[] = [];
  let places = new Uint32Array(1024);
  let lengths = new Uint32Array(1024);
  let count = 0;
  let filledBytes = blockBytes;
  let bytes = 0;
  const grown = (list: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
    const grownList = new Uint32Array(list.length * 2);
    grownList.set(list);
    return grownList;
  };
  return {
    add: (text) => {
      const length = Buffer.byteLength(text);
      bytes += length + besideBytes;
      if (bytes > maxBytes)
        throw new WorkbookFault(
          `its texts take more than ${Math.floor(maxBytes / 1024 ** 2)} MB; save it as CSV, which may be of any size`,
        );
      if (filledBytes + length > blockBytes) {
        blocks.push(Buffer.allocUnsafeSlow(blockBytes));
        filledBytes = 0;
      }
      if (count === places.length) [places, lengths] = [grown(places), grown(lengths)];
      const block = blocks.length - 1;
      blocks[block]?.write(text, filledBytes);
      places[count] = block * blockBytes + filledBytes;
      lengths[count] = length;
      filledBytes += length;
      count += 1;
    },
    at: (index) => {
      const place = index < count ? places[index] : undefined;
      if (place === undefined) return null;
      const start = place % blockBytes;
      return blocks[Math.floor(place / blockBytes)]?.toString('utf8', start, start + (lengths[index] ?? 0)) ?? null;
    },
  };
}

/** Reads the shared strings of a workbook. Raises WorkbookFault if they exceed `maxBytes`. */
export async function sharedTexts(archive: Archive, part: string, maxBytes: number): Promise<Texts> {
  const pack = createPack(maxBytes);
  if (!archive.has(part)) return pack;
  const at = { text: '', inside: false, phonetic: false };
  await parseWhole(archive, part, {
    opened: (name) => {
      if (name === 'si') at.text = '';
      if (name === 'rPh') at.phonetic = true;
      if (name === 't') at.inside = !at.phonetic;
    },
    text: (text) => {
      if (!at.inside) return;
      at.text += text;
      if (at.text.length > maxCharacters)
        throw new WorkbookFault(`it has a text of more than ${maxCharacters} characters`);
    },
    closed: (name) => {
      if (name === 't') at.inside = false;
      if (name === 'rPh') at.phonetic = false;
      if (name === 'si') pack.add(unescaped(at.text));
    },
  });
  return pack;
}
