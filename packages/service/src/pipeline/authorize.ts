import { createHash, createHmac } from 'node:crypto';
import { columnsOf, permits } from '../access/permits.ts';
import { says } from '../access/roles.ts';
import { Problem } from '../problems/problem.ts';
import { forVariety } from '../resource/define.ts';
import { sql, text } from '../store/sql.ts';
import type { Caller } from '../access/caller.ts';
import { authorizeWrite } from './write/authorize-write.ts';
import { authorizeAsk, unlockedContext } from './write/held-roles.ts';
import type { IncomingRequest } from './identify.ts';
import { isLarger, largeRecord } from './large.ts';
import type { Service } from './service.ts';
import type { ValidatedRequest } from './validate.ts';

/** Step 4: the caller may do this, as far as the store knows now. */
export interface AuthorizedRequest extends ValidatedRequest {
  readonly fingerprint: string;
  /** Whether the record, as it is or as it becomes, is a large one. */
  readonly isLarge: boolean;
}

/** Whose kept answers a request may be answered from: nobody else's; without credentials, those of the same address. */
export const keptFor = (caller: Caller | null, { address }: IncomingRequest): string =>
  caller?.authorizationId ?? `address ${address}`;

/** An Idempotency-Key as it is kept: hashed, since the fingerprint below is only as secret as the key. */
export const keptKey = (idempotencyKey: string): string =>
  createHash('sha256').update(idempotencyKey).digest('base64url');

/** What makes two requests the same; keyed, so that the store does not tell a password that was sent. */
function fingerprintOf(
  { path, operation, envelope, incoming: { rows } }: ValidatedRequest,
  idempotencyKey: string,
): string {
  const { properties, id, resource, associations } = envelope;
  const said = JSON.stringify([
    path.name,
    operation,
    id,
    properties,
    resource,
    associations,
    ...(rows === null ? [] : [rows.digest]),
  ]);
  return createHmac('sha256', idempotencyKey).update(said).digest('base64url');
}

/** Whether an answer is kept for the Idempotency-Key of a request. */
export async function isRepetition(
  { reader }: Service,
  { caller, incoming }: ValidatedRequest,
  idempotencyKey: string,
): Promise<boolean> {
  const rows = await reader.rows(
    sql`select 1 as held from idempotency where scope = ${keptFor(caller, incoming)} and key = ${keptKey(idempotencyKey)}`,
  );
  return rows.length > 0;
}

/** Refuses what the caller may not do. Raises Problem: 400, 401, 403, 404. */
export async function authorize(service: Service, validated: ValidatedRequest): Promise<AuthorizedRequest> {
  const { path, caller, input, write, faults, incoming } = validated;
  const { resource } = path;
  const { idempotencyKey } = incoming;
  const isKept = write !== null && idempotencyKey !== undefined;
  const allowed: AuthorizedRequest = {
    ...validated,
    fingerprint: isKept ? fingerprintOf(validated, idempotencyKey) : '',
    isLarge: write !== null && 'set' in write && isLarger(write.set, largeRecord),
  };
  const asked = unlockedContext(service.reader, service.registry, caller);
  if (write === null) {
    if (input.kind === 'ask') await authorizeAsk(asked, resource);
    if (input.kind === 'search') {
      const role = resource.roles.get === undefined ? undefined : forVariety(resource.roles.get, undefined);
      const never = role === undefined || permits(role, caller, columnsOf(text('t'))) === false;
      if (never)
        throw new Problem(
          'forbidden',
          role === undefined ? {} : { message: `Your role does not allow this; it needs: ${says(role)}.` },
        );
    }
    return allowed;
  }
  try {
    const { before } = await authorizeWrite(asked, resource, write, path.fixed, faults);
    return before !== null && before.text.length > largeRecord ? { ...allowed, isLarge: true } : allowed;
  } catch (refused) {
    // A repetition is answered from what was kept, even where the first one left nothing to ask about.
    const isRepeated = faults.none && isKept && (await isRepetition(service, validated, idempotencyKey));
    if (!isRepeated) throw refused;
  }
  return allowed;
}
