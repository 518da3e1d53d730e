import { checkItem } from '@inlay/contract';
import { assemble } from './assemble.ts';
import type { Plan } from '../plan.ts';
import type { Profile } from '../profile.ts';

const noId = '00000000-0000-0000-0000-000000000000';

/**
 * Validates the item of a plan against the slots of its type and the columns of the dataset. Returns an empty list if
 * the item is valid.
 */
export function faultsOf(profile: Profile, plan: Plan): readonly string[] {
  const faults: string[] = [];
  const typeOf = (datasetId: string, columnId: string): string | undefined =>
    datasetId === profile.dataset.id ? profile.byId.get(columnId)?.type : undefined;
  checkItem(assemble(profile, plan, noId).item, typeOf, 'item', (at, message) => faults.push(`${at} ${message}`));
  return faults;
}
