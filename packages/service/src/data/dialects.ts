import type { Dialect } from '@inlay/query';
import type { RequestTrace } from '../tracing/trace.ts';
import { atSource, type SourceAsking } from './run/at-source.ts';
import type { SqlSource } from './choose.ts';
import type { RowSource } from './sources.ts';

/** Returns the SQL dialect of the server of a source. */
export type DialectOf = (source: SqlSource) => Dialect;

interface DialectProbe {
  readonly dialect: Promise<Dialect>;
  readonly untilMs: number;
}

const keepMs = 600_000;
const maxProbes = 1000;

/**
 * Returns a key for the server of a source. Another revision of the account or another override may lead to a different
 * server.
 */
const serverOf = ({ resolved: { account, overriddenBy } }: SqlSource): string =>
  `${account.id} ${account.revision} ${overriddenBy ?? ''}`;

/**
 * The SQL dialects of servers. Asks servers for their features where the dialect of their provider depends on them, and
 * caches the dialects for a while.
 */
export class Dialects {
  readonly #nowMs: () => number;
  readonly #probes = new Map<string, DialectProbe>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Returns a function with the dialect of each source. Raises SourceProblem if a server is unreachable. */
  async of(
    runners: SourceAsking,
    sources: Iterable<RowSource>,
    trace: RequestTrace,
    signal: AbortSignal,
  ): Promise<DialectOf> {
    const dialects = new Map<string, Dialect>();
    for (const source of sources) {
      if (source.kind !== 'sql') continue;
      const { dialect } = source.connector.traits;
      const server = serverOf(source);
      if (typeof dialect !== 'function') dialects.set(server, dialect);
      else {
        const probe = (): Promise<Dialect> =>
          atSource(runners, source.resolved, trace, async (params) =>
            dialect(await source.connector.features(params, signal)),
          );
        dialects.set(server, await this.#cached(server, probe));
      }
    }
    return (source) => {
      const dialect = dialects.get(serverOf(source));
      if (dialect === undefined) throw new Error('the dialect of a source was not looked up');
      return dialect;
    };
  }

  async #cached(server: string, probe: () => Promise<Dialect>): Promise<Dialect> {
    const cachedProbe = this.#probes.get(server);
    const isRecent = cachedProbe !== undefined && cachedProbe.untilMs > this.#nowMs();
    const current = isRecent ? cachedProbe : { dialect: probe(), untilMs: this.#nowMs() + keepMs };
    this.#probes.delete(server);
    this.#probes.set(server, current);
    for (const oldest of this.#probes.keys()) {
      if (this.#probes.size <= maxProbes) break;
      this.#probes.delete(oldest);
    }
    try {
      return await current.dialect;
    } catch (error) {
      this.#probes.delete(server);
      throw error;
    }
  }
}
