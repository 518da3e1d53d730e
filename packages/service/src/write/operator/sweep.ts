import { timestamp } from '@inlay/contract';
import { done, type WriteResult } from '../../commands/command.ts';
import { sweepBatch, type SweepCommand } from '../../commands/upkeep.ts';
import { list, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import type { WriteEnvironment } from '../context.ts';
import { forgetRequests } from './airequest.ts';
import { sweepDrafts, sweepUntouched } from './drafts.ts';

/**
 * Deletes expired records. Of some kinds, at most a batch is deleted per call. Returns the number of deleted records,
 * excluding login addresses and sign-in records.
 */
export async function sweep(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: SweepCommand,
): Promise<WriteResult> {
  const answers = await transaction.run(sql`delete from idempotency where created_at < ${command.answersBefore}`);
  const ended = await transaction.rows(
    sql`select id from "authorization" where expiry < ${command.loginsBefore}
      or (share_id is not null and expiry < ${timestamp(environment.now())}) limit ${sweepBatch}`,
  );
  if (ended.length > 0) {
    const ids = list(ended.map(({ id }) => String(id)));
    await transaction.run(sql`delete from link where target_id in ${ids}`);
    await transaction.run(sql`delete from "authorization" where id in ${ids}`);
  }
  const now = timestamp(environment.now());
  const addressesBefore = timestamp(environment.now() - 90 * 24 * 3_600_000);
  await transaction.run(sql`delete from login_address where seen_at < ${addressesBefore}`);
  await transaction.run(sql`delete from sso_used where until < ${now}`);
  await transaction.run(sql`delete from sso_handover where until < ${now}`);
  const drafts = await sweepDrafts(environment, transaction);
  const untouched = await sweepUntouched(environment, transaction);
  const requests = await forgetRequests(environment, transaction, command.requestsBeforeMs);
  const tasks = await transaction.run(
    sql`delete from task where id in (select id from task where completed_at < ${command.tasksBefore} limit ${sweepBatch})`,
  );
  return done(answers + ended.length + drafts + untouched + requests + tasks);
}
