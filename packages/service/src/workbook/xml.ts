import { SaxesParser } from 'saxes';
import type { Archive } from './archive.ts';
import { WorkbookFault } from './fault.ts';

export type Attributes = Readonly<Record<string, string>>;

export interface Handlers {
  readonly opened: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly closed?: (name: string) => void;
}

/** Bytes that are parsed at once: what they may stand for, by references to long texts, is held at once too. */
const sliceBytes = 4096;
/** Bytes of one tag, comment or text, which the parser holds. */
const mostPieceBytes = 2 * 1024 ** 2;
const deepest = 100;

/**
 * Feeds one part of a workbook through a parser, some at a time; yields after each. Entities other than the five of XML are not
 * known to the parser, so none can expand. Raises WorkbookFault.
 */
export async function* parsed(archive: Archive, part: string, handlers: Handlers): AsyncGenerator<void> {
  const parser = new SaxesParser();
  let piece = 0;
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    piece = 0;
    if ((depth += 1) > deepest) throw new WorkbookFault('a part of the workbook is nested too deeply');
    handlers.opened(name.replace(/^.*:/u, ''), attributes);
  });
  parser.on('closetag', ({ name }) => {
    piece = 0;
    depth -= 1;
    handlers.closed?.(name.replace(/^.*:/u, ''));
  });
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('error', () => {
    throw new WorkbookFault('a part of the workbook is not XML');
  });
  const decoder = new TextDecoder();
  const stream = await archive.read(part);
  try {
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) continue;
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
