import type { SourceRows } from '../connector.ts';
import { batchBytes, rowBytes } from '../session/row-intake.ts';
import type { CallLimits, TrinoClient } from './client.ts';
import { mayPass } from './failure.ts';
import type { AnswerColumn, Page } from './pages.ts';
import { cellReader } from './types.ts';

/** A statement, and its headers beside those of the session. */
export interface TrinoStatement {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Result = { readonly page: Page } | { readonly error: unknown };

const settled = (page: Promise<Page>): Promise<Result> =>
  page.then(
    (value) => ({ page: value }),
    (error: unknown) => ({ error }),
  );

/** The rows of a statement at a cluster. Requests one page ahead of the reader. */
export class TrinoAnswer {
  readonly #client: TrinoClient;
  readonly #statement: TrinoStatement;
  readonly #limits: CallLimits;
  #ahead: Promise<Result> | null;
  #nextPath: string | null = null;
  #columns: readonly AnswerColumn[] = [];
  #readers: readonly ReturnType<typeof cellReader>[] = [];
  #rows: readonly (readonly unknown[])[] = [];
  #at = 0;
  #hasRows = false;
  #isRetried = false;
  #queryId: string | null = null;

  constructor(client: TrinoClient, statement: TrinoStatement, limits: CallLimits) {
    this.#client = client;
    this.#statement = statement;
    this.#limits = limits;
    this.#ahead = this.#post();
  }

  /** Id of the query at the cluster; null before the cluster has answered. */
  get queryId(): string | null {
    return this.#queryId;
  }

  /** The columns, once the first rows or the end have been read. */
  get columns(): readonly AnswerColumn[] {
    return this.#columns;
  }

  /**
   * Returns up to `count` further rows, fewer if they are large; an empty list at the end. Raises TrinoError,
   * SourceProblem, OutboundProblem.
   */
  async read(count: number): Promise<SourceRows> {
    while (this.#at >= this.#rows.length) if (!(await this.#advance())) return [];
    const rows: SourceRows[number][] = [];
    for (let bytes = 0; rows.length < count && bytes < batchBytes; this.#at += 1) {
      const cells = this.#rows[this.#at];
      if (cells === undefined) break;
      const row = this.#readers.map((reader, index) => reader(cells[index]));
      rows.push(row);
      bytes += rowBytes(row);
    }
    return rows;
  }

  /** Ends the statement at the cluster. Never throws. */
  async cancel(): Promise<void> {
    const path = this.#nextPath;
    if (path !== null) await this.#client.cancel(path);
  }

  #post(): Promise<Result> {
    return settled(this.#client.post(this.#statement.text, this.#statement.headers, this.#limits));
  }

  /** Takes the next page. Returns false at the end. */
  async #advance(): Promise<boolean> {
    if (this.#ahead === null) return false;
    const result = await this.#ahead;
    if ('error' in result) return this.#retryAfter(result.error);
    const { id, nextPath, columns, rows } = result.page;
    this.#queryId = id;
    this.#nextPath = nextPath;
    this.#ahead = nextPath === null ? null : settled(this.#client.page(nextPath, this.#limits));
    if (columns !== null && this.#columns.length === 0) {
      this.#columns = columns;
      this.#readers = columns.map(({ type }) => cellReader(type));
    }
    this.#rows = rows;
    this.#at = 0;
    this.#hasRows ||= rows.length > 0;
    return true;
  }

  /** Sends the statement once more if a node of the cluster has failed and no row has been returned yet. */
  #retryAfter(error: unknown): true {
    if (this.#isRetried || this.#hasRows || !mayPass(error)) throw error;
    this.#isRetried = true;
    this.#ahead = this.#post();
    return true;
  }
}
