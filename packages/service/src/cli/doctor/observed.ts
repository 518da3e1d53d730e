import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { isListed } from '../../outbound/policy.ts';
import type { ObservationKind, Tally } from '../../observations/kinds.ts';
import { observedDays } from '../../observations/observations.ts';
import { readObservations } from '../../observations/read.ts';
import type { Rows } from '../../store/secrets/sealed-keys.ts';
import { list, sql } from '../../store/sql.ts';
import { warn, type Finding } from './finding.ts';
import { nameIn } from './record-name.ts';

/** Returns the folder in which instances record their observations. */
export const observationsIn = ({ dataDir }: Config): string => join(dataDir, 'work', 'observations');

const maxShown = 5;
const cacheFrom = { count: 100, meanMs: 100 };
const indexFrom = { count: 20, meanMs: 500 };

/**
 * True if the current settings allow an address that was refused earlier. Always false for host names unless private
 * hosts are allowed, since names may resolve differently.
 */
function isAllowedNow(place: string, { allowPrivateHosts, allowHosts }: Config): boolean {
  const at = place.lastIndexOf(':');
  const policy = { allowPrivateHosts, allowHosts };
  return (
    allowPrivateHosts || isListed(place.slice(0, at).replace(/^\[(.*)\]$/u, '$1'), Number(place.slice(at + 1)), policy)
  );
}

const meanMs = ({ count, totalMs }: Tally): number => Math.round(totalMs / Math.max(1, count));

async function namesOf(
  store: Rows,
  table: 'securable' | 'column',
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows =
    table === 'securable'
      ? await store.rows(sql`select id, record from securable where id in ${list(ids)}`)
      : await store.rows(sql`select id, record from "column" where id in ${list(ids)}`);
  return new Map(rows.map(({ id, record }) => [String(id), nameIn(record)]));
}

/** Returns the frequent and slow observations of a kind, ordered by total time, longest first. */
const worstEntries = (
  folder: string,
  kind: ObservationKind,
  from: { readonly count: number; readonly meanMs: number },
) =>
  [...readObservations(folder, kind)]
    .filter(([, tally]) => tally.count >= from.count && meanMs(tally) >= from.meanMs)
    .toSorted(([, left], [, right]) => right.totalMs - left.totalMs)
    .slice(0, maxShown);

const describe = (tally: Tally): string => `${tally.count} queries took ${meanMs(tally)} ms on average at their source`;

/** Reports observations of the last days that would improve with different settings, a cache or an index. */
export async function checkObserved(store: Rows, config: Config): Promise<readonly Finding[]> {
  const folder = observationsIn(config);
  const uncachedEntries = worstEntries(folder, 'uncached', cacheFrom);
  const filteredEntries = worstEntries(folder, 'filtered', indexFrom);
  const pairs = filteredEntries.map(([key]) => key.split(' '));
  const datasets = await namesOf(store, 'securable', [
    ...uncachedEntries.map(([id]) => id),
    ...pairs.map(([dataset = '']) => dataset),
  ]);
  const columns = await namesOf(
    store,
    'column',
    pairs.map(([, column = '']) => column),
  );
  const datasetLabel = (id: string): string => `"${datasets.get(id) ?? ''}" (${id})`;
  const describeFrequent = (kind: ObservationKind, isAllowed: (key: string) => boolean): string =>
    [...readObservations(folder, kind)]
      .filter(([key]) => !isAllowed(key))
      .toSorted(([, left], [, right]) => right.count - left.count)
      .slice(0, maxShown)
      .map(([key, { count }]) => `${key} (${count} times)`)
      .join(', ');
  // Skips earlier refusals that the current settings would allow.
  const origins = describeFrequent('origin', (origin) => config.corsOrigins.includes(origin));
  const hosts = describeFrequent('host', (place) => isAllowedNow(place, config));
  return [
    ...uncachedEntries
      .filter(([id]) => datasets.has(id))
      .map(([id, tally]) =>
        warn(
          'cache',
          `dataset ${datasetLabel(id)}: ${describe(tally)}`,
          'If its rows may be some seconds old, set "cache" of the dataset to that number of seconds.',
        ),
      ),
    ...filteredEntries
      .filter(([key]) => datasets.has(key.split(' ')[0] ?? ''))
      .map(([key, tally]) => {
        const [dataset = '', column = ''] = key.split(' ');
        return warn(
          'row filters',
          `dataset ${datasetLabel(dataset)}, filtered by "${columns.get(column) ?? column}": ${describe(tally)}`,
          'An index of the source on this column helps; see docs/guides/connecting.md.',
        );
      }),
    ...(origins === ''
      ? []
      : [
          warn(
            'cross-origin requests',
            `pages of these sites called the API and were refused by the browser in the last ${observedDays} days: ${origins}`,
            'If they are yours, add them to INLAY_CORS_ORIGINS.',
          ),
        ]),
    ...(hosts === ''
      ? []
      : [
          warn(
            'addresses',
            `sources or plugins at these addresses were refused in the last ${observedDays} days: ${hosts}`,
            'If they are yours, add their network and port to INLAY_ALLOW_HOSTS.',
          ),
        ]),
  ];
}
