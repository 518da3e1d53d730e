import { all, any, organization, self, unset, type Role } from '../declare/roles.ts';
import { field, readOnly, type Fields } from '../declare/fields.ts';
import { filtersField } from './row-filters.ts';
import type { LinkLevels } from '../declare/association.ts';
import type { Rule } from './rules.ts';

/** The id of a record. */
export const id = readOnly(field.uuid('Assigned by the service.', { generated: 'id' }));

/** Times at which a record was created and last changed. */
export const times = {
  created_at: readOnly(field.timestamp('When it was made.', { generated: 'now', column: true })),
  updated_at: readOnly(field.timestamp('When it was last changed.', { generated: 'now', column: true })),
} as const;

/** Organization of a record. A new record gets the organization of its creator. */
export const organizationId = readOnly(
  field.reference('The organization it belongs to.', {
    generated: 'organization',
    to: 'organization',
    onDelete: 'delete',
  }),
);

/** Flags of links that grant rights on a record. */
export const rightsLadder = {
  flags: { flagRead: 1, flagUse: 2, flagModify: 3, flagOwner: 4, flagOwn: 4 },
  keep: 4,
} as const satisfies LinkLevels;

/** Row filters of a link. */
export const linkFilters = {
  filters: field.list('Row filters for everyone who has access through this link.', {
    ...filtersField,
    shownToLinker: true,
  }),
} as const;

/** Hours after which a record whose parent was never set is deleted. */
export const draftHours = 24;

/** Days after which a draft of a dashboard that nobody touches is deleted. */
export const untouchedDays = 90;

/** Role to create a record: a role on its parent. A record without a parent requires an editor. */
export const createdBy = (role: Role, parent: string): Role => any(role, all(unset(parent), organization('editor')));

/** Role on a record: a role through its parent. A record without a parent belongs to its creator. */
export const orCreator = (role: Role, parent: string): Role =>
  any(role, all(unset(parent), self('creator_id'), organization('member')));

/** Creator of a record without a parent. */
export const creatorField: Fields = {
  creator_id: field.reference('Who made the record without its parent.', { accept: [], hidden: true, to: 'user' }),
};

/** Stores the creator of a record without a parent. specification/resources#records-without-a-parent */
export const noteCreator = (parent: string): Rule => ({
  name: 'creator-until-associated',
  on: ['create'],
  description: `Without ${parent} the record belongs to its creator until it is associated; after ${draftHours} hours it is deleted.`,
  run: ({ after, caller }) =>
    Promise.resolve(typeof after[parent] === 'string' ? undefined : { hidden: { creator_id: caller?.userId ?? null } }),
});
