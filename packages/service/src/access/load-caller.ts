import { hash, timingSafeEqual } from 'node:crypto';
import { isList, type Json } from '@inlay/contract';
import type { Dialect } from '../store/dialect.ts';
import { sql, text, type Sql } from '../store/sql.ts';
import type { Reader, Row } from '../store/store.ts';
import type { Caller } from './caller.ts';

/** Everything about a caller that access needs, in one row (decisions R1, R6). */
const credential = (dialect: Dialect, key: string): Sql =>
  sql`select a.id, a.type, a.user_id, a.organization_id, a.expiry, a.last_used_at, a.created_at, a.inactivity_interval, a.role, a.suborganization as embed_suborganization, a.hidden_columns, a.token_hash, (select u.suborganization from "user" u where u.id = a.user_id) as suborganization, (select o.level from link o where o.first_id = a.organization_id and o.target_id = a.user_id and o.association = 'organization.Users') as rank, (select ${dialect.listed(text('g.first_id'))} from link g where g.target_id = a.user_id and g.association = 'group.Users') as groups from "authorization" a where a.id = ${key}`;

const words = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function hiddenColumns(row: Row): readonly string[] {
  const stored = words(row['hidden_columns']);
  if (stored === null || stored === '[]') return [];
  const parsed: Json = JSON.parse(stored);
  return isList(parsed) ? parsed.filter((one) => typeof one === 'string').map((one) => one.toLowerCase()) : [];
}

/** Ended by its expiry, or by not having been used for as long as it says (decision R6). */
function ended(row: Row, now: string): boolean {
  const expiry = words(row['expiry']);
  if (expiry !== null && expiry <= now) return true;
  const seconds = Number(row['inactivity_interval'] ?? 0);
  const last = words(row['last_used_at']) ?? words(row['created_at']);
  return seconds > 0 && last !== null && Date.parse(now) - Date.parse(last) > seconds * 1000;
}

/** The subjects, rank and limits that an authorization gives. */
function callerOf(row: Row): Caller | null {
  const type = row['type'];
  const userId = words(row['user_id']);
  const organizationId = words(row['organization_id']);
  if (userId === null || organizationId === null) return null;
  const groups = words(row['groups'])?.split(',') ?? [];
  const rank = Number(row['rank'] ?? 0);
  const base = { authorizationId: String(row['id']), organizationId };
  if (type === 'login' || type === 'api') {
    const person = { userId, subjects: [userId, ...groups], rank, suborganization: words(row['suborganization']) };
    return { ...base, type, ...person, ceiling: 4, issuer: null, hiddenColumns: [] };
  }
  if (type !== 'embed') return null;
  return {
    ...base,
    type,
    userId: null,
    subjects: [base.authorizationId],
    rank: 0,
    suborganization: words(row['embed_suborganization']),
    ceiling: row['role'] === 'viewer' || row['role'] === null ? 2 : 4,
    issuer: { subjects: [userId, ...groups], rank },
    hiddenColumns: hiddenColumns(row),
  };
}

const digest = (token: string): Buffer => hash('sha256', token, 'buffer');
const nobody = digest('');

/** A caller and when the authorization was last noted as used. */
export interface Known {
  readonly caller: Caller;
  readonly lastUsedAt: string | null;
}

/**
 * The caller that a key and token name; null where the key is unknown, the token wrong, or the authorization ended. All
 * three cost the same work (decision R6).
 */
export async function identifyCaller(reader: Reader, key: string, token: string, now: string): Promise<Known | null> {
  const rows = await reader.rows(credential(reader.dialect, key));
  const [row] = rows;
  const stored = words(row?.['token_hash']);
  const expected = stored === null ? nobody : Buffer.from(stored, 'base64url');
  const given = digest(token);
  const matches = expected.length === given.length && timingSafeEqual(expected, given);
  if (row === undefined || stored === null || !matches || ended(row, now)) return null;
  const caller = callerOf(row);
  return caller === null ? null : { caller, lastUsedAt: words(row['last_used_at']) };
}

/** The caller of an authorization as it stands now, read again inside a write; null where it has ended since. */
export async function reloadCaller(reader: Reader, authorizationId: string, now: string): Promise<Caller | null> {
  const rows = await reader.rows(credential(reader.dialect, authorizationId));
  const [row] = rows;
  return row === undefined || ended(row, now) ? null : callerOf(row);
}
