import { SaxesParser, type SaxesAttributeNS } from 'saxes';
import type { Archive } from './archive.ts';
import { WorkbookFault } from './fault.ts';

export type Attributes = Readonly<Record<string, string>>;

/**
 * Callbacks for the elements of a part. Names have no prefix. Elements outside the namespace of the root element are
 * extensions, and are skipped.
 */
export interface Handlers {
  /**
   * Called for an opening tag. Attribute names have no prefix, except for references to other parts, which are always
   * `r:id`.
   */
  readonly opened: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly closed?: (name: string) => void;
}

/** Number of bytes to parse per step. All values found in them are in memory at the same time. */
const sliceBytes = 4096;
/** Maximum size of a tag, comment or text in bytes, since the parser buffers each as a whole. */
const maxPieceBytes = 2 * 1024 ** 2;
const deepest = 100;

function attributesOf(saxAttributes: Readonly<Record<string, SaxesAttributeNS>>): Attributes {
  const attributes: Record<string, string> = {};
  for (const { prefix, local, uri, value } of Object.values(saxAttributes))
    if (prefix === '') attributes[local] = value;
    else if (uri.endsWith('/relationships')) attributes[`r:${local}`] = value;
  return attributes;
}

/** Decodes escapes such as `_x000D_` in a text. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  const decodedText = text.replaceAll(/_x([0-9a-f]{4})_/giu, (escape, code: string) =>
    code === '0000' ? escape : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return decodedText.isWellFormed() ? decodedText : text;
}

/**
 * Parses one part of a workbook incrementally and yields after each step. The parser knows only the five predefined
 * entities of XML, so no entity can expand to a long text. Calls `took` with the number of bytes. Raises WorkbookFault.
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
        if (piece > maxPieceBytes) throw new WorkbookFault('a part of the workbook holds a piece that is too large');
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

/** Parses a part of a workbook to its end. */
export async function parseWhole(archive: Archive, part: string, handlers: Handlers): Promise<void> {
  for await (const _ of parsed(archive, part, handlers)) continue;
}
