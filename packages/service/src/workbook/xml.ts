import { SaxesParser, type SaxesAttributeNS } from 'saxes';
import type { Archive } from './archive.ts';
import { WorkbookFault } from './fault.ts';

export type Attributes = Readonly<Record<string, string>>;

/** What is done with the elements of a part, by their names without prefix. Those of other namespaces than its root are extensions and left out. */
export interface Handlers {
  /** Attributes have their names without prefix, but for references to other parts: `r:id`, whatever the prefix is. */
  readonly opened: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly closed?: (name: string) => void;
}

/** Bytes that are parsed at once: what they may stand for, by references to long texts, is held at once too. */
const sliceBytes = 4096;
/** Bytes of one tag, comment or text, which the parser holds. */
const mostPieceBytes = 2 * 1024 ** 2;
const deepest = 100;

function attributesOf(all: Readonly<Record<string, SaxesAttributeNS>>): Attributes {
  const found: Record<string, string> = {};
  for (const { prefix, local, uri, value } of Object.values(all))
    if (prefix === '') found[local] = value;
    else if (uri.endsWith('/relationships')) found[`r:${local}`] = value;
  return found;
}

/** A text of a workbook, in which `_x000D_` is the character of that number. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  const decoded = text.replaceAll(/_x([0-9a-f]{4})_/giu, (escape, code: string) =>
    code === '0000' ? escape : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return decoded.isWellFormed() ? decoded : text;
}

/**
 * Feeds one part of a workbook through a parser, some at a time; yields after each. Entities other than the five of XML are not
 * known to the parser, so none can expand. `took` is given the bytes. Raises WorkbookFault.
 */
export async function* parsed(
  archive: Archive,
  part: string,
  handlers: Handlers,
  took: (bytes: Uint8Array) => void = () => undefined,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: true });
  let piece = 0;
  let depth = 0;
  let namespace: string | null = null;
  parser.on('opentag', ({ local, uri, attributes }) => {
    piece = 0;
    if ((depth += 1) > deepest) throw new WorkbookFault('a part of the workbook is nested too deeply');
    namespace ??= uri;
    if (uri === namespace) handlers.opened(local, attributesOf(attributes));
  });
  parser.on('closetag', ({ local, uri }) => {
    piece = 0;
    depth -= 1;
    if (uri === namespace) handlers.closed?.(local);
  });
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('cdata', (text) => handlers.text?.(text));
  parser.on('error', () => {
    throw new WorkbookFault('a part of the workbook is not XML');
  });
  const decoder = new TextDecoder();
  const stream = await archive.read(part);
  try {
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) continue;
      took(chunk);
      for (let from = 0; from < chunk.byteLength; from += sliceBytes) {
        const slice = chunk.subarray(from, from + sliceBytes);
        piece += slice.byteLength;
        if (piece > mostPieceBytes) throw new WorkbookFault('a part of the workbook holds a piece that is too large');
        parser.write(decoder.decode(slice, { stream: true }));
        yield;
      }
    }
    parser.close();
    yield;
  } catch (error) {
    throw error instanceof WorkbookFault ? error : new WorkbookFault('a part of the workbook is damaged');
  } finally {
    stream.destroy();
  }
}

/** Reads one part of a workbook to its end. */
export async function parseWhole(archive: Archive, part: string, handlers: Handlers): Promise<void> {
  for await (const _ of parsed(archive, part, handlers)) continue;
}
