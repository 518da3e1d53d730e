import type { JsonObject } from '@inlay/contract';
import { Faults } from '../problems/problem.ts';
import type { Resource } from '../resource/define.ts';
import { mask } from '../declare/properties.ts';
import { at, secretPlaces, type Secrets } from '../declare/secrets.ts';
import type { Transaction } from '../store/store.ts';

/** The secrets of one record beyond those of its declaration. */
export interface FurtherSecrets {
  readonly places: readonly string[];
  /** What is to be sealed again, and as null what is no longer there; places that stay as they are are left out. */
  readonly given: Secrets;
}

/**
 * Finds the further secrets of a record that is about to be stored. What was once sealed stays a secret; a mask means
 * unchanged, in a create it is a fault. Raises Problem `validation_failed`.
 */
export async function furtherSecrets(
  transaction: Transaction,
  resource: Resource,
  record: JsonObject,
  held: ReadonlySet<string>,
  operation: 'create' | 'update',
): Promise<FurtherSecrets> {
  const declared = (await resource.furtherSecrets?.(record, transaction)) ?? [];
  const known = secretPlaces(resource);
  const places = [...new Set([...declared, ...held])].filter((place) => !known.includes(place));
  const faults = new Faults();
  const given: Record<string, string | null> = {};
  for (const place of places) {
    const value = at(record, place) ?? null;
    if (value === mask && operation === 'create')
      faults.add(`properties.${place}`, 'is the mask of a secret, not a secret');
    else if (value !== null && typeof value !== 'string') faults.add(`properties.${place}`, 'must be a text');
    else if (value !== mask) given[place] = value;
  }
  faults.raise();
  return { places, given };
}
