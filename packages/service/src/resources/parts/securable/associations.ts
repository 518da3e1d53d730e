import { entity, loggedIn, organization, securable, wholeOrganization } from '../../../declare/roles.ts';
import type { Association } from '../../../resource/define.ts';
import { field } from '../../../declare/fields.ts';
import { orCreator, linkFilters, rightsLadder } from '../../../resource/standard.ts';

const datasetOnly = { of: ['dataset'] } as const;
const dashboardOnly = { of: ['dashboard'] } as const;
const variant = { whenLinked: { is_variant: true }, whenUndone: { is_variant: false } } as const;

/** Associations of datasets and dashboards, with the role on each side. specification/operations#associations */
export const securableAssociations = {
  Users: {
    to: 'user',
    relation: { kind: 'link' },
    roleHere: securable('own'),
    roleThere: organization('editor'),
    levels: { ...rightsLadder, ownerField: 'owner_id' },
    properties: linkFilters,
    delegates: true,
  },
  Groups: {
    to: 'group',
    relation: { kind: 'link' },
    roleHere: securable('own'),
    roleThere: entity('group', 'read'),
    levels: { flags: rightsLadder.flags },
    properties: linkFilters,
    delegates: true,
  },
  favorites: {
    to: 'user',
    relation: { kind: 'link' },
    roleHere: securable('read'),
    roleThere: loggedIn,
    callerOnly: true,
  },
  Tags: {
    to: 'tag',
    relation: { kind: 'link' },
    roleHere: securable('modify'),
    roleThere: organization('member'),
  },
  Schedule: {
    to: 'schedule',
    relation: { kind: 'referenced', by: 'securable_id', onDissociate: 'delete' },
    roleHere: securable('modify'),
    roleThere: securable('modify', 'securable_id'),
  },
  Collections: {
    to: 'collection',
    relation: { kind: 'link' },
    roleHere: securable('read'),
    roleThere: entity('collection', 'modify'),
    // A reader may add a record to a collection, but the collection's owner then gets only the reader's right.
    limitedToGrantor: true,
  },
  Columns: {
    to: 'column',
    relation: { kind: 'referenced', by: 'securable_id', onDissociate: 'delete' },
    ...datasetOnly,
    roleHere: securable('modify'),
    roleThere: orCreator(securable('modify', 'securable_id'), 'securable_id'),
  },
  Formulas: {
    to: 'formula',
    relation: { kind: 'referenced', by: 'securable_id', onDissociate: 'delete' },
    ...datasetOnly,
    roleHere: securable('modify'),
    roleThere: orCreator(securable('modify', 'securable_id'), 'securable_id'),
  },
  EmbedFilterGroups: {
    to: 'embedfiltergroup',
    relation: { kind: 'link' },
    ...datasetOnly,
    roleHere: securable('read'),
    roleThere: wholeOrganization('owner'),
    properties: linkFilters,
  },
  Integrations: {
    to: 'integration',
    relation: { kind: 'link' },
    roleHere: securable('own'),
    roleThere: wholeOrganization('owner'),
    delegates: true,
    properties: {
      ...linkFilters,
      flagRead: field.boolean('Readable through the integration.'),
      flagUse: field.boolean('Usable through the integration.'),
      slug: field.text('Name of the securable inside the integration.', { maxLength: 255 }),
    },
  },
  Datasets: {
    to: 'securable',
    relation: { kind: 'link' },
    ...dashboardOnly,
    targetOf: 'dataset',
    roleHere: securable('modify'),
    roleThere: securable('use'),
  },
  Dashboards: {
    to: 'securable',
    relation: { kind: 'inverse', of: 'Datasets' },
    ...datasetOnly,
    targetOf: 'dashboard',
    roleHere: securable('use'),
    roleThere: securable('modify'),
  },
  Share: {
    to: 'share',
    relation: { kind: 'referenced', by: 'securable_id', onDissociate: 'delete' },
    ...dashboardOnly,
    roleHere: securable('own'),
    roleThere: loggedIn,
  },
  variants: {
    to: 'securable',
    relation: { kind: 'referenced', by: 'original_id', onDissociate: 'clear' },
    ...dashboardOnly,
    targetOf: 'dashboard',
    roleHere: securable('use'),
    roleThere: securable('read'),
    sets: { on: 'target', ...variant },
  },
  original: {
    to: 'securable',
    relation: { kind: 'reference', field: 'original_id' },
    ...dashboardOnly,
    targetOf: 'dashboard',
    roleHere: securable('use'),
    roleThere: securable('read'),
    sets: { on: 'first', ...variant },
  },
  Versions: {
    to: 'dashboardversion',
    relation: { kind: 'referenced', by: 'securable_id', onDissociate: 'refuse' },
    ...dashboardOnly,
    roleHere: securable('modify'),
    roleThere: securable('modify', 'securable_id'),
    readOnly: true,
  },
  Owner: {
    to: 'user',
    relation: { kind: 'reference', field: 'owner_id' },
    roleHere: securable('read'),
    roleThere: organization('member'),
    readOnly: true,
  },
  Modifier: {
    to: 'user',
    relation: { kind: 'reference', field: 'modifier_id' },
    roleHere: securable('read'),
    roleThere: organization('member'),
    readOnly: true,
  },
  Acceleration: {
    to: 'acceleration',
    relation: { kind: 'reference', field: 'acceleration_id' },
    ...datasetOnly,
    roleHere: securable('modify'),
    roleThere: securable('modify', 'securable_id'),
    readOnly: true,
  },
  Account: {
    to: 'account',
    relation: { kind: 'reference', field: 'account_id' },
    ...datasetOnly,
    roleHere: securable('read'),
    roleThere: entity('account', 'read'),
    readOnly: true,
  },
} as const satisfies Readonly<Record<string, Association>>;
