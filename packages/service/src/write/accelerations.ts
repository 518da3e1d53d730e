import { listOr, parseObject } from '@inlay/contract';
import type {
  AccelerationCommands,
  HitsCommand,
  ProposeRollupsCommand,
  RefreshCommand,
  StopRollupsCommand,
  WebhookCommand,
} from '../commands/acceleration.ts';
import { done, type WriteResult } from '../commands/command.ts';
import { rollupIdsIn } from '../data/rollups/stored.ts';
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
  for (const { id, count, rollups } of countsById) {
    const stored = await load(context, acceleration, id);
    if (stored === null) continue;
    const { hits: before = 0, rollup_hits: rollupsBefore = 0 } = recordOf(stored);
    const sums = { hits: Number(before) + count, rollup_hits: Number(rollupsBefore) + rollups };
    await changeRecord(context, acceleration, id, sums);
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

async function proposeRollups(
  environment: WriteEnvironment,
  transaction: Transaction,
  { id, proposals, shapes }: ProposeRollupsCommand,
): Promise<WriteResult> {
  const context = beginWrite(environment, transaction, null);
  const acceleration = environment.registry.resource('acceleration');
  const stored = await load(context, acceleration, id);
  const [row] = await transaction.rows(sql`select rollup_shapes from acceleration where id = ${id}`);
  if (stored === null || row === undefined) return done(0, id);
  const { rollup_ids: ids, rollups } = recordOf(stored);
  const needed = new Set([...rollupIdsIn(ids), ...rollupIdsIn(rollups)]);
  const before = typeof row['rollup_shapes'] === 'string' ? parseObject(row['rollup_shapes']) : {};
  const kept = Object.fromEntries(Object.entries(before).filter(([shapeId]) => needed.has(shapeId)));
  await changeRecord(context, acceleration, id, {
    rollup_proposals: proposals,
    rollup_shapes: JSON.stringify({ ...shapes, ...kept }),
  });
  return done(1, id);
}

async function stopRollups(
  environment: WriteEnvironment,
  transaction: Transaction,
  { id, rollupIds }: StopRollupsCommand,
): Promise<WriteResult> {
  const context = beginWrite(environment, transaction, null);
  const acceleration = environment.registry.resource('acceleration');
  const stored = await load(context, acceleration, id);
  if (stored === null) return done(0, id);
  const before = listOr(recordOf(stored)['rollups_stopped']);
  const earlier = rollupIdsIn(before);
  const added = rollupIds.filter((rollupId) => !earlier.includes(rollupId));
  if (added.length === 0) return done(0, id);
  const stopped = added.map((rollupId) => ({ id: rollupId, stopped_at: context.now }));
  await changeRecord(context, acceleration, id, { rollups_stopped: [...before, ...stopped] });
  return done(added.length, id);
}

/** Handlers of commands about accelerations. */
export const accelerationPerformers: Performers<keyof AccelerationCommands> = {
  refresh,
  hits,
  webhook,
  'propose rollups': proposeRollups,
  'stop rollups': stopRollups,
};
