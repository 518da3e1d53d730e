import { securable } from '../access/roles.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../resource/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import type { Rule } from '../resource/rules.ts';
import { sql } from '../store/sql.ts';
import { filtersField } from '../resource/row-filters.ts';

const owner = securable('own', 'securable_id');

const endViews: Rule = {
  name: 'end-views',
  on: ['update'],
  description: 'A change ends what is shown of it at once: pages that are open ask for it anew.',
  afterwards: true,
  run: async ({ id: shareId }, { transaction }) => {
    const views = sql`select id from "authorization" where share_id = ${shareId}`;
    await transaction.run(sql`delete from link where target_id in (${views})`);
    await transaction.run(sql`delete from "authorization" where share_id = ${shareId}`);
    return undefined;
  },
};

const giveMaker: Rule = {
  name: 'give-maker',
  on: ['update'],
  description: 'A share whose maker is gone is that of the owner who changes it.',
  run: async ({ id: shareId, caller }, { transaction }) => {
    const [row] = await transaction.rows(sql`select user_id from share where id = ${shareId}`);
    return row?.['user_id'] === null ? { hidden: { user_id: caller?.userId ?? null } } : undefined;
  },
};

export const share = define({
  name: 'share',
  description:
    'A public read-only view of a dashboard at `/s/<slug>`: it opens what its maker may read at that moment, within their row filters and its own.',
  warns: { of: () => [] },
  fields: {
    id,
    securable_id: field.reference('The dashboard.', {
      required: true,
      accept: ['create'],
      to: 'securable',
      targetOf: 'dashboard',
      onDelete: 'delete',
    }),
    slug: field.text('Unguessable; made by the service.', {
      accept: [],
      generated: 'slug',
      unique: true,
      column: true,
    }),
    active: field.boolean('Whether it may be opened.', { default: true }),
    expiry: field.timestamp('When it ends.'),
    filters: field.list('Row filters that hold for whoever opens it.', {
      default: [],
      ...filtersField,
    }),
    user_id: readOnly(field.reference('Who made it.', { generated: 'caller', to: 'user', hidden: true })),
    organization_id: { ...organizationId, hidden: true },
    ...times,
  },
  roles: { create: owner, get: owner, update: owner, delete: owner },
  rules: [giveMaker, endViews],
  associations: {
    Securable: {
      to: 'securable',
      relation: { kind: 'reference', field: 'securable_id', fixed: true },
      roleHere: owner,
      roleThere: securable('own'),
    },
  },
  example: { securable_id: '01890a5d-ac96-774b-bcce-b302099a8057', active: true },
});
