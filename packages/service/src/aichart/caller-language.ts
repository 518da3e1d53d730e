import { filledText, parseObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { sql } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';

/** Returns the language code of a caller, such as `nl`: that of an embed token, or of a person. Null if none is set. */
export async function languageOfCaller(
  reader: Reader,
  { type, authorizationId, userId }: Caller,
): Promise<string | null> {
  const [row] = await reader.rows(
    type === 'embed' || userId === null
      ? sql`select record from "authorization" where id = ${authorizationId}`
      : sql`select record from "user" where id = ${userId}`,
  );
  const locale = row === undefined ? null : filledText(parseObject(String(row['record']))['locale_id']);
  if (locale === null) return null;
  const [known] = await reader.rows(sql`select code from locale where id = ${locale}`);
  const code = known === undefined ? locale : String(known['code']);
  return code.split('-')[0] ?? null;
}
