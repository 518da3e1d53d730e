import { columnsOf, condition, permits } from '../../access/permits.ts';
import { entity, describeRole } from '../../declare/roles.ts';
import type { Caller } from '../../access/caller.ts';
import { Problem } from '../../problems/problem.ts';
import { mainTable, recordOf, storedColumns, storedOf } from '../../resource/tables.ts';
import { sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import type { StoredAccount } from './parts.ts';

/** Loads an account by id, without checking access; null if the account does not exist. */
export async function readAccount(reader: Reader, id: string): Promise<StoredAccount | null> {
  const [row] = await reader.rows(sql`select ${storedColumns(mainTable)} from account t where t.id = ${id}`);
  if (row === undefined) return null;
  const storedRecord = storedOf(row);
  const { organizationId, revision, sealed } = storedRecord;
  return { id: storedRecord.id, organizationId, revision, sealed, record: recordOf(storedRecord) };
}

/** Loads an account that the caller may *use*. Raises Problem `reference_unknown` at `at`, or `forbidden`. */
export async function usableAccount(reader: Reader, caller: Caller, id: string, at: string): Promise<StoredAccount> {
  const holds = async (right: 'read' | 'use'): Promise<boolean> => {
    const isAllowed = condition(permits(entity('account', right), caller, columnsOf(mainTable)));
    return (await reader.rows(sql`select t.id from account t where t.id = ${id} and ${isAllowed}`)).length === 1;
  };
  if (!(await holds('use'))) {
    if (await holds('read'))
      throw new Problem('forbidden', {
        message: `Your role does not allow this; it needs: ${describeRole(entity('account', 'use'))}.`,
      });
    throw new Problem('reference_unknown', {
      validation: { [at]: ['there is no such account, or you may not see it'] },
    });
  }
  const account = await readAccount(reader, id);
  if (account === null) throw new Problem('not_found');
  return account;
}
