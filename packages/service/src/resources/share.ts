import { securable } from '../access/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../resource/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { checkFilters, columnsOfFilters, filtersShape } from '../resource/row-filters.ts';

const owner = securable('own', 'securable_id');

export const share = define({
  name: 'share',
  source: 'decisions, section 6',
  sentence: 'A public read-only view of a dashboard.',
  fields: {
    id,
    securable_id: field.reference('The dashboard.', {
      required: true,
      accept: ['create'],
      to: 'securable',
      targetOf: 'dashboard',
      onDelete: 'delete',
    }),
    slug: field.text('Unguessable; made by the service.', { accept: [], made: 'slug', unique: true, column: true }),
    active: field.boolean('Whether it may be opened; nothing of this version shows a share yet.', { initial: true }),
    expiry: field.timestamp('When it ends.'),
    filters: field.list('Row filters that hold for whoever opens it.', {
      initial: [],
      check: checkFilters,
      columns: columnsOfFilters,
      shape: filtersShape,
    }),
    organization_id: { ...organizationId, hidden: true },
    ...times,
  },
  roles: { create: owner, get: owner, update: owner, delete: owner },
  associations: {
    Securable: {
      to: 'securable',
      through: { kind: 'reference', field: 'securable_id', fixed: true },
      first: owner,
      target: securable('own'),
      source: 'decisions, section 6',
    },
  },
  example: { securable_id: '01890a5d-ac96-774b-bcce-b302099a8057', active: true },
});
