import { filledText, isList, timestamp, type Json, type JsonObject } from '@inlay/contract';
import { rollupIdsIn } from '../../../data/rollups/stored.ts';
import { Faults } from '../../../problems/problem.ts';
import type { Rule, Work } from '../../../resource/rules.ts';
import { tokenHash } from '../tokens.ts';
import { frequencyMs } from './frequency.ts';
import { maxRollups, neededFields, storageStrategies } from './words.ts';

const timeFields = ['created_at_column_id', 'updated_at_column_id', 'deleted_at_column_id'] as const;
/** Fields that decide which rows a delta reads. After a change, the next refresh reads all rows. */
const deltaFields = ['load_type', 'data_storage_strategy', 'primary_key_column_ids', ...timeFields];
const maxKeys = 3;

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (isList(value) && value.length === 0);

const textsIn = (value: Json | undefined): readonly string[] =>
  value !== undefined && isList(value) ? value.filter((entry) => typeof entry === 'string') : [];

/** Reports why the rows of a dataset are not copied. */
function checkDataset(dataset: JsonObject | null, account: JsonObject | null, faults: Faults): void {
  if (dataset === null) return;
  const message =
    account === null
      ? 'has no account: its rows are in the columnar engine already'
      : filledText(account['plugin_id']) !== null
        ? 'has a plugin as its source, which may return other rows to each user, so there cannot be one copy'
        : isEmpty(dataset['source_dataset']) && isEmpty(dataset['source_query'])
          ? 'reads no table: set its source_dataset or source_query first'
          : null;
  if (message !== null) faults.add('properties.securable_id', message);
}

/** Reports the fields that the strategy of a delta needs. */
function checkNeeded(after: JsonObject, faults: Faults): void {
  if (after['load_type'] === 'full') return;
  const strategy = storageStrategies.find((word) => word === after['data_storage_strategy']) ?? 'insert';
  for (const name of neededFields[strategy])
    if (isEmpty(after[name])) faults.add(`properties.${name}`, `is required by the strategy ${strategy}`);
  if (after['load_type'] === 'full-delta' && isEmpty(after['full_load_every']))
    faults.add('properties.full_load_every', 'is required by the load type full-delta');
}

async function checkColumn(
  work: Work,
  { at, id, datasetId, isTime }: { at: string; id: string; datasetId: Json; isTime: boolean },
  faults: Faults,
): Promise<void> {
  const column = await work.record('column', id);
  // The check of the field reports a column that does not exist.
  if (column === null) return;
  if (column['securable_id'] !== datasetId) faults.add(at, 'is a column of another dataset');
  else if (filledText(column['expression']) !== null) faults.add(at, 'is a formula: name a column of the source');
  else if (isTime && column['type'] !== 'datetime') faults.add(at, 'must be a column with times');
}

async function checkColumns(work: Work, after: JsonObject, faults: Faults): Promise<void> {
  const { securable_id: datasetId = null } = after;
  for (const name of timeFields) {
    const id = filledText(after[name]);
    if (id !== null) await checkColumn(work, { at: `properties.${name}`, id, datasetId, isTime: true }, faults);
  }
  const keys = textsIn(after['primary_key_column_ids']);
  const at = 'properties.primary_key_column_ids';
  if (keys.length > maxKeys) faults.add(at, `must name at most ${maxKeys} columns`);
  if (new Set(keys).size < keys.length) faults.add(at, 'names a column twice');
  for (const [index, id] of keys.entries())
    await checkColumn(work, { at: `${at}[${index}]`, id, datasetId, isTime: false }, faults);
}

/** Reports ids of rollups that are neither proposed, nor switched on, nor in the copy. */
function checkRollups(before: JsonObject | null, after: JsonObject, faults: Faults): void {
  const ids = textsIn(after['rollup_ids']);
  const lists = [before?.['rollup_ids'], before?.['rollup_proposals'], before?.['rollups']];
  const known = new Set(lists.flatMap(rollupIdsIn));
  const at = 'properties.rollup_ids';
  if (ids.length > maxRollups) faults.add(at, `must name at most ${maxRollups} rollups`);
  ids.forEach((id, index) => {
    if (!known.has(id)) faults.add(`${at}[${index}]`, 'is no id of rollup_proposals');
  });
}

const fitsDataset: Rule = {
  name: 'fits-dataset',
  on: ['create', 'update'],
  description:
    'The dataset has an account of a database; the columns are columns of the dataset; a delta has the columns that its strategy needs.',
  run: async ({ before, sent, after }, work) => {
    const faults = new Faults();
    const dataset = await work.record('securable', filledText(after['securable_id']) ?? '');
    const accountId = filledText(dataset?.['account_id']);
    checkDataset(dataset, accountId === null ? null : await work.record('account', accountId), faults);
    checkNeeded(after, faults);
    if (Object.hasOwn(sent, 'rollup_ids')) checkRollups(before, after, faults);
    await checkColumns(work, after, faults);
    faults.raise();
    return undefined;
  },
};

/** Returns the time of the next scheduled refresh; null without a schedule. */
export function nextRunAt(schedule: Json | undefined, now: string): string | null {
  const everyMs = frequencyMs(schedule);
  return everyMs === null ? null : timestamp(Date.parse(now) + everyMs);
}

/** True if a rollup is switched on that the copy does not have. */
function needsRollups(sent: JsonObject, before: JsonObject | null, after: JsonObject): boolean {
  const built = new Set(rollupIdsIn(before?.['rollups']));
  return Object.hasOwn(sent, 'rollup_ids') && textsIn(after['rollup_ids']).some((id) => !built.has(id));
}

const planRefresh: Rule = {
  name: 'plan-refresh',
  on: ['create', 'update'],
  description:
    'A new acceleration is refreshed at once, as is one whose deltas have changed, which then reads all rows. `refresh` requests or cancels a refresh. A new schedule counts from the update.',
  run: async ({ operation, sent, before, after, now }) => {
    if (operation === 'create') return { record: { next_run_at: now } };
    const isChanged = deltaFields.some((name) => Object.hasOwn(sent, name));
    const scheduledAt = nextRunAt(after['schedule'], now);
    if (sent['refresh'] === false) {
      const status = before?.['data_as_of'] === null ? 'pending' : 'ready';
      return { record: { next_run_at: scheduledAt, status, bytes_read: null }, hidden: { cancelled_at: now } };
    }
    const record: JsonObject = {
      ...(Object.hasOwn(sent, 'schedule') ? { next_run_at: scheduledAt } : {}),
      ...(isChanged ? { last_full_at: null } : {}),
      ...(isChanged || sent['refresh'] === true || needsRollups(sent, before, after) ? { next_run_at: now } : {}),
      ...(Object.hasOwn(sent, 'rollup_ids') ? { rollups_stopped: [] } : {}),
    };
    return Object.keys(record).length === 0 ? undefined : { record };
  },
};

const nameOnDataset: Rule = {
  name: 'name-on-dataset',
  on: ['create'],
  description: 'The dataset refers to its acceleration with acceleration_id.',
  afterwards: true,
  run: async ({ id, after }, work) => {
    await work.change('securable', filledText(after['securable_id']) ?? '', { acceleration_id: id });
    return undefined;
  },
};

const setWebhook: Rule = {
  name: 'set-webhook',
  on: ['create', 'update'],
  description: 'The address for refreshes has 256 random bits, is shown once and stored hashed.',
  run: async ({ sent, now }, work) => {
    if (sent['webhook'] === false) return { record: { webhook_set_at: null }, hidden: { webhook_hash: null } };
    if (sent['webhook'] !== true) return undefined;
    const secret = work.random(256);
    return {
      record: { webhook_set_at: now },
      hidden: { webhook_hash: tokenHash(secret) },
      shown: { webhook_path: `/hooks/${secret}` },
    };
  },
};

export const accelerationRules: readonly Rule[] = [fitsDataset, planRefresh, setWebhook, nameOnDataset];
