import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { done, type WriteResult } from '../../commands/command.ts';
import type { RotateCommand } from '../../commands/upkeep.ts';
import { Problem } from '../../problems/problem.ts';
import { currentKeySetting, currentSecretKey } from '../../store/secrets/sealed-keys.ts';
import { SecretTampered } from '../../store/secrets/secrets.ts';
import { name, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import type { WriteEnvironment } from '../context.ts';
import type { Row } from '../seals.ts';
import { isStored } from '../../declare/declaration.ts';

const sealedOf = (stored: unknown): Readonly<Record<string, string>> => {
  const parsed: Json = typeof stored === 'string' ? JSON.parse(stored) : {};
  const object: JsonObject = isObject(parsed) ? parsed : {};
  return Object.fromEntries(
    Object.entries(object).flatMap(([at, value]) => (typeof value === 'string' ? [[at, value]] : [])),
  );
};

function rewrapped(environment: WriteEnvironment, place: Row, keyId: string, sealed: Readonly<Record<string, string>>) {
  try {
    return environment.seals.rewrapAll(place, keyId, sealed);
  } catch (error) {
    if (!(error instanceof SecretTampered)) throw error;
    throw new Problem('internal', {
      message: `The secret of ${place.resource} ${place.id} was changed outside the service and no key opens it: set it again, or delete the record, then go on.`,
    });
  }
}

/**
 * Seals a batch of rows with another key, which becomes the current key of all instances. Returns the number of rows.
 * An empty batch only changes the current key. It locks no rows, so that all instances can first stop using the
 * previous key.
 */
export async function rotate(
  environment: WriteEnvironment,
  transaction: Transaction,
  { keyId, batch }: RotateCommand,
): Promise<WriteResult> {
  const { registry } = environment;
  if ((await currentSecretKey(transaction)) !== keyId) {
    await transaction.run(
      sql`insert into setting (name, value) values (${currentKeySetting}, ${keyId})
        on conflict (name) do update set value = excluded.value`,
    );
  }
  let moved = 0;
  for (const resource of registry.resources) {
    if (!isStored(resource) || moved >= batch) continue;
    const table = name(resource.name);
    const rows = await transaction.rows(
      sql`select id, organization_id, secrets from ${table} where secret_key is not null
        and secret_key <> ${keyId} order by id limit ${batch - moved}${transaction.dialect.forUpdate}`,
    );
    for (const row of rows) {
      const organization = typeof row['organization_id'] === 'string' ? row['organization_id'] : null;
      const place = { resource: resource.name, id: String(row['id']), organization };
      const sealed = rewrapped(environment, place, keyId, sealedOf(row['secrets']));
      await transaction.run(
        sql`update ${table} set secrets = ${JSON.stringify(sealed)}, secret_key = ${keyId} where id = ${place.id}`,
      );
    }
    moved += rows.length;
  }
  const answers = await transaction.rows(
    sql`select scope, key, answer from idempotency where secret_key is not null and secret_key <> ${keyId}
      order by scope, key limit ${Math.max(0, batch - moved)}${transaction.dialect.forUpdate}`,
  );
  for (const row of answers) {
    const [scope, key] = [String(row['scope']), String(row['key'])];
    const place = { resource: 'idempotency', id: scope, organization: null };
    const sealed = rewrapped(environment, place, keyId, { [key]: String(row['answer']) });
    await transaction.run(
      sql`update idempotency set answer = ${sealed[key] ?? ''}, secret_key = ${keyId} where scope = ${scope} and key = ${key}`,
    );
  }
  return done(moved + answers.length);
}
