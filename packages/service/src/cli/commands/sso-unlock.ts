import { sql } from '../../store/sql.ts';
import { readArguments, required } from '../arguments.ts';
import { CommandRefused } from '../faults.ts';
import type { Host } from '../host.ts';
import { emailOf, givenPassword, hashOf, makePassword, withoutPassword } from '../people.ts';
import { settingsOf } from '../settings.ts';
import { doneOf, withStore } from '../with-store.ts';

const text = { type: 'string' } as const;

/** Restores password login for people whom their identity provider locks out. */
export async function ssoUnlock(args: readonly string[], host: Host): Promise<number> {
  const { values } = readArguments(args, { organization: text, email: text });
  const organizationId = required(values.organization, '--organization ID').toLowerCase();
  const email = values.email === undefined ? null : emailOf(values.email, '--email');
  const fromEnvironment = givenPassword(host);
  const password = fromEnvironment ?? makePassword();
  const passwordHash = email === null ? null : await hashOf(password);
  return withStore(settingsOf(withoutPassword(host)), async (store) => {
    const [organization] = await store.rows(sql`select id from organization where id = ${organizationId}`);
    if (organization === undefined) {
      throw new CommandRefused(
        `There is no organization ${organizationId}; "inlay organization list" shows all organizations.`,
      );
    }
    const { count } = doneOf(await store.write({ kind: 'sso', step: 'unlock', organizationId, email, passwordHash }));
    host.out(
      count === 0 ? 'Passwords were not disabled.' : 'People of the organization can use their passwords again.',
    );
    if (email !== null && fromEnvironment === undefined)
      host.out(`  password of ${email}  ${password}  (shown only once)`);
    return 0;
  });
}
