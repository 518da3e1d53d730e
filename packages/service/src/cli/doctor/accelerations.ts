import type { Config } from '../../config/config.ts';
import { copyMisses, type CopyMiss } from '../../data/copies/copy-choice.ts';
import { observedDays } from '../../observations/observations.ts';
import { readObservations } from '../../observations/read.ts';
import type { Rows } from '../../store/secrets/sealed-keys.ts';
import { list, sql } from '../../store/sql.ts';
import { warn, type Finding } from './finding.ts';
import { observationsIn } from './observed.ts';
import { nameIn } from './record-name.ts';

const maxShown = 5;
const minQueries = 20;

/** Why copies do not answer, and what to do about it. */
const reasons = {
  unaccelerated: [
    'their queries also read a dataset without an acceleration',
    'Create an acceleration for the other datasets of these queries, including those that row filters look up.',
  ],
  pending: ['the first refresh has not succeeded', 'See last_error of the acceleration.'],
  changed: [
    'the account, the table or the columns of the dataset have changed since the last refresh',
    'See last_error of the acceleration; a refresh makes the copy usable again.',
  ],
  override: [
    'tokens replace the connection (account_overrides)',
    'Such queries cannot read the copy; delete the acceleration if all tokens replace the connection.',
  ],
  too_old: [
    'the queries set max_age, and the copy was older',
    'Refresh more often (schedule), or have your pages allow older rows.',
  ],
  lost: ['the file of the copy was missing', 'See last_error of the acceleration; a refresh makes the copy anew.'],
} as const satisfies Record<CopyMiss, readonly [string, string]>;

/** The queries over an accelerated dataset, by outcome. */
interface Outcomes {
  readonly id: string;
  readonly total: number;
  readonly missed: number;
  readonly mostFrequent: CopyMiss;
}

function outcomesById(folder: string): readonly Outcomes[] {
  const counts = new Map<string, Map<string, number>>();
  for (const [key, { count }] of readObservations(folder, 'accelerated')) {
    const [id = '', outcome = ''] = key.split(' ');
    const ofId = counts.get(id) ?? new Map<string, number>();
    counts.set(id, ofId.set(outcome, count));
  }
  return [...counts].map(([id, ofId]) => {
    const misses = copyMisses
      .map((miss) => ({ miss, count: ofId.get(miss) ?? 0 }))
      .toSorted((left, right) => right.count - left.count);
    const missed = misses.reduce((sum, { count }) => sum + count, 0);
    return { id, total: missed + (ofId.get('hit') ?? 0), missed, mostFrequent: misses[0]?.miss ?? 'pending' };
  });
}

/** Reports rollups that were switched off because of a wrong answer. */
async function checkStoppedRollups(store: Rows): Promise<readonly Finding[]> {
  const rows = await store.rows(
    sql`select id from acceleration where record like ${'%"stopped_at"%'} order by id limit ${maxShown}`,
  );
  return rows.map(({ id }) =>
    warn(
      'rollups',
      `acceleration ${String(id)}: a rollup was switched off, because its answer differed from that of the copy`,
      'Queries read the copy. Report it; sending rollup_ids again switches the rollup on again.',
    ),
  );
}

/** Reports accelerations whose copies answered less than half of the queries of the last days, with the main reason, and stopped rollups. */
export async function checkAccelerations(store: Rows, config: Config): Promise<readonly Finding[]> {
  const missing = outcomesById(observationsIn(config))
    .filter(({ total, missed }) => total >= minQueries && missed * 2 > total)
    .toSorted((left, right) => right.missed - left.missed)
    .slice(0, maxShown);
  const stopped = await checkStoppedRollups(store);
  if (missing.length === 0) return stopped;
  const rows = await store.rows(
    sql`select a.id, s.id as dataset_id, s.record from acceleration a join securable s on s.id = a.securable_id
      where a.id in ${list(missing.map(({ id }) => id))}`,
  );
  const datasets = new Map(rows.map((row) => [String(row['id']), row]));
  const rarelyUsed = missing.flatMap(({ id, total, missed, mostFrequent }) => {
    const dataset = datasets.get(id);
    if (dataset === undefined) return [];
    const [reason, remedy] = reasons[mostFrequent];
    const label = `"${nameIn(dataset['record'])}" (${String(dataset['dataset_id'])})`;
    return [
      warn(
        'accelerations',
        `dataset ${label}: ${missed} of ${total} queries of the last ${observedDays} days read the source, mostly because ${reason}`,
        remedy,
      ),
    ];
  });
  return [...stopped, ...rarelyUsed];
}
