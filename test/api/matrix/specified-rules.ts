import type { Kind } from './bodies.ts';
import type { First } from './dissociate.ts';
import type { Operation } from './operations.ts';

/** What proves a rule of docs/specification: a test, by its file and words of its title, or a cell of the matrix. */
export type Proof =
  | { readonly file: string; readonly title: string }
  | { readonly kind: Kind; readonly operation: Operation }
  | { readonly first: First; readonly link: string };

export interface Sentence {
  readonly says: string;
  readonly proof: Proof;
}

const test =
  (file: string, folder = 'api') =>
  (says: string, title: string): Sentence => ({ says, proof: { file: `test/${folder}/${file}.test.ts`, title } });
const roleRow = (says: string, kind: Kind, operation: Operation): Sentence => ({ says, proof: { kind, operation } });
const links = (first: First, names: string): readonly Sentence[] =>
  names.split(' ').map((link) => ({ says: `${first} can be associated to ${link}`, proof: { first, link } }));
const pair = (says: string, link: string): Sentence => ({ says, proof: { first: 'dataset', link } });

const envelope = test('envelope');
const accounts = test('accounts');
const securables = test('securables');
const dashboards = test('dashboards');
const ssoconfigs = test('ssoconfigs');
const logins = test('logins', 'sso');
const themes = test('themes');
const plugins = test('plugins');
const aicharts = test('aicharts');
const search = test('search');
const bounds = test('search-bounds');
const paths = test('paths');
const errors = test('errors');
const limits = test('limits');
const coverage = test('specification-coverage');

/** Resources and their fields; the fields themselves are asked of the service in `specification-coverage.test.ts`. */
const resources: readonly Sentence[] = [
  envelope('UUID: a string identifier in UUID format', 'gives every record an id in UUID format'),
  envelope(
    'DATETIME: an ISO 8601 UTC timestamp with milliseconds',
    'takes and gives times as ISO 8601 UTC with milliseconds',
  ),
  envelope('Multilingual string: language codes to strings', 'takes and gives texts in several languages'),
  coverage('Unset values are returned as null', 'answers exactly the documented fields'),
  accounts('port is a string, not a number', 'refuses a port that there cannot be'),
  accounts('synced is not accepted on create', 'refuses synced on create'),
  accounts('the optional fields of create account', 'stores every field that create account accepts'),
  accounts('token: credential of the account', 'shows a token only in the answer to the request that carried it'),
  accounts('active, invalid: booleans', 'keeps active and invalid as sent'),
  securables(
    'A property that does not apply to one kind is null',
    'leaves null what does not apply to a dataset or a dashboard',
  ),
  securables(
    'datasets and dashboards are both securables',
    'creates, updates, deletes and links both kinds as securables',
  ),
  dashboards('subtype api for a dashboard created through the API', 'gives a dashboard the subtype api'),
  dashboards(
    'contents: one view for each of the three screen modes',
    'gives a new dashboard empty desktop, tablet and mobile views',
  ),
  dashboards('contents object and view object', 'refuses contents whose documented members have another type'),
  dashboards('element shape is not documented', 'keeps items and members it does not know as they were sent'),
  securables('update_metadata: accepted on update', 'accepts update_metadata on update and keeps it out of the record'),
  themes('the theme object', 'takes and gives a theme object as documented'),
  themes('colors in rgb, rgba or #RRGGBB form', 'refuses what is no colour'),
  plugins('the plugin record', 'takes and gives a plugin as documented'),
  coverage('the embedded organization object', 'embeds the documented organization object in a plugin'),
  coverage('the AI chart result', 'answers an AI chart with the documented members'),
  aicharts('slots[] and functionResponse', 'fills slots with columns and functionResponse with one list a slot'),
  aicharts('chart and filter types of the generator', 'can create every documented chart and filter type'),
];

const states: readonly Sentence[] = [
  ssoconfigs(
    'is_verified and disable_email_password are false at creation',
    'starts unverified with e-mail login enabled',
  ),
  logins(
    'used successfully for the first time: is_verified true',
    'lets people in without discovery, by the addresses of the configuration',
  ),
  ssoconfigs(
    'disable_email_password while is_verified is false is rejected',
    'refuses to disable e-mail login before it is verified',
  ),
  ssoconfigs('disable_email_password while is_verified is true', 'disables e-mail login once it is verified'),
  ssoconfigs('is_verified cannot be set through an update', 'never takes is_verified from a request'),
];

const endpoints: readonly Sentence[] = [
  envelope('every operation is a POST to the resource', 'answers a POST with status 200 and a JSON body'),
  envelope('create: required properties', 'takes properties alone as a create'),
  envelope('update: required id and properties', 'takes id and properties as an update of only these fields'),
  envelope('search: required find', 'takes find as a search'),
  envelope('dissociate: required id and resource', 'takes id and resource as a dissociate'),
  securables('dissociate: role and id are required', 'refuses a dissociate without role or id'),
  ssoconfigs('create: protocol and config are required', 'refuses a configuration without protocol or config'),
  ssoconfigs('update: optional protocol, config, disable_email_password', 'updates protocol and config by member'),
  dashboards('the optional fields of create dashboard', 'stores every field that create dashboard accepts'),
  securables('the optional fields of update dataset', 'stores every field that update dataset accepts'),
  aicharts('create: dataset_id and type are required', 'refuses an AI chart without dataset_id or type'),
  aicharts('optional message_history', 'takes a history of messages'),
  themes('create: optional name and theme', 'creates a theme without name and theme'),
  search('where, search, include, attributes, order, limit, offset', 'takes every member of find together'),
  search('the same shape for theme and plugin', 'searches themes and plugins with the same find'),
  search('search result: count and rows', 'counts all matches before the limit'),
];

const rules: readonly Sentence[] = [
  aicharts(
    'rule 1: a suggestion for the dataset, guided by a question',
    'steers to a chart type that the question names',
  ),
  aicharts(
    'rule 2: only when the experimental AI feature is enabled',
    'is refused while the organization has the AI feature off',
  ),
  test('../aichart/nothing-sent')(
    'rule 2: row-level data is never shared',
    'never sends a value of a row to the AI provider',
  ),
  dashboards('rule 3: contents begins with its version', 'gives contents back with version first'),
  roleRow('rule 4: only the owner may update a dataset', 'dataset', 'update'),
  ssoconfigs('rule 5: at most one SSO configuration', 'refuses a second configuration of an organization'),
  securables('rule 6: dissociate removes the association', 'is no longer associated after a dissociate'),
];

const authentication: readonly Sentence[] = [
  roleRow('create account: Logged-in User', 'account', 'create'),
  roleRow('create SSO configuration: Organization Owner', 'ssoconfig', 'create'),
  roleRow('update SSO configuration: Organization Owner', 'ssoconfig', 'update'),
  roleRow('create dashboard: Organization Editor', 'dashboard', 'create'),
  roleRow('update dataset: Entity Modifier', 'dataset', 'update'),
  roleRow('create AI chart: Logged-in User', 'aichart', 'create'),
  roleRow('create theme: Organization Member', 'theme', 'create'),
  roleRow('search theme: Organization Member', 'theme', 'search'),
  roleRow('search plugin: Entity Reader', 'plugin', 'search'),
  ...links('account', 'Users'),
  ssoconfigs(
    'SSO configuration can be associated to Organization',
    'belongs to the organization of its creator and is not moved',
  ),
  ...links(
    'dashboard',
    'Groups Users favorites variants original Tags Schedule Collections Share Integrations Datasets',
  ),
  ...links(
    'dataset',
    'Columns Groups Schedule Users favorites Tags Collections Integrations EmbedFilterGroups Dashboards',
  ),
  ...links('theme', 'defaultTheme Organization'),
  ...links('plugin', 'Organization Thumbnail User'),
  securables('another user becomes owner by flagOwner', 'makes a user the owner by associating it with flagOwner'),
  pair('Users: Securable Owner, Organization Editor', 'Users'),
  pair('Groups: Securable Owner, Group Member', 'Groups'),
  pair('favorites: Securable Reader, Securable Reader', 'favorites'),
  pair('Tags: Securable Modifier, Organization Member', 'Tags'),
  pair('Schedule: Securable Modifier, Securable Modifier', 'Schedule'),
  pair('Collections: Securable Reader, Entity Modifier', 'Collections'),
  pair('Columns: Securable Modifier, Securable Modifier', 'Columns'),
  pair('EmbedFilterGroups: Securable Reader, Organization Owner', 'EmbedFilterGroups'),
];

const refusals: readonly Sentence[] = [
  errors('response statuses 200, 400 and 500', 'answers every refusal in the one documented shape'),
  errors('500', 'tells nothing of the inside when something of ours fails'),
  ssoconfigs(
    'disable_email_password before verification is rejected',
    'refuses to disable e-mail login before it is verified',
  ),
  ssoconfigs('a second SSO configuration is rejected', 'refuses a second configuration of an organization'),
  ssoconfigs('is_verified in an update', 'never takes is_verified from a request'),
  roleRow('update dataset by another than the owner is not permitted', 'dataset', 'update'),
  ssoconfigs('limit: at most one SSO configuration', 'keeps one configuration when two are created at once'),
  bounds('limits of limit and offset', 'refuses a limit or offset outside its bounds'),
  limits('size limits of payloads and contents', 'refuses a body over the limit of its resource'),
  limits('rate limits', 'slows down a token that asks too often'),
  paths('the version is a path segment', 'answers 404 version_unknown for another version'),
  dashboards('older structure versions remain supported', 'reads every past structure of contents'),
];

/** Every rule of docs/specification that can be right or wrong, but for the lists of fields. */
export const sentences: readonly Sentence[] = [
  ...resources,
  ...states,
  ...endpoints,
  ...rules,
  ...authentication,
  ...refusals,
];
