import { field, readOnly } from './fields.ts';
import { filtersField } from './row-filters.ts';
import type { LinkLevels } from './define.ts';

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
