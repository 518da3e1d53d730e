import { hash, timingSafeEqual } from 'node:crypto';
import { isList, type Json } from '@inlay/contract';
import type { Dialect } from '../store/dialect.ts';
import { sql, text, type Sql } from '../store/sql.ts';
import type { Reader, Row } from '../store/store.ts';
import type { Caller } from './caller.ts';

/** Everything about a caller that access needs, in one row; none where the person, or their place in the organization, is gone (R1, R6). */
const credential = (dialect: Dialect, key: string): Sql =>
  sql`select a.id, a.type, a.user_id, a.organization_id, a.expiry, a.last_used_at, a.created_at, a.inactivity_interval, a.role, a.suborganization as embed_suborganization, a.hidden_columns, a.rate_limit, a.token_hash, u.suborganization, o.level as rank, (select ${dialect.listed(text('g.first_id'))} from link g where g.target_id = a.user_id and g.association = 'group.Users') as groups from "authorization" a join "user" u on u.id = a.user_id join link o on o.first_id = a.organization_id and o.target_id = a.user_id and o.association = 'organization.Users' where a.id = ${key}`;

const words = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function hiddenColumns(row: Row): readonly string[] {
  const stored: Json = JSON.parse(words(row['hidden_columns']) ?? '[]');
  return isList(stored) ? stored.flatMap((one) => words(one)?.toLowerCase() ?? []) : [];
}

const never = '9999-12-31T23:59:59.999Z';

/** Ended by its expiry, or by not having been used for as long as it says (decision R6). */
function ended(row: Row, now: string): boolean {
  if ((words(row['expiry']) ?? never) <= now) return true;
  const seconds = Number(row['inactivity_interval']);
  return (
    seconds > 0 && Date.parse(now) - Date.parse(String(row['last_used_at'] ?? row['created_at'])) >= seconds * 1000
  );
}

/** The subjects, rank and limits that an authorization gives. */
function callerOf(row: Row): Caller | null {
  const type = row['type'];
  const userId = String(row['user_id']);
  const organizationId = String(row['organization_id']);
  const subjects = [userId, ...(words(row['groups'])?.split(',') ?? [])];
  const rank = Number(row['rank']);
  const base = { authorizationId: String(row['id']), organizationId };
  if (type === 'login' || type === 'api') {
    const suborganization = words(row['suborganization']);
    return { ...base, type, userId, subjects, rank, suborganization, ceiling: 4, issuer: null, hiddenColumns: [] };
  }
  if (type !== 'embed') return null;
  return {
    ...base,
    type,
    userId: null,
    subjects: [base.authorizationId],
    rank: 0,
    suborganization: words(row['embed_suborganization']),
    ceiling: row['role'] === 'designer' || row['role'] === 'owner' ? 4 : 2,
    issuer: { subjects, rank },
    hiddenColumns: hiddenColumns(row),
  };
}

/** A caller and when the authorization was last noted as used. */
export interface Known {
  readonly caller: Caller;
  readonly lastUsedAt: string | null;
  /** Requests a second this token may keep up, where it has a limit of its own (decisions, section 7). */
  readonly rateLimit: number | null;
}

function knownBy(row: Row | undefined, now: string): Known | null {
  if (row === undefined || ended(row, now)) return null;
  const caller = callerOf(row);
  if (caller === null) return null;
  const limit = row['rate_limit'] ?? null;
  return { caller, lastUsedAt: words(row['last_used_at']), rateLimit: limit === null ? null : Number(limit) };
}

/** What an unknown key is compared with, and no token hashes to. */
const nobody = Buffer.alloc(32);

function matches(token: string, stored: string | null): boolean {
  const given = hash('sha256', token, 'buffer');
  const expected = stored === null ? nobody : Buffer.from(stored, 'base64url');
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/**
 * The caller that a key and token name; null where the key is unknown, the token wrong, or the authorization ended. All
 * three cost the same work (decision R6).
 */
export async function identifyCaller(reader: Reader, key: string, token: string, now: string): Promise<Known | null> {
  const [row] = await reader.rows(credential(reader.dialect, key));
  const known = knownBy(row, now);
  return matches(token, words(row?.['token_hash'])) ? known : null;
}

/** The caller of an authorization as it stands now, read again inside a write; null where it has ended since. */
export async function reloadCaller(reader: Reader, authorizationId: string, now: string): Promise<Caller | null> {
  const [row] = await reader.rows(credential(reader.dialect, authorizationId));
  return knownBy(row, now)?.caller ?? null;
}
