import { entity, loggedIn, organization, securable } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { overseen } from '../resource/oversight.ts';
import { field } from '../declare/fields.ts';
import { id, linkFilters, organizationId, rightsLadder, times } from '../resource/standard.ts';

const declared = define({
  name: 'collection',
  description: 'A set of securables that inherit the rights on the collection.',
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
      relation: { kind: 'inverse', of: 'Collections' },
      roleHere: entity('collection', 'modify'),
      roleThere: securable('read'),
    },
    Users: {
      to: 'user',
      relation: { kind: 'link' },
      roleHere: entity('collection', 'own'),
      roleThere: loggedIn,
      levels: rightsLadder,
      properties: linkFilters,
      inheritsFilters: true,
    },
    Groups: {
      to: 'group',
      relation: { kind: 'link' },
      roleHere: entity('collection', 'own'),
      roleThere: entity('group', 'read'),
      levels: { flags: rightsLadder.flags },
      properties: linkFilters,
      inheritsFilters: true,
    },
  },
  example: { name: { en: 'Board pack' } },
});

export const collection = overseen(declared, ['id', 'name', 'organization_id', 'created_at', 'updated_at']);
