import { entity, loggedIn, organization, securable, wholeOrganization } from '../../../access/roles.ts';
import type { Association } from '../../../resource/define.ts';
import { field } from '../../../resource/fields.ts';
import { linkFilters, rightsLadder } from '../../../resource/standard.ts';

const datasetOnly = { of: ['dataset'] } as const;
const dashboardOnly = { of: ['dashboard'] } as const;
const variant = { whenLinked: { is_variant: true }, whenUndone: { is_variant: false } } as const;

/** What datasets and dashboards can be associated to, with the role on each side. */
export const securableAssociations = {
  Users: {
    to: 'user',
    through: { kind: 'link' },
    first: securable('own'),
    target: organization('editor'),
    ladder: { ...rightsLadder, ownerField: 'owner_id' },
    properties: linkFilters,
    handsOn: true,
  },
  Groups: {
    to: 'group',
    through: { kind: 'link' },
    first: securable('own'),
    target: entity('group', 'read'),
    ladder: { flags: rightsLadder.flags },
    properties: linkFilters,
    handsOn: true,
  },
  favorites: {
    to: 'user',
    through: { kind: 'link' },
    first: securable('read'),
    target: loggedIn,
    callerOnly: true,
  },
  Tags: {
    to: 'tag',
    through: { kind: 'link' },
    first: securable('modify'),
    target: organization('member'),
  },
  Schedule: {
    to: 'schedule',
    through: { kind: 'referenced', by: 'securable_id', onDissociate: 'delete' },
    first: securable('modify'),
    target: securable('modify', 'securable_id'),
  },
  Collections: {
    to: 'collection',
    through: { kind: 'link' },
    first: securable('read'),
    target: entity('collection', 'modify'),
    // A reader may collect a record, and the owner of the collection still gets no more than reading through it.
    bounded: true,
  },
  Columns: {
    to: 'column',
    through: { kind: 'referenced', by: 'securable_id', onDissociate: 'delete' },
    ...datasetOnly,
    first: securable('modify'),
    target: securable('modify', 'securable_id'),
  },
  EmbedFilterGroups: {
    to: 'embedfiltergroup',
    through: { kind: 'link' },
    ...datasetOnly,
    first: securable('read'),
    target: wholeOrganization('owner'),
    properties: linkFilters,
  },
  Integrations: {
    to: 'integration',
    through: { kind: 'link' },
    first: securable('own'),
    target: wholeOrganization('owner'),
    handsOn: true,
    properties: {
      ...linkFilters,
      flagRead: field.boolean('Readable through the integration.'),
      flagUse: field.boolean('Usable through the integration.'),
      slug: field.text('Name of the securable inside the integration.', { maxLength: 255 }),
    },
  },
  Datasets: {
    to: 'securable',
    through: { kind: 'link' },
    ...dashboardOnly,
    targetOf: 'dataset',
    first: securable('modify'),
    target: securable('use'),
  },
  Dashboards: {
    to: 'securable',
    through: { kind: 'inverse', of: 'Datasets' },
    ...datasetOnly,
    targetOf: 'dashboard',
    first: securable('use'),
    target: securable('modify'),
  },
  Share: {
    to: 'share',
    through: { kind: 'referenced', by: 'securable_id', onDissociate: 'delete' },
    ...dashboardOnly,
    first: securable('own'),
    target: loggedIn,
  },
  variants: {
    to: 'securable',
    through: { kind: 'referenced', by: 'original_id', onDissociate: 'clear' },
    ...dashboardOnly,
    targetOf: 'dashboard',
    first: securable('use'),
    target: securable('read'),
    sets: { on: 'target', ...variant },
  },
  original: {
    to: 'securable',
    through: { kind: 'reference', field: 'original_id' },
    ...dashboardOnly,
    targetOf: 'dashboard',
    first: securable('use'),
    target: securable('read'),
    sets: { on: 'first', ...variant },
  },
  Versions: {
    to: 'dashboardversion',
    through: { kind: 'referenced', by: 'securable_id', onDissociate: 'refuse' },
    ...dashboardOnly,
    first: securable('read'),
    target: securable('read', 'securable_id'),
    readOnly: true,
  },
  Account: {
    to: 'account',
    through: { kind: 'reference', field: 'account_id' },
    ...datasetOnly,
    first: securable('read'),
    target: entity('account', 'read'),
    readOnly: true,
  },
} as const satisfies Readonly<Record<string, Association>>;
