import type { JsonObject } from '@inlay/contract';
import { fileTypes, hostileFiles, type FileType } from '../../test/support/hostile-files.ts';
import { workbookOf } from '../../test/support/workbooks.ts';
import type { Credential } from '../../test/support/service.ts';
import { bearer, type Sent } from './client.ts';
import { column, contentsOfBytes, type Stage } from './stage.ts';

/** A request that asks for the most of something, and the statuses that may answer it. */
export interface LargestRequest {
  readonly name: string;
  readonly sent: Sent;
  readonly statuses: readonly number[];
}

const done = [200] as const;
const refused = [400] as const;
/** Done, or refused for its size: what the store holds and how fast the machine is decides. */
const either = [200, 400, 413, 503, 504] as const;
const megabyte = 1024 * 1024;

/** Everything that is asked, over a stage; sizes are this share of what is allowed. */
export function largestRequests(stage: Stage, share: number): readonly LargestRequest[] {
  const part = (count: number): number => Math.max(1, Math.floor(count * share));
  const ask = (
    name: string,
    resource: string,
    body: object,
    statuses: readonly number[] = done,
    by: Credential = stage.owner,
    more: Partial<Sent> = {},
  ): LargestRequest => ({
    name,
    statuses,
    sent: { path: `/0.1.0/${resource}`, headers: bearer(by), body: JSON.stringify(body), ...more },
  });
  const text = (
    name: string,
    resource: string,
    body: string,
    statuses: readonly number[] = done,
    headers: Record<string, string> = bearer(stage.owner),
  ): LargestRequest => ({ name, statuses, sent: { path: `/0.1.0/${resource}`, body, headers } });
  const { key, token } = stage.owner;
  const credentialsLast = `"key":"${key}","token":"${token}"}`;
  const context = { part, ask, text, credentialsLast };
  return [
    ...bodies(stage, context),
    ...searches(stage, context),
    ...queries(stage, context),
    ...texts(stage, context),
    ...files(stage, context),
    ...drawings(stage, context),
    ...pages(stage, context),
  ];
}

interface Tools {
  readonly part: (count: number) => number;
  readonly ask: (
    name: string,
    resource: string,
    body: object,
    statuses?: readonly number[],
    by?: Credential,
    more?: Partial<Sent>,
  ) => LargestRequest;
  readonly text: (
    name: string,
    resource: string,
    body: string,
    statuses?: readonly number[],
    headers?: Record<string, string>,
  ) => LargestRequest;
  readonly credentialsLast: string;
}
type Part = (stage: Stage, tools: Tools) => readonly LargestRequest[];

const repeated = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length));

const bodies: Part = (stage, { part, ask, text, credentialsLast }) => {
  const contents = JSON.stringify({ type: 'dashboard', contents: contentsOfBytes(part(5_800_000)) });
  const row = (cell: string): string => `[${`${cell},`.repeat(499)}${cell}]`;
  const rows = (count: number, cell: string): string => `[${`${row(cell)},`.repeat(count - 1)}${row(cell)}]`;
  const push = (data: string): string =>
    `{"action":"create","properties":{"type":"create","data":${data},"options":{}},${credentialsLast}`;
  const members = Array.from({ length: part(9_990) }, (_, index) => `"field_${index}":${index}`).join(',');
  const one = part(megabyte - 500);
  return [
    text(
      '1 MB: a long text',
      'theme',
      `{"properties":{"name":{"en":"${'x'.repeat(one)}"}},${credentialsLast}`,
      refused,
      {},
    ),
    text(
      '1 MB: many values',
      'theme',
      `{"properties":{"theme":{"colors":[${repeated('"#fff",', part(430_000))}1]}},${credentialsLast}`,
      either,
      {},
    ),
    text(
      '1 MB: a list in an object',
      'theme',
      `{"properties":{"a":[${repeated('{},', part(180_000))}1]},${credentialsLast}`,
      either,
      {},
    ),
    text('many members', 'theme', `{"properties":{${members}},${credentialsLast}`, refused, {}),
    text(
      '63 levels',
      'theme',
      `{"properties":{"theme":${'['.repeat(60)}${']'.repeat(60)}},${credentialsLast}`,
      refused,
      {},
    ),
    text('6 MB of contents', 'dashboard', `{"properties":${contents}}`),
    text('6 MB of contents, credentials last', 'securable', `{"properties":${contents},${credentialsLast}`, done, {}),
    text('6 MB of contents, changed', 'dashboard', `{"id":"${stage.filled[0]}","properties":${contents}}`),
    text(
      '6 MB of small items',
      'dashboard',
      `{"properties":{"contents":{"views":[{"items":[${repeated('{},', part(1_100_000))}{}]}]}}}`,
      either,
    ),
    ask('a dashboard of 5 MB', 'dashboard', { action: 'get', id: stage.filled[0] }),
    ask('its versions', 'dashboardversion', { find: { where: { securable_id: stage.filled[0] } } }, either),
    text('push of 10,000 × 500, credentials last', 'data', push(rows(part(10_000), '7')), done, {}),
    text('push of 62 MB of texts', 'data', push(rows(part(5_000), '"0123456789012345678901"')), done, {}),
    text('push of 5,000,000 empty rows', 'data', push(`[${'[],'.repeat(part(5_000_000))}[]]`), refused, {}),
    text('62 MB of [{},{},…] from nobody', 'data', `[${'{},'.repeat(part(20_600_000))}{}]`, [400, 401], {}),
    text('62 MB of [{},{},…] from somebody', 'data', `{"find":[${'{},'.repeat(part(20_600_000))}{}]}`, [400, 413]),
    text('rows beyond all, credentials last', 'data', push(`[${'{},'.repeat(part(20_600_000))}{}]`), [400, 413], {}),
  ];
};

const searches: Part = (stage, { part, ask }) => {
  const find = (name: string, where: object, statuses: readonly number[] = done, more: object = {}): LargestRequest =>
    ask(name, 'dashboard', { find: { where, ...more } }, statuses);
  const terms = (count: number, one: (index: number) => object): object => ({
    or: Array.from({ length: count }, (_, index) => one(index)),
  });
  const ids = Array.from({ length: 10_000 }, () => stage.facts.id);
  return [
    find('pattern of 99 wildcards', { description: { iLike: `%${'_a'.repeat(49)}c%` } }, either),
    find('pattern of %a%a…', { description: { iLike: `%${'a%'.repeat(48)}c` } }, either),
    find(
      '200 terms',
      terms(199, (index) => ({ 'name.en': { startsWith: `Des${index}` } })),
      either,
    ),
    find(
      '200 terms in long texts',
      terms(199, (index) => ({ description: { contains: `aaaab${index}` } })),
      either,
    ),
    find('10,000 ids', { id: { in: ids } }, either),
    find('10,000 texts', { 'name.en': { in: ids } }, either),
    ask('a phrase', 'dashboard', { find: { search: { keyphrase: 'aaa b'.repeat(50) } } }, either),
    find('59 MB of dashboards', { id: stage.filled }, either),
    ask(
      'the same for a slow reader',
      'dashboard',
      { find: { where: { id: stage.filled } } },
      [200, 400, 503, 0],
      stage.owner,
      {
        bytesPerSecond: 1_000_000,
        limitMs: part(4000),
      },
    ),
    find('10,000 rows in order', {}, either, { limit: 10_000, order: [['name', 'desc']], attributes: ['id', 'name'] }),
    ask(
      'an include of 100,000 rows',
      'dashboard',
      {
        find: {
          where: { 'name.en': { startsWith: 'Tagged' } },
          attributes: ['id'],
          limit: 10_000,
          include: [{ model: 'Tags', attributes: ['id'] }],
        },
      },
      either,
    ),
    ask(
      'an include that is too large',
      'dashboard',
      {
        find: {
          where: { 'name.en': { startsWith: 'Tagged' } },
          limit: 10_000,
          include: [{ model: 'Tags', include: [{ model: 'Securables' }] }],
        },
      },
      either,
    ),
    ask(
      'includes of everything',
      'securable',
      {
        find: { include: ['Tags', 'Collections', 'Users', 'Groups', 'Datasets'].map((model) => ({ model })) },
      },
      either,
    ),
  ];
};

const queries: Part = (stage, { part, ask }) => {
  const { facts, viewer } = stage;
  const get = (
    name: string,
    find: JsonObject,
    statuses: readonly number[] = done,
    more: Partial<Sent> = {},
  ): LargestRequest => ask(name, 'data', { action: 'get', find }, statuses, viewer, more);
  const amount = column(facts, 'amount', { aggregation: { type: 'sum' } });
  const raw: JsonObject = {
    dimensions: ['a', 'b', 'leaf', 'at'].map((name) => column(facts, name)),
    measures: [column(facts, 'amount')],
    options: { rollup_data: false },
    limit: { by: 100_000 },
  };
  const values = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `leaf ${index * 3}`);
  const where = (count: number): JsonObject => ({
    expression: '? in ?',
    parameters: [column(facts, 'leaf'), [...values(count)]],
  });
  const many = (count: number, one: JsonObject): JsonObject => ({ queries: Array.from({ length: count }, () => one) });
  const test = (index: number): JsonObject => ({ expression: '? > ?', parameters: [column(facts, 'amount'), index] });
  const formula = (text: string): JsonObject => ({ measures: [{ dataset_id: facts.id, formula: text }] });
  const id = facts.columns['amount'] ?? '';
  const sums = `sum({${id}})`;
  return [
    get('100,000 rows', raw),
    get('100,000 rows as lines', { queries: [raw] }, done, {
      headers: { ...bearer(viewer), accept: 'application/x-ndjson' },
    }),
    get('100,000 rows, slow reader', raw, [200, 0, 503], { bytesPerSecond: 500_000, limitMs: part(4000) }),
    get('100,000 groups', { dimensions: [column(facts, 'leaf')], measures: [amount], limit: { by: 100_000 } }),
    get(
      '10,000 values in a list',
      { dimensions: [column(facts, 'a')], measures: [amount], where: [where(10_000)] },
      either,
    ),
    get(
      '50,000 values in five',
      many(5, { dimensions: [column(facts, 'a')], measures: [amount], where: [where(9_990)] }),
      either,
    ),
    get('200 × 10,000 values', many(part(200), { dimensions: [column(facts, 'a')], where: [where(1_000)] }), either),
    get('500 filters', { measures: [amount], where: Array.from({ length: 499 }, (_, index) => test(index)) }, either),
    get(
      '2,000 filters in four',
      many(4, { measures: [amount], where: Array.from({ length: 490 }, (_, index) => test(index)) }),
      either,
    ),
    get(
      '100 dimensions and measures',
      {
        dimensions: Array.from({ length: 100 }, () => column(facts, 'a')),
        measures: Array.from({ length: 100 }, () => amount),
      },
      either,
    ),
    get(
      '3,000 columns in 15',
      many(15, {
        dimensions: Array.from({ length: 100 }, () => column(facts, 'a')),
        measures: Array.from({ length: 99 }, () => amount),
      }),
      either,
    ),
    get('1,000 queries', many(1_000, { measures: [amount] }), either),
    get('formula of 200 operators', formula(Array.from({ length: 180 }, () => sums).join(' + ')), either),
    get('formula of 64 brackets', formula(`${'('.repeat(62)}${sums}${')'.repeat(62)}`), either),
    get('formula that doubles', formula(`${'power('.repeat(12)}${sums}${', 2)'.repeat(12)}`), either),
    get('formula of cases', formula(`case ${repeated(`when ${sums} > 1 then 2 `, 9_000)}end`), either),
    get(
      'formulas that grow',
      {
        measures: [
          {
            dataset_id: stage.long.id,
            formula: `max(replace({${stage.long.columns['word'] ?? ''}}, 'a', '${'b'.repeat(200)}'))`,
          },
        ],
      },
      either,
    ),
    get(
      'a pattern of wildcards',
      {
        measures: [column(stage.long, 'n')],
        where: [{ expression: '? like ?', parameters: [column(stage.long, 'word'), '%_a'.repeat(80)] }],
      },
      either,
    ),
  ];
};

const texts: Part = (stage, { ask }) => {
  const { facts, owner } = stage;
  const css = (piece: string): string => repeated(piece, 65_000);
  const embed = (more: object): object => ({
    action: 'create',
    properties: {
      type: 'embed',
      username: 'x',
      name: 'x',
      email: 'x@example.com',
      role: 'viewer',
      access: { datasets: [{ id: facts.id, rights: 'use' }] },
      ...more,
    },
  });
  const id = facts.columns['amount'] ?? '';
  const accesses = Array.from({ length: 1_000 }, () => ({ id: facts.id, rights: 'use' }));
  const formula = `sum({${id}})${repeated(' + 1', 780)}`;
  return [
    ask('CSS of 64 KB', 'authorization', embed({ css: css('.a{color:#123456}') }), either),
    ask('CSS of 64 KB of comments', 'authorization', embed({ css: css('/* ') }), either),
    ask('CSS of 64 KB of brackets', 'authorization', embed({ css: css('a{b:url(') }), either),
    ask('CSS of 64 KB of backslashes', 'authorization', embed({ css: css('\\5c ') }), either),
    ask('1,000 rights in a token', 'authorization', embed({ access: { datasets: accesses } }), either),
    ask(
      'a theme of long texts',
      'theme',
      {
        properties: {
          theme: {
            type: 'custom',
            colors: Array.from({ length: 5_000 }, () => 'rgba(1,2,3,0.5)'),
            background: 'x'.repeat(100_000),
          },
        },
      },
      either,
    ),
    ask(
      'formula of a dataset',
      'formula',
      { properties: { securable_id: facts.id, name: { en: 'F' }, expression: formula } },
      either,
    ),
    ask(
      'expression of a column',
      'column',
      {
        properties: {
          securable_id: facts.id,
          type: 'numeric',
          name: { en: 'C' },
          expression: `{${id}}${repeated(' + 1', 780)}`,
        },
      },
      either,
    ),
    ask(
      '500 associations',
      'dashboard',
      { properties: {}, associations: Array.from({ length: 500 }, () => ({ role: 'Datasets', id: facts.id })) },
      either,
    ),
    ask(
      'a question with 20 others',
      'aichart',
      {
        properties: {
          dataset_id: facts.id,
          type: 'generate-chart',
          question: repeated('amount by leaf per month ', 4_090),
          message_history: Array.from({ length: 20 }, () => 'by a '.repeat(800)),
        },
      },
      [...either, 403],
      owner,
    ),
    ask(
      'names in 200 languages',
      'dashboard',
      {
        properties: {
          name: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 'n'.repeat(250)])),
        },
      },
      either,
    ),
    ask('what a page needs', 'appearance', { action: 'get', id: stage.filled[1], properties: {} }, either),
  ];
};

const files: Part = (stage, { part }) => {
  const sent = (name: string, type: FileType, body: Buffer | string, statuses: readonly number[]): LargestRequest => ({
    name,
    statuses,
    sent: {
      path: '/0.1.0/data/file?name=File&header=true',
      headers: { ...bearer(stage.owner), 'content-type': fileTypes[type] },
      body,
    },
  });
  const wide = Array.from({ length: 500 }, (_, index) => `c${index}`).join(',');
  const line = `${Array.from({ length: 500 }, (_, index) => index).join(',')}\n`;
  const cells = (at: number): string =>
    Array.from(
      { length: 10 },
      (_, index) => `<c r="${String.fromCharCode(65 + index)}${at}"><v>${at * index}</v></c>`,
    ).join('');
  const sheet = Array.from({ length: part(20_000) }, (_, at) => `<row r="${at + 1}">${cells(at + 1)}</row>`).join('');
  return [
    sent('CSV of 500 columns', 'csv', `${wide}\n${line.repeat(part(10_000))}`, done),
    sent('CSV of one long line', 'csv', `a\n${'x'.repeat(part(20 * megabyte))}\n`, either),
    sent('NDJSON', 'ndjson', '{"a":1,"b":"some text","c":[1,2,3]}\n'.repeat(part(500_000)), either),
    sent('XLSX of 20,000 × 10', 'xlsx', workbookOf(sheet), done),
    ...hostileFiles.map(({ name, type, make }) => sent(name, type, make(), refused)),
  ];
};

const drawings: Part = (stage, { ask }) => {
  const made = (name: string, properties: JsonObject, statuses: readonly number[] = either): LargestRequest =>
    ask(name, 'export', { action: 'create', properties }, statuses, stage.viewer);
  const of = (name: string): JsonObject => ({ dashboard_id: stage.drawn[name] ?? '', item_id: 'one' });
  const query: JsonObject = {
    dimensions: ['leaf', 'a', 'b'].map((name) => column(stage.facts, name)),
    limit: { by: 100_000 },
  };
  return [
    made('pivot of 490,000 cells', { type: 'svg', ...of('pivot') }),
    made('treemap of 100,000 marks', { type: 'svg', ...of('treemap') }),
    made('sunburst as PDF', { type: 'pdf', dashboard_id: stage.drawn['sunburst'] ?? '' }),
    made('table as XLSX', { type: 'xlsx', ...of('table') }),
    made('picture of 64 million pixels', { type: 'png', ...of('small'), width: 4000, scale: 4 }),
    made('rows as CSV', { type: 'csv', query }, done),
    made('rows as Parquet', { type: 'parquet', query }),
  ];
};

const pages: Part = (stage, { ask }) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const any = [200, 302, 303, 400, 401, 403, 404, 405, 410, 413, 415, 429] as const;
  const get = (path: string): LargestRequest => ({
    name: path.slice(0, 40),
    statuses: any,
    sent: { method: 'GET', path },
  });
  const post = (path: string, body: string, headers: Record<string, string> = form): LargestRequest => ({
    name: `${path} with ${Math.round(body.length / 1024)} KB`,
    statuses: any,
    sent: { path, body, headers },
  });
  const login = {
    action: 'create',
    properties: { type: 'login', email: `${'x'.repeat(200)}@example.com`, password: 'p'.repeat(1000) },
  };
  return [
    ...[
      '/livez',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/docs',
      '/',
      '/sso/signed-out',
      `/sso/${'x'.repeat(200)}/login`,
    ].map(get),
    get(`/sso/callback?state=${'x'.repeat(7000)}`),
    post('/sso/prove', `state=${'x'.repeat(7_000)}&password=${'%41'.repeat(2_000)}`),
    post(`/sso/01890a5d-ac96-774b-bcce-b302099a8057/backchannel`, `logout_token=${'x'.repeat(900_000)}`),
    post('/sso/token', JSON.stringify({ code: 'x'.repeat(60_000), verifier: 'y'.repeat(60_000) }), {}),
    post('/sso/logout', JSON.stringify({ key: 'x', token: 'y'.repeat(100_000) }), {}),
    {
      ...ask('a login', 'authorization', login, any),
      sent: { path: '/0.1.0/authorization', body: JSON.stringify(login) },
    },
    ask(
      'a long password',
      'authorization',
      { ...login, properties: { ...login.properties, password: 'p'.repeat(900_000) } },
      any,
    ),
    ask('an unknown method', 'data', {}, any, stage.owner, { method: 'QUERY' }),
  ];
};
