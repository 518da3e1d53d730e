import { inWords, isList, isObject, type Json } from '@inlay/contract';
import { emptyValuesOf } from '../../../data/metadata/found.ts';
import { mergeColumns } from '../../../data/metadata/merge-columns.ts';
import { dueAfter } from '../../../data/metadata/sync-due.ts';
import type { FoundColumn } from '../../../commands/sources.ts';
import { Problem } from '../../../problems/problem.ts';
import type { Rule, Work } from '../../../resource/rules.ts';
import { sql } from '../../../store/sql.ts';
import { warnOfContents } from '../contents/warn-of-contents.ts';
import { originUnderFilters, sharedAcrossTenants } from './filtered-meaning.ts';
import { editFeatures } from './edit-features.ts';
import { endUserRules } from './end-user.ts';
import { linkDatasets } from './link-datasets.ts';

const typeIsFixed: Rule = {
  name: 'type-is-fixed',
  on: ['update'],
  description: 'The type may be repeated but not changed.',
  run: async ({ before, sent }) => {
    if (before === null || sent['type'] === undefined || sent['type'] === before['type']) return undefined;
    throw new Problem('field_read_only', { validation: { 'properties.type': ['cannot be changed once made'] } });
  },
};

const rememberModifier: Rule = {
  name: 'remember-modifier',
  on: ['update'],
  description: 'An update sets modified_at, and modifier_id to the person who made it.',
  run: async ({ caller, now, before }) => ({
    record: { modified_at: now, modifier_id: caller?.userId ?? before?.['modifier_id'] ?? null },
  }),
};

/** True if the newest version of a dashboard already has these contents. */
async function isKept({ transaction }: Work, id: string, contents: Json): Promise<boolean> {
  const [newest] = await transaction.rows(
    sql`select record from dashboardversion where securable_id = ${id} and writer is null order by seq desc limit 1`,
  );
  const record: Json = JSON.parse(inWords(newest?.['record'] ?? '{}'));
  return isObject(record) && JSON.stringify(record['contents'] ?? null) === JSON.stringify(contents);
}

const keepVersion: Rule = {
  name: 'keep-version',
  on: ['update'],
  description:
    'Every dashboard update stores the previous contents as a dashboardversion, unless the newest version is identical.',
  afterwards: true,
  run: async ({ id, before }, work) => {
    if (before?.['type'] !== 'dashboard') return undefined;
    const { contents = null } = before;
    if (await isKept(work, id, contents)) return undefined;
    await work.insert('dashboardversion', { securable_id: id, state: 'published', contents });
    return undefined;
  },
};

function asFound(value: Json): readonly FoundColumn[] {
  const { fields = null, storageType, empty } = isObject(value) ? value : {};
  const count = typeof empty === 'number' ? empty : null;
  return isObject(fields) && typeof storageType === 'string' ? [{ fields, storageType, empty: count }] : [];
}

const takeMetadata: Rule = {
  name: 'take-metadata',
  on: ['update'],
  description:
    'With update_metadata, columns are synchronised with the source: new columns are added, missing ones are hidden, and settings made by people are kept.',
  afterwards: true,
  run: async ({ id, prepared, now }, work) => {
    const { columns } = prepared;
    if (columns === undefined || !isList(columns)) return undefined;
    const facts = columns.flatMap(asFound);
    await mergeColumns(work, id, facts);
    const read = { last_metadata_sync_at: now, last_metadata_sync_attempt_at: now };
    await work.change('securable', id, { ...read, empty_values: emptyValuesOf(facts) });
    return undefined;
  },
};

const syncTerms = ['meta_sync_enabled', 'meta_sync_inherit', 'meta_sync_interval', 'source_dataset', 'source_query'];

const subtypeOfAccount: Rule = {
  name: 'subtype-of-account',
  on: ['create'],
  description: 'The subtype of a dataset of an account is the provider of the account, unless one is sent.',
  run: async ({ sent, after }, work) => {
    const { account_id: accountId = null } = after;
    if (typeof accountId !== 'string' || typeof sent['subtype'] === 'string') return undefined;
    const provider = (await work.record('account', accountId))?.['provider'];
    return typeof provider === 'string' ? { record: { subtype: provider } } : undefined;
  },
};

const planSync: Rule = {
  name: 'plan-sync',
  on: ['create', 'update'],
  description:
    'Metadata is read soon after a dataset of an account is created, then at the interval of the dataset or its account.',
  run: async ({ operation, sent, after, now }, work) => {
    const accountId = after['account_id'];
    const isAsked = operation === 'create' || syncTerms.some((name) => Object.hasOwn(sent, name));
    if (!isAsked || after['type'] !== 'dataset' || typeof accountId !== 'string') return undefined;
    const dueAt = dueAfter(await work.record('account', accountId), after, now);
    return { hidden: { sync_due_at: dueAt !== null && operation === 'create' ? now : dueAt } };
  },
};

export const securableRules: readonly Rule[] = [
  typeIsFixed,
  editFeatures,
  ...endUserRules,
  subtypeOfAccount,
  originUnderFilters,
  sharedAcrossTenants,
  rememberModifier,
  keepVersion,
  linkDatasets,
  warnOfContents,
  planSync,
  takeMetadata,
];
