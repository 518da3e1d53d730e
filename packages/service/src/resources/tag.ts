import { organization, securable } from '../access/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../resource/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';

export const tag = define({
  name: 'tag',
  description: 'A keyword for finding securables.',
  fields: { id, name: field.multilingual('Name.', { searched: true }), organization_id: organizationId, ...times },
  roles: {
    create: organization('member'),
    get: organization('member'),
    update: organization('editor'),
    delete: organization('editor'),
  },
  associations: {
    Securables: {
      to: 'securable',
      relation: { kind: 'inverse', of: 'Tags' },
      roleHere: organization('member'),
      roleThere: securable('modify'),
    },
  },
  example: { name: { en: 'Quarterly' } },
});
