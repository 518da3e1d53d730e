import { entity, loggedIn, organization, securable } from '../access/roles.ts';
import { define } from '../resource/define.ts';
import { overseen } from '../resource/oversight.ts';
import { field } from '../resource/fields.ts';
import { id, linkFilters, organizationId, rightsLadder, times } from '../resource/standard.ts';

const declared = define({
  name: 'collection',
  sentence: 'Securables kept together; rights on it are inherited by them.',
  warns: { of: () => [] },
  fields: { id, name: field.multilingual('Name.', { searched: true }), organization_id: organizationId, ...times },
  roles: {
    create: organization('editor'),
    get: entity('collection', 'read'),
    update: entity('collection', 'modify'),
    delete: entity('collection', 'own'),
  },
  ownedByMaker: true,
  associations: {
    Securables: {
      to: 'securable',
      through: { kind: 'inverse', of: 'Collections' },
      first: entity('collection', 'modify'),
      target: securable('read'),
    },
    Users: {
      to: 'user',
      through: { kind: 'link' },
      first: entity('collection', 'own'),
      target: loggedIn,
      ladder: rightsLadder,
      properties: linkFilters,
      inheritsFilters: true,
    },
    Groups: {
      to: 'group',
      through: { kind: 'link' },
      first: entity('collection', 'own'),
      target: entity('group', 'read'),
      ladder: { flags: rightsLadder.flags },
      properties: linkFilters,
      inheritsFilters: true,
    },
  },
  example: { name: { en: 'Board pack' } },
});

export const collection = overseen(declared, ['id', 'name', 'organization_id', 'created_at', 'updated_at']);
