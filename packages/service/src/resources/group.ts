import { entity, organization, securable } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { colleague } from './organization.ts';
import { suborganizationByOwner, suborganizationField } from './parts/user/suborganization.ts';

export const group = define({
  name: 'group',
  description: 'People who get rights together.',
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
      relation: { kind: 'link' },
      roleHere: entity('group', 'own'),
      roleThere: organization('member'),
      levels: { flags: { flagMember: 1, flagOwner: 4, flagOwn: 4 }, default: 1, keep: 4 },
      joins: true,
      takenOver: true,
    },
    Securables: {
      to: 'securable',
      relation: { kind: 'inverse', of: 'Groups' },
      roleHere: entity('group', 'read'),
      roleThere: securable('own'),
    },
    Accounts: {
      to: 'account',
      relation: { kind: 'inverse', of: 'Groups' },
      roleHere: entity('group', 'read'),
      roleThere: entity('account', 'own'),
    },
    Collections: {
      to: 'collection',
      relation: { kind: 'inverse', of: 'Groups' },
      roleHere: entity('group', 'read'),
      roleThere: entity('collection', 'own'),
    },
  },
  example: { name: { en: 'Finance' } },
});
