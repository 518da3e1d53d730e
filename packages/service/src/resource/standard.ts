import { all, any, organization, self, unset, type Role } from '../declare/roles.ts';
import { field, readOnly, type Fields } from '../declare/fields.ts';
import { filtersField } from './row-filters.ts';
import type { LinkLevels } from '../declare/association.ts';
import type { Rule } from './rules.ts';

/** The id, which every record has. */
export const id = readOnly(field.uuid('Assigned by the service.', { generated: 'id' }));

/** When a record was made and last changed. */
export const times = {
  created_at: readOnly(field.timestamp('When it was made.', { generated: 'now', column: true })),
  updated_at: readOnly(field.timestamp('When it was last changed.', { generated: 'now', column: true })),
} as const;

/** The organization a record belongs to: its maker's. */
export const organizationId = readOnly(
  field.reference('The organization it belongs to.', {
    generated: 'organization',
    to: 'organization',
    onDelete: 'delete',
  }),
);

/** The flags that give a right on a record. */
export const rightsLadder = {
  flags: { flagRead: 1, flagUse: 2, flagModify: 3, flagOwner: 4, flagOwn: 4 },
  keep: 4,
} as const satisfies LinkLevels;

/** The filters a link may carry. */
export const linkFilters = {
  filters: field.list('Row filters for everyone who has access through this link.', {
    ...filtersField,
    shownToLinker: true,
  }),
} as const;

/** Hours after which a record without its parent is deleted. */
export const draftHours = 24;

/** Who makes a record by a role on its parent, or without a parent. */
export const createdBy = (role: Role, parent: string): Role => any(role, all(unset(parent), organization('editor')));

/** Who has a role on a record through its parent, or made it and has not associated it yet. */
export const orCreator = (role: Role, parent: string): Role =>
  any(role, all(unset(parent), self('creator_id'), organization('member')));

/** Who made a record without its parent. */
export const creatorField: Fields = {
  creator_id: field.reference('Who made the record without its parent.', { accept: [], hidden: true, to: 'user' }),
};

/** Notes who makes a record without its parent. specification/resources#records-without-a-parent */
export const noteCreator = (parent: string): Rule => ({
  name: 'creator-until-associated',
  on: ['create'],
  description: `Without ${parent} the record belongs to its creator until it is associated; after ${draftHours} hours it is deleted.`,
  run: ({ after, caller }) =>
    Promise.resolve(typeof after[parent] === 'string' ? undefined : { hidden: { creator_id: caller?.userId ?? null } }),
});
