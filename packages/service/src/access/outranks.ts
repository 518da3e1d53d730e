import { Problem } from '../problems/problem.ts';
import { isOverseer, type Caller } from './caller.ts';

/**
 * Refuses actions that concern a rank above the caller's own: granting it, revoking it, or changing a person who has
 * it. Owners of the whole organization may act on every rank. Raises Problem `forbidden`. specification/resources#user
 */
export function mustOutrank(caller: Caller | null, level: number): void {
  if (caller === null || level <= caller.rank) return;
  if (isOverseer(caller)) return;
  throw new Problem('forbidden', {
    message: 'This is about a higher rank than yours; an Organization Owner of the whole organization may do it.',
  });
}
