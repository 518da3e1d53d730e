import type { AccelerationCommands, HitsCommand, RefreshCommand, WebhookCommand } from '../commands/acceleration.ts';
import { done, type WriteResult } from '../commands/command.ts';
import { recordOf } from '../resource/tables.ts';
import { sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { beginWrite, changeRecord, load, type WriteEnvironment } from './context.ts';
import { isHeld } from './jobs/held.ts';
import type { Performers } from './performers.ts';

async function refresh(
  environment: WriteEnvironment,
  transaction: Transaction,
  { held, id, fields, nextRunAt }: RefreshCommand,
): Promise<WriteResult> {
  const context = beginWrite(environment, transaction, null);
  const acceleration = environment.registry.resource('acceleration');
  if (!(await isHeld(context, held))) return done(0, id);
  const stored = await load(context, acceleration, id);
  if (stored === null) return done(0, id);
  const isRequestedAgain = recordOf(stored)['next_run_at'] !== null;
  const planned = nextRunAt === undefined || isRequestedAgain ? {} : { next_run_at: nextRunAt };
  await changeRecord(context, acceleration, id, { ...fields, ...planned });
  return done(1, id);
}

async function hits(
  environment: WriteEnvironment,
  transaction: Transaction,
  { hits: countsById }: HitsCommand,
): Promise<WriteResult> {
  const context = beginWrite(environment, transaction, null);
  const acceleration = environment.registry.resource('acceleration');
  for (const { id, count } of countsById) {
    const stored = await load(context, acceleration, id);
    const before = stored === null ? 0 : Number(recordOf(stored)['hits'] ?? 0);
    if (stored !== null) await changeRecord(context, acceleration, id, { hits: before + count });
  }
  return done(countsById.length);
}

async function webhook(
  environment: WriteEnvironment,
  transaction: Transaction,
  { hash }: WebhookCommand,
): Promise<WriteResult> {
  const context = beginWrite(environment, transaction, null);
  const [row] = await transaction.rows(sql`select id, next_run_at from acceleration where webhook_hash = ${hash}`);
  if (row === undefined) return done(0);
  const { id, next_run_at: plannedAt } = row;
  const isWaiting = typeof plannedAt === 'string' && plannedAt <= context.now;
  if (!isWaiting)
    await changeRecord(context, environment.registry.resource('acceleration'), String(id), {
      next_run_at: context.now,
    });
  return done(1, String(id));
}

/** Handlers of commands about accelerations. */
export const accelerationPerformers: Performers<keyof AccelerationCommands> = { refresh, hits, webhook };
