import { checkContents, contentsMembers, contentsWarnings, membersSchema } from '@inlay/contract/dashboard';
import { emptyContents, isObject, unknownWord, versionFirst } from '@inlay/contract';
import {
  all,
  allRows,
  any,
  current,
  designer,
  entity,
  having,
  loggedIn,
  organization,
  securable as role,
  unhidden,
  wholeOrganization,
} from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { overseen } from '../resource/oversight.ts';
import { field, readOnly, type Accept } from '../declare/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { contentsShape } from './parts/shapes.ts';
import { checkCss } from './parts/securable/css.ts';
import { securableAssociations } from './parts/securable/associations.ts';
import { securableRules } from './parts/securable/rules.ts';

const datasets = { of: ['dataset'] } as const;
const atSource = { ...datasets, askedOf: 'account_id' } as const;
const dashboards = { of: ['dashboard'] } as const;
const accept = (dataset: Accept, dashboard: Accept): { byVariety: Record<string, Accept> } => ({
  byVariety: { dataset, dashboard },
});
const both = ['create', 'update'] as const;
const hours = { default: 1, minimum: 0, maximum: 8760 } as const;

const declared = define({
  name: 'securable',
  validates: true,
  description: 'A dataset or a dashboard.',
  variety: { field: 'type', of: ['dataset', 'dashboard'], paths: true },
  bodyMb: 6,
  warns: { of: () => [], from: { account_id: 'account' } },
  fields: {
    id,
    type: field.text('`dataset` or `dashboard`; cannot be changed.', {
      default: 'dashboard',
      values: ['dataset', 'dashboard'],
      column: true,
    }),
    subtype: field.text('For a dataset: the connector or plugin, `upload` or `api`.', {
      default: 'api',
      accept: accept(both, []),
      maxLength: 255,
      column: true,
    }),
    name: field.multilingual('Name.', { searched: true }),
    description: field.multilingual('Description.', { searched: true }),
    subtitle: field.multilingual('Subtitle.', { searched: true }),
    contents: field.object('Definition of the dashboard, `version` first.', {
      ...dashboards,
      default: emptyContents(),
      shownTo: all(current, having('view')),
      check: checkContents,
      shape: contentsShape,
      objects: membersSchema(contentsMembers),
      warns: (value, at) => contentsWarnings(value, at, unknownWord),
      stored: (value) => (isObject(value) ? versionFirst(value) : value),
    }),
    slug: field.text('Short name, unique in the organization.', {
      column: true,
      pattern: {
        expression: /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/u,
        message: 'must be 1 to 100 lower-case letters, digits and dashes',
      },
    }),
    options: readOnly(field.object('Not used; always null.')),
    css: field.text('Custom CSS of a dashboard.', { ...dashboards, maxLength: 65_536, check: checkCss }),
    source_dataset: field.text('Identifier of the dataset at its source.', { ...atSource, maxLength: 2000 }),
    source_sheet: field.text('Sheet or table at the source.', { ...atSource, maxLength: 2000 }),
    source_query: field.text('Query at the source.', { ...atSource, maxLength: 100_000 }),
    transformation: field.text('Transformation of the rows.', { ...datasets, maxLength: 100_000 }),
    rows: readOnly(
      field.number('Number of rows; null for callers who do not see all of them.', {
        ...datasets,
        default: 0,
        shownTo: allRows('id'),
      }),
    ),
    featured: field.boolean('Shown first.', { accept: accept([], both) }),
    cache: field.number('Seconds that query results may be cached; 0 disables the cache.', {
      ...datasets,
      default: 0,
      minimum: 0,
      maximum: 31_536_000,
    }),
    shared_across_tenants: field.boolean(
      'Set by an owner who sees all rows: the dataset has no rows of individual tenants, so there are no warnings if no row filter applies to it.',
      datasets,
    ),
    empty_values: readOnly(
      field.object(
        'The columns that rows lack a value in, by `source_name`, with the number of these rows; null where it is not known.',
        { ...datasets, shownTo: all(allRows('id'), unhidden) },
      ),
    ),
    storage: readOnly(
      field.text('`client`: rows stay at the source; `columnar`: rows are stored in the columnar engine.', {
        ...datasets,
        default: 'client',
      }),
    ),
    derived: readOnly(field.boolean('Not used; always false.')),
    is_variant: readOnly(field.boolean('Whether it is a variant of another.')),
    migrated_rows: readOnly(field.number('Rows moved by a migration.', datasets)),
    uses_columnar_experimental: readOnly(field.boolean('Whether the rows are in the columnar engine.')),
    meta_sync_interval: field.number('Hours between two metadata refreshes.', { ...datasets, ...hours }),
    meta_sync_inherit: field.boolean('Use the interval of the account.', { ...datasets, default: true }),
    meta_sync_enabled: field.boolean('Whether metadata is refreshed periodically.', {
      ...datasets,
      default: true,
    }),
    update_metadata: field.boolean('Read the schema from the source before answering.', {
      ...datasets,
      transient: true,
    }),
    last_metadata_sync_at: field.timestamp('Time of the last metadata refresh.', datasets),
    last_metadata_sync_attempt_at: readOnly(field.timestamp('Time of the last attempt.', datasets)),
    modified_at: readOnly(field.timestamp('When somebody last changed it.', { generated: 'now', column: true })),
    ...times,
    acceleration_id: readOnly(
      field.reference('The acceleration of a dataset; null without one.', { to: 'acceleration' }),
    ),
    account_id: field.reference('The account that provides its rows.', {
      ...datasets,
      accept: ['create'],
      to: 'account',
      right: 'use',
      onDelete: 'refuse',
    }),
    template_id: readOnly(field.uuid('The template from which it was created.')),
    original_id: readOnly(field.reference('The dashboard it is a variant of.', { to: 'securable' })),
    source_template_id: readOnly(field.uuid('The template of its source.')),
    modifier_id: readOnly(field.reference('Who last changed it.', { generated: 'caller', to: 'user' })),
    owner_id: readOnly(field.reference('Its newest owner.', { generated: 'owner', to: 'user' })),
    suborganization: readOnly(
      field.text('Of a dashboard that an embed token made: suborganization of the token.', dashboards),
    ),
    username: readOnly(field.text('Of a dashboard that an embed token made: `username` of the token.', dashboards)),
    data_version: readOnly(field.text('Version of its rows in the columnar engine.', { ...datasets, hidden: true })),
    sync_due_at: readOnly(field.timestamp('Time of the next metadata refresh.', { ...datasets, hidden: true })),
    organization_id: { ...organizationId, hidden: true },
  },
  roles: {
    create: { byVariety: { dataset: organization('editor'), dashboard: any(organization('editor'), designer) } },
    get: role('read'),
    // A dataset can be updated only by an owner.
    update: { byVariety: { dataset: role('own'), dashboard: role('modify') } },
    delete: entity('securable', 'own'),
  },
  explainedTo: any(all(loggedIn, role('own')), wholeOrganization('owner')),
  features: [
    { feature: 'view', on: ['get', 'update', 'delete'], of: 'dashboard' },
    { feature: 'edit_full', on: ['create', 'delete', 'associate', 'dissociate'], of: 'dashboard' },
    { feature: 'edit_full', on: ['update'], of: 'dashboard', what: 'beyond `edit_limited`', decided: true },
    {
      feature: 'edit_limited',
      on: ['update'],
      of: 'dashboard',
      what: 'of layout and look, and of type and filters with *use* on the datasets',
      decided: true,
    },
    {
      feature: 'formulas',
      on: ['create', 'update'],
      of: 'dashboard',
      what: 'of formulas in `contents`',
      decided: true,
    },
  ],
  ownedByMaker: true,
  prepare: (request, { readMetadata }) => readMetadata(request),
  prepares: ({ operation, sent }) => operation === 'update' && sent['update_metadata'] === true,
  associations: securableAssociations,
  rules: securableRules,
  example: { type: 'dashboard', name: { en: 'Sales', fr: 'Ventes' }, description: { en: 'Revenue by region' } },
});

export const securable = overseen(declared, [
  'id',
  'type',
  'name',
  'created_at',
  'updated_at',
  'modified_at',
  'owner_id',
]);
