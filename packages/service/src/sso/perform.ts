import type { WriteResult } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import { bindingOf } from '../resources/parts/user/identity-binding.ts';
import { removeRecord } from '../resource/tables.ts';
import { sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { changeRecord, beginWrite, type WriteEnvironment, type WriteContext } from '../write/context.ts';
import type { SsoCommand } from '../commands/sso.ts';
import { signIn } from './login/sign-in.ts';

type Step<Name extends SsoCommand['step']> = SsoCommand & { readonly step: Name };

const doneResult = (count: number, id: string | null = null): WriteResult => ({ kind: 'done', count, id });

const use = ({ transaction }: WriteContext, id: string, until: string): Promise<number> =>
  transaction.run(sql`insert into sso_used (id, until) values (${id}, ${until}) on conflict (id) do nothing`);

async function end({ transaction, environment }: WriteContext, id: string): Promise<void> {
  await transaction.run(sql`delete from sso_handover where authorization_id = ${id}`);
  await removeRecord(transaction, environment.registry.resource('authorization'), id);
}

async function take(
  context: WriteContext,
  { codeHash, challenge, tokenHash, expiry }: Step<'take'>,
): Promise<WriteResult> {
  const { transaction, environment, now } = context;
  const [handover] = await transaction.rows(
    sql`select authorization_id, challenge, until from sso_handover where code_hash = ${codeHash}${transaction.dialect.forUpdate}`,
  );
  if (handover === undefined) throw new Problem('sso_code_invalid');
  const id = String(handover['authorization_id']);
  // Any attempt consumes the code, so that guessing is futile.
  if (handover['challenge'] !== challenge || String(handover['until']) <= now) {
    await end(context, id);
    return doneResult(0);
  }
  await transaction.run(sql`delete from sso_handover where code_hash = ${codeHash}`);
  const authorization = environment.registry.resource('authorization');
  await changeRecord(context, authorization, id, { expiry, token_hash: tokenHash });
  const [remaining] = await transaction.rows(sql`select id from "authorization" where id = ${id}`);
  if (remaining === undefined) throw new Problem('sso_code_invalid');
  return doneResult(1, id);
}

async function logout(context: WriteContext, command: Step<'logout'>): Promise<WriteResult> {
  const { organizationId, issuer, subject, session, id, until } = command;
  const { transaction } = context;
  if ((await use(context, id, until)) === 0) return doneResult(0);
  const identity =
    subject === null
      ? sql`select id from identity where organization_id = ${organizationId}`
      : sql`select id from identity where binding = ${bindingOf(organizationId, issuer, subject)}`;
  // A logout may name a session. If it names none, every login of the person ends.
  const ofSession =
    session === null
      ? sql``
      : subject === null
        ? sql` and sso_sid = ${session}`
        : sql` and (sso_sid = ${session} or sso_sid is null)`;
  const rows = await transaction.rows(
    sql`select id from "authorization" where organization_id = ${organizationId}
      and identity_id in (${identity})${ofSession} order by id${transaction.dialect.forUpdate}`,
  );
  for (const row of rows) await end(context, String(row['id']));
  return doneResult(rows.length);
}

async function unlock(
  context: WriteContext,
  { organizationId, email, passwordHash }: Step<'unlock'>,
): Promise<WriteResult> {
  const { transaction, environment } = context;
  const { registry } = environment;
  const [row] = await transaction.rows(
    sql`select id from ssoconfig where organization_id = ${organizationId} and disable_email_password = 1`,
  );
  if (row !== undefined)
    await changeRecord(context, registry.resource('ssoconfig'), String(row['id']), { disable_email_password: false });
  if (email === null) return doneResult(row === undefined ? 0 : 1);
  const [person] = await transaction.rows(
    sql`select id from "user" where email = ${email} and organization_id = ${organizationId}`,
  );
  if (person === undefined)
    throw new Problem('not_found', { message: `The organization has nobody with the address ${email}.` });
  const id = String(person['id']);
  await changeRecord(context, registry.resource('user'), id, { password_hash: passwordHash });
  return doneResult(row === undefined ? 0 : 1, id);
}

/** Performs the writes of single sign-on. Raises Problem. */
export async function performSso(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: SsoCommand,
): Promise<WriteResult> {
  const context = beginWrite(environment, transaction, null);
  switch (command.step) {
    case 'use':
      return doneResult(await use(context, command.id, command.until));
    case 'sign-in':
      return { kind: 'sso', outcome: await signIn(context, command) };
    case 'take':
      return take(context, command);
    case 'end':
      await end(context, command.authorizationId);
      return doneResult(1);
    case 'logout':
      return logout(context, command);
    case 'unlock':
      return unlock(context, command);
  }
}
