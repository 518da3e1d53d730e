import { isDatasetOf } from '../../access/given.ts';
import { isList, isObject, parseObject, timestamp, type JsonObject } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { filtersIn, splitFilters } from '../../access/filter-kinds.ts';
import { columnsOf, condition, permits } from '../../access/permits.ts';
import { levelOf, securable } from '../../declare/roles.ts';
import type { WriteResult } from '../../commands/command.ts';
import type { SharedDashboard, ShareCommand } from '../../commands/share.ts';
import { Problem } from '../../problems/problem.ts';
import { tokenHash } from '../../resources/parts/tokens.ts';
import { unfilteredFor } from '../../resources/parts/securable/unfiltered-datasets.ts';
import { sql, text } from '../../store/sql.ts';
import type { Row, Transaction } from '../../store/store.ts';
import { callerOfNewToken, callerOfPerson } from '../../callers/caller-of.ts';
import { beginWrite, workOf, type WriteEnvironment } from '../context.ts';

/** Lifetime of a token for a share page, in ms. After that, the page opens the share again. */
const viewMs = 15 * 60_000;

interface OpenShare {
  readonly id: string;
  readonly dashboardId: string;
  readonly filters: readonly JsonObject[];
  readonly until: string;
  readonly maker: Caller;
}

/** Loads an active share with its creator as a caller with current rights; null if there is no such share. */
async function activeShare(transaction: Transaction, slug: string, nowMs: number): Promise<OpenShare | null> {
  const [row] = await transaction.rows(sql`select id, user_id, record from share where slug = ${slug}`);
  if (row === undefined || typeof row['user_id'] !== 'string') return null;
  const { active, expiry, filters = null, securable_id } = parseObject(String(row['record']));
  const now = timestamp(nowMs);
  if (active !== true || (typeof expiry === 'string' && expiry <= now) || typeof securable_id !== 'string') return null;
  const maker = await callerOfPerson(transaction, row['user_id']);
  if (maker === null || maker.rank < levelOf('member')) return null;
  const longest = timestamp(nowMs + viewMs);
  return {
    id: String(row['id']),
    dashboardId: securable_id,
    filters: isList(filters) ? filters.filter((filter) => isObject(filter)) : [],
    until: typeof expiry === 'string' && expiry < longest ? expiry : longest,
    maker,
  };
}

/** Returns the dashboard and those of its linked datasets that the creator of the share may read now. */
async function readable(transaction: Transaction, { dashboardId, maker }: OpenShare): Promise<readonly Row[]> {
  const mayRead = condition(permits(securable('read'), maker, columnsOf(text('t'))));
  return transaction.rows(
    sql`select t.id, t.type, t.record from securable t where ${mayRead} and (t.id = ${dashboardId} or t.id in (
      select l.target_id from link l where l.first_id = ${dashboardId} and ${isDatasetOf('l')})) order by t.id`,
  );
}

/** True if a dataset lacks a row filter required by the organization. */
async function lacksFilters(transaction: Transaction, share: OpenShare, tokenId: string): Promise<boolean> {
  const { maker, filters } = share;
  const [row] = await transaction.rows(sql`select record from organization where id = ${maker.organizationId}`);
  if (row === undefined || parseObject(String(row['record']))['require_row_filters'] !== true) return false;
  const { rowFilters } = splitFilters(filtersIn([...filters]));
  const unfiltered = await unfilteredFor(
    transaction,
    callerOfNewToken(tokenId, maker.suborganization, maker),
    rowFilters,
  );
  return unfiltered.some(({ isShared }) => !isShared);
}

/**
 * Creates a token for the page of a share. It has *read* on the dashboard and its datasets, limited to the current
 * rights of the share's creator. Raises Problem `not_found` if there is nothing to show. specification/rights#shares
 */
export async function openShare(
  environment: WriteEnvironment,
  transaction: Transaction,
  { slug, atMs }: ShareCommand,
): Promise<WriteResult> {
  const context = beginWrite(environment, transaction, null);
  const work = workOf(context);
  const share = await activeShare(transaction, slug, atMs);
  const rows = share === null ? [] : await readable(transaction, share);
  const dashboard = rows.find((row) => row['id'] === share?.dashboardId);
  if (share === null || dashboard === undefined) throw new Problem('not_found');
  const [key, token] = [work.id(), work.random(256)];
  const { organizationId, userId, suborganization } = share.maker;
  const fields = { id: key, type: 'embed', role: 'viewer', name: 'Share', organization_id: organizationId };
  const bounds = { user_id: userId, suborganization, filters: share.filters, expiry: share.until };
  await work.insert('authorization', { ...fields, ...bounds }, { token_hash: tokenHash(token), share_id: share.id });
  for (const row of rows) await work.link(String(row['id']), 'securable.Embed', key, levelOf('read'));
  if (await lacksFilters(transaction, share, key)) throw new Problem('not_found');
  const { name = null } = parseObject(String(dashboard['record']));
  const shared: SharedDashboard = { dashboardId: share.dashboardId, name: isObject(name) ? name : {}, key, token };
  return { kind: 'shared', shared };
}
