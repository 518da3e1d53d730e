import type { Readable } from 'node:stream';
import type { SourceRows } from '../connector.ts';
import { SourceProblem } from '../problem.ts';
import { withAllDigits } from '../session/all-digits.ts';
import { batchBytes, rowBytes } from '../session/row-intake.ts';
import { errorIn } from './failure.ts';
import { cellReader } from './types.ts';

const maxRowMb = 64;
const maxErrorBytes = 65_536;
const lineEnd = 0x0a;

export interface AnswerColumn {
  readonly name: string;
  readonly type: string;
}

/** Returns the lists in lines of JSON; null if a line is not a list, because the server reports an error there. */
function listsIn(lines: string): readonly (readonly unknown[])[] | null {
  try {
    const lists = withAllDigits(lines)
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    return lists.every((list) => Array.isArray(list)) ? lists : null;
  } catch {
    return null;
  }
}

/**
 * The rows of an answer in the format `JSONCompactEachRowWithNamesAndTypes`: a line for the names of the columns, one for
 * their types, and one for each row. Reads the answer as fast as the rows are taken.
 */
export class AnswerRows {
  readonly #chunks: AsyncIterator<unknown>;
  #columns: readonly AnswerColumn[] | undefined;
  #readers: readonly ((value: unknown) => SourceRows[number][number])[] = [];
  /** Bytes of a line whose end has not arrived. */
  #partial: Buffer[] = [];
  #partialBytes = 0;
  #lists: readonly (readonly unknown[])[] = [];
  #next = 0;

  constructor(answer: Readable) {
    // Without this listener, an error while nobody reads would end the process.
    answer.on('error', () => undefined);
    this.#chunks = answer[Symbol.asyncIterator]();
  }

  /** Returns the columns; none if the statement has no result. Raises ClickhouseError and SourceProblem. */
  async columns(): Promise<readonly AnswerColumn[]> {
    if (this.#columns !== undefined) return this.#columns;
    const names = (await this.#list()) ?? [];
    const types = (await this.#list()) ?? [];
    this.#columns = names.map((name, index) => ({ name: String(name), type: String(types[index]) }));
    this.#readers = this.#columns.map(({ type }) => cellReader(type));
    return this.#columns;
  }

  /**
   * Returns up to `count` further rows, fewer if they are large. Returns an empty list at the end. Raises
   * ClickhouseError, SourceProblem, and errors of the connection.
   */
  async read(count: number): Promise<SourceRows> {
    await this.columns();
    const rows: SourceRows[number][] = [];
    for (let bytes = 0; rows.length < count && bytes < batchBytes; this.#next += 1) {
      // Only waits where no row is left, since most rows have arrived with the one before.
      const list = this.#lists[this.#next] ?? (await this.#refill());
      if (list === undefined) break;
      const row = this.#readers.map((reader, index) => reader(list[index]));
      rows.push(row);
      bytes += rowBytes(row);
    }
    return rows;
  }

  async #list(): Promise<readonly unknown[] | undefined> {
    const list = this.#lists[this.#next] ?? (await this.#refill());
    this.#next += 1;
    return list;
  }

  /** Reads further lines. Returns the first list in them; undefined at the end. */
  async #refill(): Promise<readonly unknown[] | undefined> {
    for (;;) {
      this.#lists = [];
      this.#next = 0;
      const lines = await this.#lines();
      if (lines === undefined) return undefined;
      const lists = lines === '' ? [] : listsIn(lines);
      if (lists === null) throw await this.#error(lines);
      this.#lists = lists;
      if (lists.length > 0) return lists[0];
    }
  }

  /** Returns the next lines that have arrived whole; undefined at the end. */
  async #lines(): Promise<string | undefined> {
    for (;;) {
      const chunk = await this.#chunk();
      if (chunk === undefined) {
        const rest = this.#partial.splice(0);
        return rest.length === 0 ? undefined : Buffer.concat(rest).toString();
      }
      const end = chunk.lastIndexOf(lineEnd);
      if (end >= 0) {
        const lines = Buffer.concat([...this.#partial, chunk.subarray(0, end)]).toString();
        this.#partial = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
        this.#partialBytes = chunk.length - end - 1;
        return lines;
      }
      this.#partial.push(chunk);
      this.#partialBytes += chunk.length;
      if (this.#partialBytes > maxRowMb * 1024 ** 2)
        throw new SourceProblem('query', `The query gives a row of more than ${maxRowMb} MB.`);
    }
  }

  async #chunk(): Promise<Buffer | undefined> {
    const { done, value } = await this.#chunks.next();
    if (done === true) return undefined;
    if (!Buffer.isBuffer(value)) throw new SourceProblem('failed', 'The host answers, but not as a database does.');
    return value;
  }

  /** Reads the rest of an answer that ends with an error. */
  async #error(lines: string): Promise<Error> {
    let text = lines;
    try {
      for (
        let rest = await this.#lines();
        rest !== undefined && text.length < maxErrorBytes;
        rest = await this.#lines()
      )
        text += `\n${rest}`;
    } catch {
      // The server ends the connection after the error.
    }
    const start = Math.max(0, text.lastIndexOf('Code: '));
    return (
      errorIn(text.slice(start, start + maxErrorBytes)) ??
      new SourceProblem('failed', 'The host answers, but not as a database does.')
    );
  }
}
