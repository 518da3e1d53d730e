import { mysqlFor, postgres, type Dialect } from '@inlay/query';
import type { RequestTrace } from '../tracing/trace.ts';
import { atSource, type SourceAsking } from './run/at-source.ts';
import type { SqlSource } from './choose.ts';
import type { RowSource } from './sources.ts';

/** The dialect that the server behind a source speaks. */
export type DialectOf = (source: SqlSource) => Dialect;

interface DialectProbe {
  readonly dialect: Promise<Dialect>;
  readonly untilMs: number;
}

/** Asks servers what they can do, and remembers it for a while. */
export type AskDialects = (
  runners: SourceAsking,
  sources: Iterable<RowSource>,
  trace: RequestTrace,
  signal: AbortSignal,
) => Promise<DialectOf>;

const keepMs = 600_000;
const most = 1000;

/** Where a source leads: another version of its account or another override is another server. */
const placeOf = ({ resolved: { account, overriddenBy } }: SqlSource): string =>
  `${account.id} ${account.revision} ${overriddenBy ?? ''}`;

/**
 * MySQL and MariaDB differ in collations, and know named zones only where somebody loaded them; PostgreSQL is alike
 * everywhere. Raises SourceProblem where a server that must be asked is out of reach.
 */
export function createAskDialects(nowMs: () => number): AskDialects {
  const held = new Map<string, DialectProbe>();
  return async (runners, sources, trace, signal) => {
    const found = new Map<string, Dialect>();
    for (const source of sources) {
      if (source.kind !== 'sql' || source.connector.dialect !== 'mysql') continue;
      const place = placeOf(source);
      const before = held.get(place);
      const { connector, resolved } = source;
      const asked: DialectProbe =
        before !== undefined && before.untilMs > nowMs()
          ? before
          : {
              dialect: atSource(runners, resolved, trace, async (params) =>
                mysqlFor(await connector.features(params, signal)),
              ),
              untilMs: nowMs() + keepMs,
            };
      held.delete(place);
      held.set(place, asked);
      for (const oldest of held.keys()) {
        if (held.size <= most) break;
        held.delete(oldest);
      }
      try {
        found.set(place, await asked.dialect);
      } catch (error) {
        held.delete(place);
        throw error;
      }
    }
    return (source) => found.get(placeOf(source)) ?? postgres;
  };
}
