import { entity, organization, securable } from '../access/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../resource/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { colleague } from './organization.ts';
import { suborganizationByOwner, suborganizationField } from './parts/user/suborganization.ts';

export const group = define({
  name: 'group',
  sentence: 'People who get rights together.',
  warns: { of: () => [] },
  fields: {
    id,
    name: field.multilingual('Name.', { searched: true }),
    public: field.boolean('Shown in lists of groups.'),
    suborganization: suborganizationField,
    organization_id: organizationId,
    ...times,
  },
  roles: {
    create: organization('member'),
    get: colleague,
    update: entity('group', 'own'),
    delete: entity('group', 'own'),
  },
  ownedByMaker: true,
  rules: [suborganizationByOwner],
  associations: {
    Users: {
      to: 'user',
      through: { kind: 'link' },
      first: entity('group', 'own'),
      target: organization('member'),
      ladder: { flags: { flagMember: 1, flagOwner: 4, flagOwn: 4 }, initial: 1, keep: 4 },
      joins: true,
      takenOver: true,
    },
    Securables: {
      to: 'securable',
      through: { kind: 'inverse', of: 'Groups' },
      first: entity('group', 'read'),
      target: securable('own'),
    },
    Collections: {
      to: 'collection',
      through: { kind: 'inverse', of: 'Groups' },
      first: entity('group', 'read'),
      target: entity('collection', 'own'),
    },
  },
  example: { name: { en: 'Finance' } },
});
