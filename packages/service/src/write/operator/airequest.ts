import { done, type WriteResult } from '../../commands/command.ts';
import type { AirequestCommand } from '../../commands/model.ts';
import { Problem } from '../../problems/problem.ts';
import { sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { beginWrite, workOf, type WriteEnvironment } from '../context.ts';

const dayMs = 24 * 3_600_000;

/**
 * Records a request to an AI provider, in the transaction that checks the organization's setting and daily budget.
 * Returns the id of the record; if the budget is used up, records nothing and returns no id. Raises Problem
 * `ai_disabled`. specification/ai-charts#provider
 */
export async function noteRequest(
  environment: WriteEnvironment,
  transaction: Transaction,
  { organizationId, fields, budget }: AirequestCommand,
): Promise<WriteResult> {
  const work = workOf(beginWrite(environment, transaction, null));
  const organization = await work.record('organization', organizationId);
  if (organization?.['flag_experimental_ai'] !== true) throw new Problem('ai_disabled');
  // Compares ids instead of times: ids begin with their creation time, and an index has them after the organization.
  const since = environment.id(environment.now() - dayMs);
  const [row] = await transaction.rows(
    sql`select count(*) as sent from (select 1 as one from airequest where organization_id = ${organizationId}
      and id > ${since} limit ${budget}) as recent`,
  );
  if (Number(row?.['sent'] ?? 0) >= budget) return done(0);
  const id = work.id();
  await work.insert('airequest', { ...fields, id, organization_id: organizationId });
  return done(1, id);
}

const sweptAtOnce = 1000;

/**
 * Deletes requests sent before a time in ms, oldest first, at most 1000 per call. Returns the number of deleted
 * requests.
 */
export const forgetRequests = (
  environment: WriteEnvironment,
  transaction: Transaction,
  beforeMs: number,
): Promise<number> =>
  transaction.run(
    sql`delete from airequest where id in (select id from airequest where id < ${environment.id(beforeMs)}
      order by id limit ${sweptAtOnce})`,
  );
