import { hash } from 'node:crypto';
import type { Dialect } from '../store/dialect.ts';
import { remembered } from '../store/recent.ts';
import { hinted, sql, rebind, type Sql } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';
import { credential, currentCaller, factsIn, readFacts, type KnownCaller } from './facts.ts';

const withToken = remembered(2, (dialect: Dialect): Sql => sql`${credential(dialect)} and a.token_hash = ${null}`);

/**
 * Identifies the caller of a key and token. Null if the key is unknown, the token wrong, or the authorization has
 * ended. A single statement loads what both tests need, so that an unknown key takes as long as a wrong token.
 */
export async function identifyCaller(
  reader: Reader,
  key: string,
  token: string,
  nowMs: number,
): Promise<KnownCaller | null> {
  const statement = rebind(withToken(reader.dialect), key, hash('sha256', token, 'base64url'));
  const [row] = await reader.rows(hinted(statement, { cached: true, single: true }));
  const facts = factsIn(row);
  return facts === null ? null : currentCaller(readFacts(facts), nowMs);
}
