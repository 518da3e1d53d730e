import { columnsOf, condition, permits } from '../access/permits.ts';
import { organization, securable } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import type { Rule } from '../resource/rules.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { sql, text } from '../store/sql.ts';

const sameName: Rule = {
  name: 'tag-is-name',
  on: ['create', 'update'],
  description: '`tag` and `name` are always the same; if both are sent, `name` wins.',
  run: async ({ sent, after }) => {
    const name = sent['name'] === undefined && sent['tag'] !== undefined ? after['tag'] : after['name'];
    return { record: { name: name ?? null, tag: name ?? null } };
  },
};

const sharedByWhole: Rule = {
  name: 'shared-tag-by-whole-organization',
  on: ['update', 'delete'],
  description: 'Only people without a suborganization change and delete tags of securables that others change.',
  run: async ({ id: tagId, caller }, { transaction }) => {
    if (caller === null || caller.suborganization === null) return undefined;
    const beyond = await transaction.rows(
      sql`select 1 from link l join securable t on t.id = l.first_id
        where l.target_id = ${tagId} and l.association = 'securable.Tags'
          and not ${condition(permits(securable('modify'), caller, columnsOf(text('t'))))} limit 1`,
    );
    if (beyond.length === 0) return undefined;
    throw new Problem('forbidden', {
      message:
        'Securables of the whole organization have this tag; somebody without a suborganization may change or delete it.',
    });
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
  rules: [sameName, sharedByWhole],
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
