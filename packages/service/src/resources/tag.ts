import { organization, securable } from '../access/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../resource/fields.ts';
import type { Rule } from '../resource/rules.ts';
import { id, organizationId, times } from '../resource/standard.ts';

const sameName: Rule = {
  name: 'tag-is-name',
  on: ['create', 'update'],
  description: '`tag` and `name` are always the same; if both are sent, `name` wins.',
  run: async ({ sent, after }) => {
    const given = sent['name'] === undefined && sent['tag'] !== undefined ? after['tag'] : after['name'];
    return { record: { name: given ?? null, tag: given ?? null } };
  },
};

export const tag = define({
  name: 'tag',
  description: 'A keyword for finding securables.',
  fields: {
    id,
    name: field.multilingual('Name.', { searched: true }),
    tag: field.multilingual('The same as `name`; either may be sent, and a text here is the English one.', {
      reads: (value) => (typeof value === 'string' ? { en: value } : value),
    }),
    organization_id: organizationId,
    ...times,
  },
  rules: [sameName],
  upgrade: (record) => ({ ...record, tag: record['name'] ?? null }),
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
