import { checkTheme, unknownWord } from '@inlay/contract';
import { themeWarnings } from '@inlay/contract/dashboard';
import { columnsOf, condition, permits } from '../access/permits.ts';
import { all, any, namedBy, organization, securable, token, wholeOrganization } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../declare/fields.ts';
import type { Rule } from '../resource/rules.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { sql, text } from '../store/sql.ts';
import { themeShape } from './parts/shapes.ts';

const sharedByWhole: Rule = {
  name: 'shared-theme-by-whole-organization',
  on: ['update'],
  description:
    'Only people without a suborganization change the default theme of the organization, and themes of dashboards that others change.',
  run: async ({ id: themeId, caller }, work) => {
    if (caller === null || caller.suborganization === null) return undefined;
    const organization = await work.record('organization', caller.organizationId);
    const beyond = await work.transaction.rows(
      sql`select 1 from theme_use u left join dashboardversion v on v.id = u.source_id
        join securable t on t.id = coalesce(v.securable_id, u.source_id)
        where u.theme_id = ${themeId} and v.writer is null and t.organization_id = ${caller.organizationId} and t.type = 'dashboard'
        and not ${condition(permits(securable('modify'), caller, columnsOf(text('t'))))} limit 1`,
    );
    if (organization?.['theme_id'] !== themeId && beyond.length === 0) return undefined;
    throw new Problem('forbidden', {
      message: 'Dashboards of the whole organization use this theme; somebody without a suborganization may change it.',
    });
  },
};

export const theme = define({
  name: 'theme',
  validates: true,
  warns: { of: () => [] },
  description: 'The appearance of dashboards; belongs to an organization.',
  fields: {
    id,
    name: field.multilingual('Name.', { searched: true }),
    theme: field.object('Colours, fonts and borders.', {
      default: { type: 'custom' },
      check: checkTheme,
      shape: themeShape,
      warns: (value, at) => themeWarnings(value, at, unknownWord),
    }),
    organization_id: organizationId,
    ...times,
    deleted_at: readOnly(field.timestamp('When it was deleted.', { column: true })),
  },
  roles: {
    create: organization('member'),
    get: any(organization('member'), all(token('embed'), namedBy('securable', 'read'))),
    update: organization('editor'),
    delete: wholeOrganization('owner'),
  },
  softDelete: true,
  rules: [sharedByWhole],
  associations: {
    Organization: {
      to: 'organization',
      relation: { kind: 'reference', field: 'organization_id', fixed: true },
      roleHere: wholeOrganization('owner'),
      roleThere: wholeOrganization('owner'),
    },
    defaultTheme: {
      to: 'organization',
      relation: { kind: 'referenced', by: 'theme_id', onDissociate: 'clear' },
      roleHere: wholeOrganization('owner'),
      roleThere: wholeOrganization('owner'),
    },
  },
  example: {
    name: { en: 'Evening' },
    theme: {
      type: 'custom',
      background: '#101418',
      itemsBackground: 'rgba(255,255,255,0.06)',
      colors: ['#5ad1a4', 'rgb(90,140,230)'],
    },
  },
});
