import { levelOf } from '../../../declare/roles.ts';
import { Problem } from '../../../problems/problem.ts';
import { field } from '../../../declare/fields.ts';
import type { Rule } from '../../../resource/rules.ts';

/** The suborganization of a person or group. By default, that of its creator. */
export const suborganizationField = field.text('Separates people inside an organization.', {
  column: true,
  maxLength: 255,
  generated: 'suborganization',
});

/**
 * Refuses to move a person, group or token to another suborganization, unless the caller is an owner who may. Raises
 * Problem `forbidden`.
 */
export const suborganizationByOwner: Rule = {
  name: 'suborganization-by-owner',
  on: ['create', 'update'],
  description:
    'Only an organization owner can move a person, group or token to another suborganization. Only an owner of the whole organization can move one out of their own.',
  run: async ({ caller, before, after }) => {
    if (caller === null) return undefined;
    const from = before === null ? caller.suborganization : (before['suborganization'] ?? null);
    const to = after['suborganization'] ?? null;
    if (from === to) return undefined;
    const isOwner = caller.rank >= levelOf('owner');
    if (!isOwner || (caller.suborganization !== null && caller.suborganization !== to)) {
      throw new Problem('forbidden', { message: 'Only an Organization Owner may change the suborganization.' });
    }
    return undefined;
  },
};
