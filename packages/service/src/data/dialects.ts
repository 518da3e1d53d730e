import { mysqlFor, postgres, type Dialect } from '@inlay/query';
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

/** Detects the SQL dialects of servers, and caches them for a while. */
export type AskDialects = (
  runners: SourceAsking,
  sources: Iterable<RowSource>,
  trace: RequestTrace,
  signal: AbortSignal,
) => Promise<DialectOf>;

const keepMs = 600_000;
const maxProbes = 1000;

/**
 * Returns a key for the server of a source. Another revision of the account or another override may lead to a different
 * server.
 */
const placeOf = ({ resolved: { account, overriddenBy } }: SqlSource): string =>
  `${account.id} ${account.revision} ${overriddenBy ?? ''}`;

/**
 * Creates a function that detects dialects. MySQL and MariaDB servers differ in collations, and support named time
 * zones only if their zone tables are loaded. PostgreSQL needs no detection. Raises SourceProblem if a server is
 * unreachable.
 */
export function createAskDialects(nowMs: () => number): AskDialects {
  const probes = new Map<string, DialectProbe>();
  return async (runners, sources, trace, signal) => {
    const dialects = new Map<string, Dialect>();
    for (const source of sources) {
      if (source.kind !== 'sql' || source.connector.dialect !== 'mysql') continue;
      const place = placeOf(source);
      const earlierProbe = probes.get(place);
      const { connector, resolved } = source;
      const probe: DialectProbe =
        earlierProbe !== undefined && earlierProbe.untilMs > nowMs()
          ? earlierProbe
          : {
              dialect: atSource(runners, resolved, trace, async (params) =>
                mysqlFor(await connector.features(params, signal)),
              ),
              untilMs: nowMs() + keepMs,
            };
      probes.delete(place);
      probes.set(place, probe);
      for (const oldest of probes.keys()) {
        if (probes.size <= maxProbes) break;
        probes.delete(oldest);
      }
      try {
        dialects.set(place, await probe.dialect);
      } catch (error) {
        probes.delete(place);
        throw error;
      }
    }
    return (source) => dialects.get(placeOf(source)) ?? postgres;
  };
}
