import { columnsOf, permits } from '../access/permits.ts';
import { describeRole } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { forVariety } from '../declare/variety.ts';
import { fingerprintOf, hashedKey, scopeOf } from '../idempotency/key.ts';
import { isKnown } from '../idempotency/table.ts';
import type { IdempotencyKey } from '../resource/served.ts';
import { text } from '../store/sql.ts';
import { authorizeWrite } from './rights/authorize-write.ts';
import { authorizeServedGet, unlockedContext } from './rights/held-roles.ts';
import { isLarger, largeRecord } from '../concurrency/large.ts';
import type { Service } from './service.ts';
import type { ValidatedRequest } from './validate.ts';

/** Step 4: the caller is authorized, as far as can be decided before the transaction. */
export interface AuthorizedRequest extends ValidatedRequest {
  /** Null for a read, or without an Idempotency-Key. */
  readonly idempotency: IdempotencyKey | null;
  /** True if the record is large before or after the write. */
  readonly isLarge: boolean;
}

/** Returns the stored form of a request's Idempotency-Key; null without one. */
function idempotencyOf(service: Service, validated: ValidatedRequest): IdempotencyKey | null {
  const { path, operation, envelope, incoming, caller } = validated;
  const { idempotencyKey, rows, address } = incoming;
  if (idempotencyKey === undefined) return null;
  const { properties, id, resource, associations } = envelope;
  const parts = [path.name, operation, id, properties, resource, associations];
  return {
    scope: scopeOf(caller, address),
    key: hashedKey(idempotencyKey),
    fingerprint: fingerprintOf(rows === null ? parts : [...parts, rows.digest], idempotencyKey),
    hours: service.idempotencyHours,
  };
}

/** Refuses operations that the caller is not authorized for. Raises Problem: 400, 401, 403, 404. */
export async function authorize(service: Service, validated: ValidatedRequest): Promise<AuthorizedRequest> {
  const { path, caller, input, write, faults } = validated;
  const { resource } = path;
  const idempotency = write === null ? null : idempotencyOf(service, validated);
  const allowed: AuthorizedRequest = {
    ...validated,
    idempotency,
    isLarge: write !== null && 'set' in write && isLarger(write.set, largeRecord),
  };
  const context = unlockedContext(service.reader, service.registry, caller);
  if (write === null) {
    if (input.kind === 'served') await authorizeServedGet(context, resource, input.input);
    if (input.kind === 'search') {
      const role = resource.roles.get === undefined ? undefined : forVariety(resource.roles.get, undefined);
      const never = role === undefined || permits(role, caller, columnsOf(text('t'))) === false;
      if (never)
        throw new Problem(
          'forbidden',
          role === undefined ? {} : { message: `Your role does not allow this; it needs: ${describeRole(role)}.` },
        );
    }
    return allowed;
  }
  try {
    const { before } = await authorizeWrite(context, resource, write, path.fixed, faults);
    return before !== null && before.text.length > largeRecord ? { ...allowed, isLarge: true } : allowed;
  } catch (refused) {
    // A repeated request gets the stored answer, even if the first request deleted records that the caller's right
    // depends on.
    const isRepeated = faults.none && idempotency !== null && (await isKnown(service.reader, idempotency));
    if (!isRepeated) throw refused;
  }
  return allowed;
}
