import { randomUUID } from 'node:crypto';
import { fontFile } from '../../support/font-file.ts';

export const kinds = [
  'account',
  'aichart',
  'airequest',
  'authorization',
  'collection',
  'column',
  'country',
  'dashboard',
  'dashboardversion',
  'dataset',
  'embed',
  'embedfiltergroup',
  'formula',
  'group',
  'hierarchylevel',
  'identity',
  'font',
  'image',
  'integration',
  'locale',
  'organization',
  'plugin',
  'schedule',
  'share',
  'ssoconfig',
  'tag',
  'task',
  'theme',
  'user',
] as const;
/** What the matrix asks about: the resources, with the two kinds of securable and the embed authorization on their own. */
export type Kind = (typeof kinds)[number];

const paths: Partial<Record<Kind, string>> = { dataset: 'securable', dashboard: 'securable', embed: 'authorization' };

/** Returns the resource as the path names it. */
export const resourceOf = (kind: Kind): string => paths[kind] ?? kind;

/** Returns the id of a record that a body refers to. */
export type Reference = (kind: Kind) => Promise<string>;

const named = (word: string): object => ({ name: { en: word } });
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/** Returns a year ahead at most: the longest life of an embed token. */
export const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

const creations: Readonly<Record<Kind, (to: Reference) => Promise<object> | object>> = {
  account: () => ({ name: 'Matrix', provider: 'matrix-source', host: 'db.example.com', port: '5432', token: 'canary' }),
  aichart: async (to) => ({ dataset_id: await to('dataset'), type: 'generate-chart' }),
  airequest: () => ({ model: 'a-model', outcome: 'used' }),
  authorization: () => ({ type: 'api' }),
  collection: () => named('Collection'),
  column: async (to) => ({
    securable_id: await to('dataset'),
    name: { en: 'Amount' },
    type: 'numeric',
    source_name: `amount_${randomUUID()}`,
  }),
  country: () => named('Nowhere'),
  dashboard: () => ({ type: 'dashboard', ...named('Dashboard') }),
  dashboardversion: async (to) => ({ securable_id: await to('dashboard'), name: 'Version' }),
  dataset: () => ({ type: 'dataset', ...named('Dataset') }),
  embed: async (to) => ({
    type: 'embed',
    username: 'matrix',
    name: 'Matrix',
    email: 'matrix@customer.example',
    role: 'viewer',
    access: { datasets: [{ id: await to('dataset'), rights: 'read' }] },
  }),
  embedfiltergroup: () => named('Filters'),
  formula: async (to) => ({ securable_id: await to('dataset'), ...named('Twice'), expression: '2 * 2' }),
  group: () => named('Group'),
  hierarchylevel: async (to) => ({ column_id: await to('column'), level: 1, ...named('Level') }),
  identity: async (to) => ({
    user_id: await to('user'),
    issuer: 'https://login.example.com',
    subject: randomUUID(),
  }),
  font: () => ({ name: 'Brand Sans', data: fontFile('Brand Sans').toString('base64') }),
  image: () => ({ name: 'pixel.png', media_type: 'image/png', data: onePixel }),
  integration: () => named('Integration'),
  locale: () => named('Nowherish'),
  organization: () => named('Organization'),
  plugin: () => ({
    slug: `p-${randomUUID()}`,
    ...named('Plugin'),
    base_url: 'https://plugin.example.com',
    authorize: 'none',
  }),
  schedule: async (to) => ({
    securable_id: await to('dashboard'),
    name: 'Weekly',
    cron: '0 8 * * 1',
    timezone_id: 'UTC',
  }),
  share: async (to) => ({ securable_id: await to('dashboard') }),
  ssoconfig: () => ({ protocol: 'OIDC', config: { client_id: 'matrix' } }),
  tag: () => named('Tag'),
  task: () => ({ type: 'export' }),
  theme: () => ({ ...named('Theme'), theme: { type: 'custom', background: 'rgb(1,2,3)' } }),
  user: () => ({ email: `${randomUUID()}@people.example`, name: 'Someone' }),
};

/** Returns the properties of a create: valid, with references through `to`. */
export const creation = async (kind: Kind, to: Reference): Promise<object> => await creations[kind](to);

/**
 * Returns the properties of a create that reach for a record of the other organization where the plain create would
 * not.
 */
export async function reachingCreation(kind: Kind, to: Reference): Promise<object> {
  const plain = await creation(kind, to);
  if (kind === 'dataset') return { ...plain, account_id: await to('account') };
  if (kind === 'account') return { ...plain, plugin_id: await to('plugin') };
  if (kind === 'user') return { ...plain, organization_id: await to('organization') };
  return plain;
}

const renamed = { name: 'Renamed' };
const renamedInEnglish = { name: { en: 'Renamed' } };
const otherChanges: Partial<Record<Kind, object>> = {
  account: renamed,
  airequest: { outcome: 'failed' },
  authorization: renamed,
  dashboardversion: renamed,
  identity: { subject: 'somebody else' },
  font: { weight: 'bold' },
  image: renamed,
  schedule: renamed,
  share: { active: false },
  ssoconfig: { config: { client_id: 'renamed' } },
  task: {},
  user: renamed,
};

/** Returns the properties of an update: one field changed. */
export const change = (kind: Kind): object => otherChanges[kind] ?? renamedInEnglish;
