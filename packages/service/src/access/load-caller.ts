import { createHash, timingSafeEqual } from 'node:crypto';
import { isList, type Json } from '@inlay/contract';
import { sql, type Sql } from '../store/sql.ts';
import type { Reader, Row } from '../store/store.ts';
import type { Caller } from './caller.ts';

/** One row a group of the caller, at least one row; everything about the caller that access needs (decisions R1, R6). */
const credential = (key: string): Sql =>
  sql`select a.id, a.type, a.user_id, a.organization_id, a.expiry, a.last_used_at, a.created_at, a.inactivity_interval, a.role, a.suborganization as embed_suborganization, a.hidden_columns, a.token_hash, u.suborganization, o.level as rank, g.first_id as group_id from "authorization" a left join "user" u on u.id = a.user_id left join link o on o.first_id = a.organization_id and o.target_id = a.user_id and o.association = 'organization.Users' left join link g on g.target_id = a.user_id and g.association = 'group.Users' where a.id = ${key}`;

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

/** The subjects, rank and limits that the rows of one authorization give. */
function callerOf(rows: readonly Row[], row: Row): Caller | null {
  const type = row['type'];
  const userId = words(row['user_id']);
  const organizationId = words(row['organization_id']);
  if (userId === null || organizationId === null) return null;
  const groups = rows.flatMap((one) => words(one['group_id']) ?? []);
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

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();
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
  const rows = await reader.rows(credential(key));
  const [row] = rows;
  const stored = words(row?.['token_hash']);
  const expected = stored === null ? nobody : Buffer.from(stored, 'base64url');
  const given = digest(token);
  const matches = expected.length === given.length && timingSafeEqual(expected, given);
  if (row === undefined || stored === null || !matches || ended(row, now)) return null;
  const caller = callerOf(rows, row);
  return caller === null ? null : { caller, lastUsedAt: words(row['last_used_at']) };
}

/** The caller of an authorization as it stands now, read again inside a write; null where it has ended since. */
export async function reloadCaller(reader: Reader, authorizationId: string, now: string): Promise<Caller | null> {
  const rows = await reader.rows(credential(authorizationId));
  const [row] = rows;
  return row === undefined || ended(row, now) ? null : callerOf(rows, row);
}
