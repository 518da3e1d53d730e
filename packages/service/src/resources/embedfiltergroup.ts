import { securable, wholeOrganization } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';

const owner = wholeOrganization('owner');

export const embedfiltergroup = define({
  name: 'embedfiltergroup',
  description: 'Filters that apply to every embed token of the organization.',
  warns: { of: () => [] },
  fields: { id, name: field.multilingual('Name.', { searched: true }), organization_id: organizationId, ...times },
  roles: { create: owner, get: owner, update: owner, delete: owner },
  associations: {
    Securables: {
      to: 'securable',
      relation: { kind: 'inverse', of: 'EmbedFilterGroups' },
      targetOf: 'dataset',
      roleHere: owner,
      roleThere: securable('read'),
    },
  },
  example: { name: { en: 'Own region only' } },
});
