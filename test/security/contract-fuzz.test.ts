import { inWords, isObject, listOr, member, type Json, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { startService, type ServiceProcess } from '../support/process.ts';
import { call, freshInstallation, type Installation } from '../support/command.ts';
import { counted, isFull } from '../support/counts.ts';
import { runSeed } from '../support/seed.ts';
import { fuzzContract, haveSchemathesis, type FuzzRecords, type FuzzReport } from '../support/schemathesis.ts';
import { type Credential, storesToTest } from '../support/service.ts';

const missing = isFull ? await haveSchemathesis() : 'it takes minutes and runs with INLAY_TEST_FULL=1 only';
if (missing !== undefined) process.stdout.write(`skipped the contract fuzz: ${missing}\n`);

const seed = process.env['INLAY_FUZZ_SEED'] ?? String(runSeed);
/**
 * Some requests that the OpenAPI description refuses are taken, as published clients send them: a body whose shape names its operation,
 * null or an empty list where a member may be absent, members that an operation has no use for.
 */
const taken = ['--exclude-checks', 'negative_data_rejection'];
const examples = ['--phases', 'examples,fuzzing,stateful', '-n', String(counted(5, 30)), ...taken];
/** Every value at the edge of what the schemas allow, and just beyond: over a thousand requests for a path. */
const edges = ['--phases', 'coverage', '--include-method', 'POST', ...taken];

const within = (value: Json | undefined, ...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>(
    (found, name) => (found !== undefined && isObject(found) ? member(found, name) : undefined),
    value,
  );

const bearer = ({ key, token }: Credential): { readonly authorization: string } => ({
  authorization: `Bearer ${key}:${token}`,
});

const placeholder = '01890a5d-ac96-774b-bcce-b302099a805';

/** Records that stand in the examples of the OpenAPI description, by path: a dataset with a time and a number, a dashboard, an account. */
async function seedsOf(url: string, owner: Credential): Promise<FuzzRecords['seeds']> {
  const made = async (path: string, properties: JsonObject): Promise<string> =>
    inWords((await call(url, path, { action: 'create', properties }, bearer(owner))).body['id']);
  const rows = [
    ['day', 'region', 'revenue'],
    ['2026-01-31', 'Europe', 10.5],
  ];
  const pushed = await call(
    url,
    'data',
    { properties: { type: 'create', data: rows, options: { header: true } } },
    bearer(owner),
  );
  const dataset = inWords(within(listOr(pushed.body['rows'])[0], 'id'));
  const found = await call(url, 'column', { find: { where: { securable_id: dataset } } }, bearer(owner));
  const column = (name: string): string =>
    inWords(
      within(
        listOr(found.body['rows']).find((row) => within(row, 'source_name') === name),
        'id',
      ),
    );
  const dashboard = await made('dashboard', { name: { en: 'Sales' } });
  const reach = { host: 'db.example.com', scope: 'sales', identifier: 'reader', token: 'a password' };
  const account = await made('account', { provider: 'postgresql', name: 'Sales', ...reach });
  const [organization] = listOr((await call(url, 'organization', { find: {} }, bearer(owner))).body['rows']);
  await call(
    url,
    'organization',
    { id: inWords(within(organization, 'id')), properties: { flag_experimental_ai: true } },
    bearer(owner),
  );
  const [user] = listOr((await call(url, 'user', { find: {} }, bearer(owner))).body['rows']);
  const ofDataset = {
    [`${placeholder}7`]: dataset,
    [`${placeholder}8`]: column('day'),
    [`${placeholder}9`]: column('revenue'),
  };
  const ofDashboard = { [`${placeholder}7`]: dashboard };
  return {
    aichart: ofDataset,
    column: ofDataset,
    data: ofDataset,
    formula: { ...ofDataset, [`${placeholder}8`]: column('revenue') },
    export: ofDashboard,
    schedule: ofDashboard,
    share: ofDashboard,
    dataprovider: { [`${placeholder}7`]: account },
    hierarchylevel: { [`${placeholder}7`]: column('region') },
    identity: { [`${placeholder}7`]: inWords(within(user, 'id')) },
  };
}

/** Makes a record of each path from the example in the OpenAPI description. @returns the ids of those that could be made. */
async function madeFromExamples(url: string, owner: Credential): Promise<readonly string[]> {
  const document: JsonObject = JSON.parse(await (await fetch(`${url}/openapi.json`)).text());
  const ids = [];
  for (const [path, item] of Object.entries(within(document, 'paths') ?? {})) {
    const content = within(item, 'post', 'requestBody', 'content', 'application/json');
    const example = within(content, 'examples', 'create', 'value');
    if (example === undefined || !isObject(example)) continue;
    const { id } = (await call(url, path.slice('/0.1.0/'.length), example, bearer(owner))).body;
    if (typeof id === 'string') ids.push(id);
  }
  return ids;
}

async function embedToken(url: string, owner: Credential): Promise<Credential> {
  const { body } = await call(
    url,
    'authorization',
    { action: 'create', properties: { type: 'embed', username: 'ada' } },
    bearer(owner),
  );
  if (typeof body['id'] !== 'string' || typeof body['token'] !== 'string')
    throw new Error(`no embed token: ${JSON.stringify(body)}`);
  return { key: body['id'], token: body['token'] };
}

describe.runIf(missing === undefined).each(storesToTest)(
  'what the OpenAPI description says of every address, on %s',
  (store) => {
    let installation: { env: Installation; owner: Credential };
    beforeAll(async () => {
      installation = await freshInstallation(store);
    });

    async function fuzzed(
      service: ServiceProcess,
      sender: string,
      args: readonly string[],
      config?: string,
    ): Promise<FuzzReport> {
      const { owner } = installation;
      const ids = config === undefined ? await madeFromExamples(service.url, owner) : [];
      const seeds = await seedsOf(service.url, owner);
      const credential =
        sender === 'an owner' ? owner : sender === 'an embed token' ? await embedToken(service.url, owner) : null;
      const header = credential === null ? [] : ['-H', `Authorization: ${bearer(credential).authorization}`];
      return fuzzContract(service.url, { ids, seeds }, [...header, '--seed', seed, ...args], config);
    }

    it('holds for its examples, each of which an owner may send', async () => {
      const service = await startService({ env: installation.env });
      try {
        const report = await fuzzed(service, 'an owner', ['--phases', 'examples'], 'contract-examples');
        expect(report.failures, report.output.slice(-30_000)).toEqual([]);
        expect([report.isComplete, report.cases > 200], report.output).toEqual([true, true]);
      } finally {
        await service.stop();
      }
    });

    it.each([
      { sender: 'an owner', phase: 'examples and random requests', args: examples },
      { sender: 'nobody', phase: 'examples and random requests', args: examples },
      { sender: 'an embed token', phase: 'examples and random requests', args: examples },
      { sender: 'an owner', phase: 'values at the edges', args: edges },
    ])('holds for $phase of $sender', async ({ sender, phase, args }) => {
      const service = await startService({ env: installation.env });
      try {
        const report = await fuzzed(service, sender, args);
        const { cases, operations, isComplete, failures, output } = report;
        process.stdout.write(
          `contract fuzz on ${store}, ${phase} of ${sender}: ${cases} requests to ${operations} operations, ${failures.length} kinds of failures, seed ${seed}\n`,
        );
        expect(failures, output.slice(-30_000)).toEqual([]);
        expect([isComplete, operations > 30, cases > operations], output).toEqual([true, true, true]);
        expect(service.output()).not.toMatch(/"level":(?:50|60)/u);
      } finally {
        await service.stop();
      }
    });
  },
);
