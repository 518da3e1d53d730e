import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject } from '@inlay/contract';
import { Admission } from '../../packages/service/src/data/admission.ts';
import { QueryAnswers } from '../../packages/service/src/data/answers/query-answers.ts';
import { createDataHandler } from '../../packages/service/src/data/serve-data.ts';
import { identifyCaller } from '../../packages/service/src/callers/identify.ts';
import { type AnswerCache, createAnswerCache } from '../../packages/service/src/data/cache/cache.ts';
import type { Reader } from '../../packages/service/src/store/store.ts';
import { untraced } from '../../packages/service/src/tracing/trace.ts';
import { engineQueryService } from '../support/engine-query-service.ts';
import { counted } from '../support/counts.ts';
import { havePostgresServer } from '../support/service.ts';
import { startTenants, type Dataset, type Tenants, type Way } from '../support/tenants.ts';
import { randomOf } from '../support/tenant-queries.ts';
import { overHttp, search, type Ask } from '../support/tenant-search.ts';

describe.runIf(havePostgresServer)('tenants of one organization', () => {
  let world: Tenants;
  beforeAll(async () => {
    world = await startTenants();
  });
  afterAll(() => world.stop());

  /** Returns the same rows as a file: the values of each line. */
  const overExports: Ask = async (query, by) => {
    const { statusCode, body } = await world.api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/export',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ action: 'create', properties: { type: 'ndjson', query }, ...by }),
    });
    if (statusCode !== 200) return { status: statusCode, body };
    const lines = body.split('\n').slice(0, -1);
    return { status: 200, body: { data: lines.map((line) => Object.values(JSON.parse(line))), source: 'export' } };
  };

  /** Returns the part itself over the engine alone, with something of it broken. */
  const broken =
    (reader: (whole: Reader) => Reader, cache: AnswerCache): (() => Ask) =>
    () => {
      const { store, now } = world.api.service.app.service;
      const answers = new QueryAnswers(
        engineQueryService(world.api.service, reader(store), cache),
        new Admission({
          waitMs: 20_000,
          engineLoad: () => world.api.service.app.engine.held().queries,
          sourceSize: 5,
          now,
        }),
      );
      const handler = createDataHandler(answers);
      return async (input, by) => {
        const known = await identifyCaller(store, by.key, by.token, now());
        if (known === null) throw new Error('a caller is not known');
        const { signal } = new AbortController();
        const deadlineMs = performance.now() + 10_000;
        const { body } = await handler({
          operation: 'get',
          caller: known.caller,
          input,
          signal,
          deadlineMs,
          idempotency: null,
          file: null,
          rows: null,
          lines: false,
          trace: untraced(),
        });
        const chunks: Uint8Array[] = [];
        if (typeof body !== 'string' && !(body instanceof Uint8Array))
          for await (const chunk of body) chunks.push(chunk);
        const whole =
          typeof body === 'string' ? body : Buffer.concat(body instanceof Uint8Array ? [body] : chunks).toString();
        return { status: 200, body: JSON.parse(whole) };
      };
    };
  const overEngine = (names: readonly string[]): readonly Way[] =>
    world.ways.filter(({ name }) => names.includes(name)).map((way) => ({ ...way, places: ['engine'] }));
  const whole = (reader: Reader): Reader => reader;

  it(
    'see no row of each other, whatever they ask and wherever it is computed',
    { timeout: counted(120_000, 1_800_000) },
    async () => {
      const found = await search(world, overHttp(world), counted(150, 10_000), randomOf(20_240_501));
      process.stdout.write(
        `isolation: ${found.asked} queries, ${found.rows} rows, ${found.cached} kept, ${JSON.stringify(Object.fromEntries(found.places))}, ${found.leaks.length} foreign\n`,
      );
      expect(found.leaks.slice(0, 3).join('\n')).toBe('');
      expect(found.rows).toBeGreaterThan(found.asked);
      expect(found.cached).toBeGreaterThan(found.asked / 10);
    },
  );

  it('export no row of each other', { timeout: counted(120_000, 1_800_000) }, async () => {
    const found = await search(world, overExports, counted(30, 3000), randomOf(20_240_502));
    expect(found.leaks.slice(0, 3).join('\n')).toBe('');
    expect(found.rows).toBeGreaterThan(found.asked);
  });

  it('would be seen to see each other if the filters of links were not read', async () => {
    const without = (reader: Reader): Reader => ({
      dialect: reader.dialect,
      rows: async (statement) => (await reader.rows(statement)).filter(({ part: of }) => of !== 'filter'),
    });
    const ask = broken(without, createAnswerCache(0))();
    const found = await search(world, ask, 60, randomOf(1), overEngine(['user link', 'group link']));
    expect(found.leaks.length).toBeGreaterThan(0);
  });

  it('would be seen to see each other if an answer were kept for everybody', async () => {
    const kept = createAnswerCache(10_000_000);
    const careless: AnswerCache = {
      ...kept,
      get: (_key, nowMs) => kept.get('one', nowMs),
      put: (_key, rows, untilMs) => kept.put('one', rows, untilMs),
    };
    const ask = broken(whole, careless)();
    const found = await search(world, ask, 30, randomOf(2), overEngine(['filters']));
    expect(found.leaks.length).toBeGreaterThan(0);
  });

  it('and nothing is seen where nothing is broken', async () => {
    const ask = broken(whole, createAnswerCache(10_000_000))();
    const found = await search(world, ask, 60, randomOf(3), overEngine(['filters', 'user link', 'parameters']));
    expect(found.leaks.slice(0, 3).join('\n')).toBe('');
  });

  it('are refused where a hidden column is named, just as where there is no such column', async () => {
    const way = world.ways.find(({ name }) => name === 'hidden filter column');
    const orders: Dataset = world.dataset('engine', 'mixed', 'orders');
    if (way === undefined) throw new Error('there is no such way');
    const asking = async (columnId: string | undefined): Promise<string> => {
      const query = { dimensions: [{ dataset_id: orders.id, column_id: columnId ?? '' }] };
      const answer = await overHttp(world)(query, way.credential.A);
      expect(answer.status).toBe(400);
      const { request_id: _request, ...said } = isObject(answer.body) ? answer.body : {};
      return JSON.stringify(said).replaceAll(String(columnId), 'the column');
    };
    expect(await asking(orders.columns.get('tenant'))).toBe(await asking('01890a5d-ac96-774b-bcce-b302099a8057'));
  });
});
