import type { JsonObject } from '@inlay/contract';
import { Faults } from '../problems/problem.ts';
import type { Resource } from '../resource/define.ts';
import { mask } from '../declare/properties.ts';
import { at, secretPlaces, type Secrets } from '../declare/secrets.ts';
import type { Transaction } from '../store/store.ts';

/** Secrets within fields of a record, in addition to declared secret fields. */
export interface NestedSecrets {
  readonly places: readonly string[];
  /** Secrets to seal, by path; null removes a secret. Unchanged secrets are omitted. */
  readonly changes: Secrets;
}

/**
 * Finds secrets within the fields of a record to store. A path that was once sealed stays secret. A mask means that the
 * secret is unchanged, which is a fault in a create. Raises Problem `validation_failed`.
 */
export async function nestedSecrets(
  transaction: Transaction,
  resource: Resource,
  record: JsonObject,
  sealedPlaces: ReadonlySet<string>,
  operation: 'create' | 'update',
): Promise<NestedSecrets> {
  const declared = (await resource.nestedSecrets?.(record, transaction)) ?? [];
  const known = secretPlaces(resource);
  const places = [...new Set([...declared, ...sealedPlaces])].filter((place) => !known.includes(place));
  const faults = new Faults();
  const changes: Record<string, string | null> = {};
  for (const place of places) {
    const value = at(record, place) ?? null;
    if (value === mask && operation === 'create')
      faults.add(`properties.${place}`, 'is the mask of a secret, not a secret');
    else if (value !== null && typeof value !== 'string') faults.add(`properties.${place}`, 'must be a text');
    else if (value !== mask) changes[place] = value;
  }
  faults.raise();
  return { places, changes };
}
