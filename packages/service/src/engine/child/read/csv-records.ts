import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** Cells of a record; null is an empty one without quotes. A blank line has none. */
export type CsvRecord = readonly (string | null)[];

/**
 * Reads the records of a CSV text piece by piece. Spaces before an opening quote are no part of a cell, those behind a closing one
 * are; a quote within a cell without quotes is a character like others.
 */
export class CsvRecords {
  readonly #delimiter: string;
  readonly #took: (record: CsvRecord) => void;
  #state: 'start' | 'plain' | 'quoted' | 'closing' | 'closed' = 'start';
  #cells: (string | null)[] = [];
  #cell = '';
  #isAfterReturn = false;

  constructor(delimiter: string, onRecord: (record: CsvRecord) => void) {
    this.#delimiter = delimiter;
    this.#took = onRecord;
  }

  take(text: string): void {
    // Whole runs of characters, since a cell that grows by single ones takes 32 bytes of memory for each.
    for (let at = 0; at < text.length;) {
      const end = this.#endOfRun(text, at);
      if (end > at) this.#cell += text.slice(at, end);
      else this.#step(text[at] ?? '');
      at = Math.max(end, at + 1);
    }
  }

  /** Where characters end that only continue the cell; `from` where the first one does more. */
  #endOfRun(text: string, from: number): number {
    const isQuoted = this.#state === 'quoted';
    if (!isQuoted && (this.#state !== 'plain' || this.#isAfterReturn)) return from;
    let at = from;
    while (at < text.length && text[at] !== '"' && (isQuoted || !this.#ends(text[at]))) at += 1;
    return at;
  }

  #ends(sign: string | undefined): boolean {
    return sign === this.#delimiter || sign === '\n' || sign === '\r';
  }

  /** Ends the last record. */
  finish(): void {
    if (this.#state !== 'start' || this.#cell !== '' || this.#cells.length > 0) this.#endRecord();
  }

  #step(sign: string): void {
    if (this.#state === 'quoted') {
      if (sign === '"') this.#state = 'closing';
      else this.#cell += sign;
      return;
    }
    const isPair = this.#isAfterReturn && sign === '\n';
    this.#isAfterReturn = sign === '\r';
    if (isPair) return;
    if (sign === '\n' || sign === '\r') this.#endRecord();
    else if (sign === this.#delimiter) this.#endCell();
    else if (sign !== '"') {
      // Spaces at the start may come before a quote.
      if (this.#state === 'closing') this.#state = 'closed';
      else if (this.#state === 'start' && sign !== ' ') this.#state = 'plain';
      this.#cell += sign;
    } else if (this.#state === 'start') {
      this.#cell = '';
      this.#state = 'quoted';
    } else {
      this.#cell += sign;
      if (this.#state === 'closing') this.#state = 'quoted';
    }
  }

  #endCell(): void {
    const isEmpty = this.#cell === '' && (this.#state === 'start' || this.#state === 'plain');
    this.#cells.push(isEmpty ? null : this.#cell);
    this.#cell = '';
    this.#state = 'start';
  }

  #endRecord(): void {
    const isBlank = this.#state === 'start' && this.#cell === '' && this.#cells.length === 0;
    if (!isBlank) this.#endCell();
    const cells = this.#cells;
    this.#cells = [];
    this.#state = 'start';
    this.#took(cells);
  }
}

const quotedCell = (cell: string | null): string => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`);

/** Writes the records of a CSV file, from the byte `start` on, in the one way that every reader reads alike: texts in quotes, line feeds between records. */
export async function rewriteCsv(path: string, start: number, delimiter: string, to: string): Promise<void> {
  const file = await open(to, 'w', 0o600);
  try {
    let lines: string[] = [];
    const records = new CsvRecords(delimiter, (record) => {
      lines.push(record.map(quotedCell).join(delimiter));
    });
    const decoder = new TextDecoder();
    const write = async (): Promise<void> => {
      if (lines.length > 0) await file.appendFile(`${lines.join('\n')}\n`);
      lines = [];
    };
    for await (const chunk of createReadStream(path, { start, highWaterMark: 1024 * 1024 })) {
      if (!Buffer.isBuffer(chunk)) continue;
      records.take(decoder.decode(chunk, { stream: true }));
      await write();
    }
    records.finish();
    await write();
  } finally {
    await file.close();
  }
}
