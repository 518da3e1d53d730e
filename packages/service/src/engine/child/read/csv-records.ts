import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** The cells of a record. An empty cell without quotes is null. A blank line has no cells. */
export type CsvRecord = readonly (string | null)[];

/**
 * Reads the records of a CSV text, which arrives in pieces. Spaces before an opening quote do not belong to the cell,
 * but spaces after a closing quote do. A quote within a cell without quotes is a normal character.
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
    // Adds whole runs of characters to a cell: adding single characters would take 32 bytes of memory for each.
    for (let at = 0; at < text.length;) {
      const end = this.#endOfRun(text, at);
      if (end > at) this.#cell += text.slice(at, end);
      else this.#step(text[at] ?? '');
      at = Math.max(end, at + 1);
    }
  }

  /**
   * Returns the end of the run of characters that only continue the cell, starting at `from`. Returns `from` if the
   * first character does more than that.
   */
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

  /** Passes on the last record, which may not end in a line break. Call at the end of the text. */
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
      // A quote may follow spaces at the start of a cell, so a space does not change the state.
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

/**
 * Rewrites the records of a CSV file, from the byte offset `start` on, in a form that every CSV reader interprets in
 * the same way: cells in quotes, and line feeds between records.
 */
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
