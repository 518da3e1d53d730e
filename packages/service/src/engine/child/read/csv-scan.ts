import { chunksOf } from './chunks.ts';

/** Line ending of records in a CSV file. */
export type RecordEnd = '\n' | '\r\n' | '\r';

/** A quote that makes the rest of a file ambiguous. Line and column count from 1; the column counts characters. */
export interface QuoteFault {
  readonly kind: 'unclosed' | 'followed';
  readonly line: number;
  readonly column: number;
}

/** Result of scanning the bytes of a CSV file. */
export interface CsvScan {
  /** Number of non-blank records. */
  readonly records: number;
  /** Number of blank lines between records. */
  readonly blankBetween: number;
  readonly ends: ReadonlySet<RecordEnd>;
  /** True if there are spaces around quotes. */
  readonly hasSpacedQuotes: boolean;
  readonly fault: QuoteFault | null;
}

const quote = 0x22;
const space = 0x20;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** `closing`: after a quote within a quoted field; `spaced`: after leading spaces of a field. */
type State = 'start' | 'spaced' | 'plain' | 'quoted' | 'closing' | 'closed';

/** Length of the byte order mark of a file, in bytes. */
async function markBytes(path: string): Promise<number> {
  const mark = Buffer.from('\uFEFF');
  for await (const chunk of chunksOf(path, 0)) return chunk.subarray(0, mark.length).equals(mark) ? mark.length : 0;
  return 0;
}

/** Converts a byte offset to line and column. */
async function placeOf(path: string, offset: number): Promise<{ readonly line: number; readonly column: number }> {
  let line = 1;
  let column = 1;
  const begin = await markBytes(path);
  let remaining = offset - begin;
  let previousByte = 0;
  for await (const chunk of chunksOf(path, begin)) {
    for (const byte of chunk.subarray(0, remaining)) {
      const isPair = byte === lineFeed && previousByte === carriageReturn;
      const isEnd = byte === lineFeed || byte === carriageReturn;
      if (isEnd && !isPair) line += 1;
      if (isEnd) column = 1;
      // Continuation bytes of UTF-8 do not start a character.
      else if ((byte & 0xc0) !== 0x80) column += 1;
      previousByte = byte;
    }
    remaining -= chunk.length;
    if (remaining <= 0) break;
  }
  return { line, column };
}

/** Counts the records of a CSV file. It verifies the row count of the reader, so it shares no code with the reader. */
class RecordCounter {
  readonly ends = new Set<RecordEnd>();
  records = 0;
  blankBetween = 0;
  hasSpacedQuotes = false;
  readonly #delimiter: number;
  #state: State = 'start';
  #blank = 0;
  #isBlank = true;
  #isAfterReturn = false;
  /** Offsets in the file: of the next bytes to scan, and of the opening and closing quote of the last quoted field. */
  #offset = 0;
  #opened = 0;
  #closed = 0;
  #isFollowed = false;

  constructor(delimiter: string, start: number) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#offset = start;
  }

  get fault(): { readonly kind: QuoteFault['kind']; readonly offset: number } | null {
    if (this.#isFollowed) return { kind: 'followed', offset: this.#closed };
    return this.#state === 'quoted' ? { kind: 'unclosed', offset: this.#opened } : null;
  }

  /** Scans bytes. Returns false once a fault is found, since no more bytes are needed. */
  take(bytes: Buffer): boolean {
    const delimiter = this.#delimiter;
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === 'quoted') {
        const quoteAt = bytes.indexOf(quote, at);
        if (quoteAt < 0) break;
        this.#closed = this.#offset + quoteAt;
        this.#state = 'closing';
        at = quoteAt + 1;
        continue;
      }
      let byte = bytes[at] ?? 0;
      if (this.#state === 'plain') {
        while (byte !== delimiter && byte !== lineFeed && byte !== carriageReturn && (at += 1) < bytes.length)
          byte = bytes[at] ?? 0;
        if (at === bytes.length) break;
      }
      this.#step(byte, this.#offset + at);
      if (this.#isFollowed) return false;
      at += 1;
    }
    this.#offset += bytes.length;
    return true;
  }

  finish(): void {
    if (this.#isAfterReturn) this.ends.add('\r');
    if (!this.#isBlank) this.#endRecord();
  }

  #step(byte: number, offset: number): void {
    if (this.#isAfterReturn) {
      this.#isAfterReturn = false;
      this.ends.add(byte === lineFeed ? '\r\n' : '\r');
      if (byte === lineFeed) return;
    }
    if (byte === lineFeed || byte === carriageReturn) {
      this.#endRecord();
      if (byte === lineFeed) this.ends.add('\n');
      else this.#isAfterReturn = true;
      return;
    }
    this.#isBlank = false;
    if (byte === this.#delimiter) this.#state = 'start';
    else if (byte === quote) this.#takeQuote(offset);
    else if (byte === space && this.#state !== 'plain') this.#takeSpace();
    else if (this.#state === 'closing' || this.#state === 'closed') this.#isFollowed = true;
    else this.#state = 'plain';
  }

  #takeQuote(offset: number): void {
    if (this.#state === 'closed') this.#isFollowed = true;
    else if (this.#state !== 'plain') {
      if (this.#state === 'spaced') this.hasSpacedQuotes = true;
      if (this.#state !== 'closing') this.#opened = offset;
      this.#state = 'quoted';
    }
  }

  #takeSpace(): void {
    if (this.#state === 'start') this.#state = 'spaced';
    if (this.#state !== 'closing') return;
    this.hasSpacedQuotes = true;
    this.#state = 'closed';
  }

  #endRecord(): void {
    if (this.#isBlank) this.#blank += 1;
    else {
      if (this.records > 0) this.blankBetween += this.#blank;
      this.records += 1;
      this.#blank = 0;
    }
    this.#isBlank = true;
    this.#state = 'start';
  }
}

/** Scans a CSV file in UTF-8 from the byte `start` up to its first fault. The delimiter must be ASCII. */
export async function scanCsv(path: string, start: number, delimiter: string): Promise<CsvScan> {
  const counter = new RecordCounter(delimiter, start);
  for await (const chunk of chunksOf(path, start)) if (!counter.take(chunk)) break;
  const { fault } = counter;
  counter.finish();
  const { records, blankBetween, ends, hasSpacedQuotes } = counter;
  return {
    records,
    blankBetween,
    ends,
    hasSpacedQuotes,
    fault: fault === null ? null : { kind: fault.kind, ...(await placeOf(path, fault.offset)) },
  };
}
