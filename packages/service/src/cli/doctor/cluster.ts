import { inWords, parseObject } from '@inlay/contract';
import { publishJob } from '../../commands/publication.ts';
import { openPublishedFiles } from '../../cluster/open-files.ts';
import type { Config } from '../../config/config.ts';
import { tableCount } from '../../store/lease.ts';
import type { Rows } from '../../store/secrets/sealed-keys.ts';
import { sql } from '../../store/sql.ts';
import { dialectOf } from '../read-store.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const maxShown = 5;

async function checkFiles(store: Rows, config: Config): Promise<readonly Finding[]> {
  const [row] = await store.rows(sql`select value from setting where name = 'cluster_name'`);
  const files = await openPublishedFiles(config, String(row?.['value'] ?? ''));
  const fault = await files.check();
  return fault === null ? [] : [fail('cluster', fault.problem, fault.fix)];
}

async function hasPublications(store: Rows, config: Config): Promise<boolean> {
  const [row] = await store.rows(tableCount(dialectOf(config), 'publication'));
  return Number(row?.['n']) > 0;
}

/** Counts the datasets that are published to the cluster, and lists failed publications. */
export async function checkCluster(store: Rows, config: Config): Promise<readonly Finding[]> {
  if (config.cluster === undefined || !(await hasPublications(store, config))) return [];
  const [published] = await store.rows(
    sql`select count(*) as n from publication where ready_at is not null and dropped_at is null`,
  );
  const failedJobs = await store.rows(
    sql`select subject, attempts, error from job where type = ${publishJob} and error is not null order by id limit ${maxShown}`,
  );
  const failures = failedJobs.map(({ subject, attempts, error }) => {
    const reason = inWords(parseObject(String(error))['message'] ?? '');
    return warn(
      'cluster',
      `the rows of ${String(subject)} are not at the cluster after ${String(attempts)} attempts: ${reason}`,
      'The engine answers their queries meanwhile, and the service tries again within an hour.',
    );
  });
  return [
    ...(await checkFiles(store, config)),
    ok('cluster', `has the rows of ${Number(published?.['n'])} datasets`),
    ...failures,
  ];
}
