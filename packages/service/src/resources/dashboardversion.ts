import { emptyContents } from '@inlay/contract';
import { all, environmentIn, having, operator, securable } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../declare/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';

const modifier = all(securable('modify', 'securable_id'), environmentIn('environment'));

export const dashboardversion = define({
  name: 'dashboardversion',
  description:
    'Previous contents of a dashboard, stored at each update. To restore them, update the dashboard with them.',
  fields: {
    id,
    securable_id: readOnly(field.reference('The dashboard.', { to: 'securable', onDelete: 'delete' })),
    contents: readOnly(field.object('The contents as they were.', { shownTo: having('view') })),
    environment: field.text('Name of the environment in which embed tokens show it.', {
      column: true,
      maxLength: 255,
    }),
    name: field.text('Name.', { searched: true, maxLength: 1000 }),
    organization_id: { ...organizationId, hidden: true },
    ...times,
  },
  roles: {
    create: operator,
    get: modifier,
    update: modifier,
    delete: operator,
  },
  features: [
    { feature: 'view', on: ['get', 'update'] },
    { feature: 'edit_full', on: ['update'] },
  ],
  bodyMb: 6,
  example: { name: 'Before the new layout', contents: emptyContents() },
});
