import { hash, timingSafeEqual } from 'node:crypto';
import { inWords, isList, textOr, type Json } from '@inlay/contract';
import type { Dialect } from '../store/dialect.ts';
import { remembered } from '../store/recent.ts';
import { beside, hinted, sql, text, withLast, type Sql, type Value } from '../store/sql.ts';
import type { Reader, Snapshots } from '../store/store.ts';
import type { Caller } from './caller.ts';
import { groupsText, onlySubject, personAsSubject } from './subjects.ts';

/** A caller and when the authorization was last noted as used. */
export interface KnownCaller {
  readonly caller: Caller;
  /** What the store said, word for word. */
  readonly facts: string;
  /** Milliseconds since 1970. */
  readonly lastUsedMs: number | null;
  /** Requests a second this token may keep up, where it has a limit of its own. */
  readonly rateLimit: number | null;
  /** The networks from which it is accepted; null for any. */
  readonly networks: readonly string[] | null;
}

/** What the store says about a key. */
interface Facts {
  /** Null for an authorization of a type that gives no caller. */
  readonly known: KnownCaller | null;
  readonly tokenHash: Buffer;
  /** Milliseconds since 1970; infinite is never. */
  readonly expiryMs: number;
  /** Milliseconds without use after which it ends; 0 is never. */
  readonly inactivityMs: number;
  readonly usedMs: number;
}

/**
 * Everything about a caller that access needs, in one row; none where the person, or their place in the organization, is
 * gone (specification/rights#organizations). As one text: what is read from it is worked out again only when it says something new.
 */
export const credential = remembered(2, (dialect: Dialect): Sql => {
  const groups = groupsText(dialect.listed, text('a.user_id'));
  const facts = dialect.array(
    sql`a.id, a.type, a.user_id, a.organization_id, a.role, a.suborganization, a.hidden_columns, u.suborganization,
      o.level, ${groups}, a.token_hash, a.expiry, a.inactivity_interval, a.last_used_at, a.created_at, a.rate_limit, a.ip, a.environment`,
  );
  return sql`select ${facts} as facts from "authorization" a join "user" u on u.id = a.user_id join link o
    on o.first_id = a.organization_id and o.target_id = a.user_id and o.association = 'organization.Users'
    where a.id = ${null}`;
});

function hiddenColumns(stored: Json): readonly string[] {
  const ids: Json = JSON.parse(textOr(stored, null) ?? '[]');
  return isList(ids) ? ids.flatMap((one) => textOr(one, null)?.toLowerCase() ?? []) : [];
}

/** The subjects, rank and limits that an authorization gives. */
function callerOf(facts: readonly Json[]): Caller | null {
  const [id, type, user, organization, role, embedded, hidden = null, own, level, groups] = facts;
  const userId = inWords(user);
  const subjects = personAsSubject(userId, groups);
  const rank = Number(level);
  const base = { authorizationId: inWords(id), organizationId: inWords(organization) };
  if (type === 'login' || type === 'api') {
    const suborganization = textOr(own, null);
    return { ...base, type, userId, subjects, rank, suborganization, ceiling: 4, issuer: null, hiddenColumns: [] };
  }
  if (type !== 'embed') return null;
  const environment = facts[17];
  return {
    ...base,
    type,
    userId: null,
    subjects: onlySubject(base.authorizationId),
    rank: 0,
    suborganization: textOr(embedded, null),
    ceiling: role === 'designer' || role === 'owner' ? 4 : 2,
    issuer: { subjects, rank },
    hiddenColumns: hiddenColumns(hidden),
    ...(typeof environment === 'string' ? { environment } : {}),
  };
}

const factsOf = remembered(1000, (row: string): Facts => {
  const facts: readonly Json[] = JSON.parse(row);
  const [tokenHash, expiry, inactivityS, lastUsed, createdAt, limit, ip = null] = facts.slice(10);
  const networks: Json = JSON.parse(textOr(ip, '[]'));
  const caller = callerOf(facts);
  const lastUsedMs = textOr(lastUsed, null) === null ? null : Date.parse(inWords(lastUsed));
  const rateLimit = limit === null ? null : Number(limit);
  return {
    known:
      caller === null
        ? null
        : {
            caller,
            facts: row,
            lastUsedMs,
            rateLimit,
            networks: isList(networks) && networks.length > 0 ? networks.map(inWords) : null,
          },
    tokenHash: Buffer.from(inWords(tokenHash), 'base64url'),
    expiryMs: textOr(expiry, null) === null ? Infinity : Date.parse(inWords(expiry)),
    inactivityMs: Number(inactivityS) * 1000,
    usedMs: lastUsedMs ?? Date.parse(inWords(createdAt)),
  };
});

const said = ({ facts }: Readonly<Record<string, Value>> = {}): string | null => textOr(facts, null);

/** Ended by its expiry, or by not having been used for as long as it says. */
const ended = ({ expiryMs, inactivityMs, usedMs }: Facts, nowMs: number): boolean =>
  !(nowMs < expiryMs) || (inactivityMs > 0 && !(nowMs - usedMs < inactivityMs));

const standing = (facts: Facts, nowMs: number): KnownCaller | null => (ended(facts, nowMs) ? null : facts.known);

const proven = remembered(2, (dialect: Dialect): Sql => sql`${credential(dialect)} and a.token_hash = ${null}`);

/**
 * The caller that a key and token name; null where the key is unknown, the token wrong, or the authorization ended. The
 * store is asked for both together, so that a known key with a wrong token costs what an unknown one does.
 */
export async function identifyCaller(
  reader: Reader,
  key: string,
  token: string,
  nowMs: number,
): Promise<KnownCaller | null> {
  const question = withLast(proven(reader.dialect), key, hash('sha256', token, 'base64url'));
  const [row] = await reader.rows(hinted(question, { cached: true, single: true }));
  const facts = said(row);
  return facts === null ? null : standing(factsOf(facts), nowMs);
}

function matches(token: string, expected: Buffer): boolean {
  const given = hash('sha256', token, 'buffer');
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The caller that a key and token named when the store said this: a guess, until it says so again. */
export function presumeCaller(facts: string, token: string, nowMs: number): KnownCaller | null {
  const presumed = factsOf(facts);
  return matches(token, presumed.tokenHash) ? standing(presumed, nowMs) : null;
}

/** The caller of such facts as they stand at this moment; null where the authorization has ended. */
export const callerSaid = (facts: string, nowMs: number): Caller | null =>
  standing(factsOf(facts), nowMs)?.caller ?? null;

/** A reader that asks about a key on its way, in the statement it is first asked for where that is one by id. */
export interface ConfirmingReader extends Reader {
  /** What the store says about the key in this request; null where it knows none. Raises StoreUnavailable. */
  facts(): Promise<string | null>;
}

/** Has the store asked about a key once, together with the first thing that is read. */
export function confirming(reader: Reader, key: string): ConfirmingReader {
  let asked: Promise<string | null> | undefined;
  const question = withLast(credential(reader.dialect), key);
  const ask = (rows: ReturnType<Reader['rows']>): void => {
    asked = rows.then(([row]) => said(row));
    // Whoever wants to know is told; a write says so itself.
    asked.catch(() => undefined);
  };
  const { long, snapshots } = reader;
  /** The question about the key goes out beside the first read of a snapshot. */
  const askingBeside = ({ near, apart }: Snapshots): Snapshots => ({
    near: (work) => {
      if (asked === undefined) ask(reader.rows(hinted(question, { single: true })));
      return near(work);
    },
    apart,
  });
  return {
    dialect: reader.dialect,
    ...(long === undefined ? {} : { long }),
    ...(snapshots === undefined ? {} : { snapshots: askingBeside(snapshots) }),
    async rows(statement) {
      if (asked !== undefined) return reader.rows(statement);
      if (statement.hints?.single !== true) {
        ask(reader.rows(hinted(question, { single: true })));
        return reader.rows(statement);
      }
      const both = reader.rows(hinted(beside(question, statement), { single: true }));
      ask(both);
      return (await both).filter((row) => row['found'] === 1);
    },
    async facts() {
      if (asked === undefined) ask(reader.rows(hinted(question, { single: true })));
      return (await asked) ?? null;
    },
  };
}

/** The caller of a write was presumed, and the store says otherwise. */
export class StaleCaller extends Error {}

/**
 * The caller of an authorization as it stands now, read again inside a write; null where it has ended since. Raises
 * Misjudged where it was presumed from other facts.
 */
export async function reloadCaller(
  reader: Reader,
  authorizationId: string,
  nowMs: number,
  presumed?: string,
): Promise<Caller | null> {
  const question = hinted(withLast(credential(reader.dialect), authorizationId), { cached: true });
  const [row] = await reader.rows(
    presumed === undefined ? question : hinted(question, { expected: { facts: presumed } }),
  );
  const facts = said(row);
  if (presumed !== undefined && facts !== presumed) throw new StaleCaller('the caller was another one');
  return facts === null ? null : callerSaid(facts, nowMs);
}
