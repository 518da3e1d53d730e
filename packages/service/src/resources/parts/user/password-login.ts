import { sql } from '../../../store/sql.ts';
import type { Transaction } from '../../../store/store.ts';
import type { Rule } from '../../../resource/rules.ts';

/**
 * True if an organization allows sign-in only with its identity provider. Locks the row until the commit, so that a
 * login cannot overlap with a change of this setting.
 */
export async function passwordsDisabled(transaction: Transaction, organizationId: string): Promise<boolean> {
  const [row] = await transaction.rows(
    sql`select disable_email_password from ssoconfig where organization_id = ${organizationId}${transaction.dialect.forShare}`,
  );
  return Number(row?.['disable_email_password'] ?? 0) === 1;
}

/** Ends password sessions once passwords are disabled. specification/sign-in#without-passwords */
export const endPasswordLogins: Rule = {
  name: 'end-password-logins',
  on: ['update'],
  description: 'Disabling e-mail and password login revokes the logins that were not created by the identity provider.',
  afterwards: true,
  run: async ({ before, after }, { transaction }) => {
    const organizationId = after['organization_id'];
    const isNew = before?.['disable_email_password'] !== true && after['disable_email_password'] === true;
    if (!isNew || typeof organizationId !== 'string') return undefined;
    await transaction.run(
      sql`delete from "authorization" where organization_id = ${organizationId} and type = 'login' and identity_id is null`,
    );
    return undefined;
  },
};
