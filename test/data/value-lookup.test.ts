import type { JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { identifyCaller } from '../../packages/service/src/callers/identify.ts';
import { createAnswerCache } from '../../packages/service/src/data/cache/cache.ts';
import type { QueryService } from '../../packages/service/src/data/query-request.ts';
import { QueryReader } from '../../packages/service/src/data/requested-queries.ts';
import { createValueLookup, type FoundValues } from '../../packages/service/src/data/values/value-lookup.ts';
import { untraced } from '../../packages/service/src/tracing/trace.ts';
import { useApi } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { engineQueryService } from '../support/engine-query-service.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';

/** Cities of two tenants, none of them with a member of the other, and words that exist nowhere, of the same form. */
const cities = {
  A: ['Lisbon', 'New York', 'Köln', 'FedEx Express', 'Porto Alegre', 'Madrid', '4711'],
  B: ['Bergen', 'Los Angeles', 'Malmö', 'Postal Union', 'Santa Monica', 'Warsaw', '0815'],
} as const;
const nowhere = ['Zurvik', 'Pel Drunnor', 'Fjörp', 'Grimble Ozark', 'Vexit Halmore', 'Quolam', '9933'];
const otherTenant = { A: 'B', B: 'A' } as const;

const rows = [
  ['tenant', 'city', 'path', 'active', 'amount', 'code'],
  ...(['A', 'B'] as const).flatMap((tenant) =>
    cities[tenant].map((city, index) => [tenant, city, `${city}/Centre`, index % 2 === 0, index, `${tenant}${index}`]),
  ),
  ['A', null, '', true, 1, ''],
];

/** The forms in which a question may write a member. */
const forms: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `${name.slice(0, 3)}${name.slice(4)}`,
  (name) => name.split(' ')[0] ?? name,
  (name) => name.split(' ').at(-1) ?? name,
  (name) => `${name.slice(0, 2)}${name[3] ?? ''}${name[2] ?? ''}${name.slice(4)}`,
];

describe.each(storesToTest)('values that words of a question name on %s', (store) => {
  const api = useApi(store);
  const world = { id: '', columns: new Map<string, string>() };
  const names = ['tenant', 'city', 'path', 'active', 'amount', 'code'];
  let tokens: Readonly<Record<'A' | 'B', Credential>>;
  const freshService = (): QueryService => {
    const { store: reader } = api.service.app.service;
    return engineQueryService(api.service, reader, createAnswerCache(1_000_000));
  };

  beforeAll(async () => {
    const pushed = await api.create('data', { type: 'create', data: rows, options: { header: true } });
    world.id = pushed.id;
    for (const column of await api.find('column', { where: { securable_id: pushed.id } }))
      world.columns.set(text(column, 'source_name'), text(column, 'id'));
    const token = (tenant: string): Promise<Credential> => {
      const where: JsonObject = { clause: 'where', origin: 'global', expression: '? = ?', value: tenant };
      const filter = { ...where, securable_id: world.id, column_id: world.columns.get('tenant') ?? '' };
      return api.embedToken({ access: { datasets: [{ id: world.id, rights: 'use' }] }, filters: [filter] });
    };
    tokens = { A: await token('A'), B: await token('B') };
  }, 60_000);

  async function lookUp(service: QueryService, by: Credential, texts: readonly string[]): Promise<FoundValues> {
    const known = await identifyCaller(service.reader, by.key, by.token, service.now());
    if (known === null) throw new Error('a caller is not known');
    const { signal } = new AbortController();
    const context = { signal, deadlineMs: performance.now() + 10_000, trace: untraced() };
    const find = { dimensions: [{ dataset_id: world.id, column_id: world.columns.get('city') ?? '' }] };
    const requested = await new QueryReader(service).read(known.caller, find, context);
    const { asking } = (await requested.authorize()).query(0);
    const columns = names.map((name) => ({
      id: world.columns.get(name) ?? '',
      type: name === 'amount' ? 'numeric' : 'hierarchy',
      cardinality: null,
    }));
    // What a busy machine does not read in time is no matter of this test.
    return createValueLookup(service, asking, { id: world.id, columns }, 60_000)(texts, signal);
  }

  it('are found in text columns, with empty texts, numbers as texts and no booleans', async () => {
    const { found, searched, skipped } = await lookUp(freshService(), tokens.A, ['lisbon', '4711', 'fedex', 'true']);
    expect({ searched, skipped }).toEqual({ searched: [0, 1, 2, 5], skipped: [] });
    expect(found.get('lisbon')?.[0]).toEqual({ column: 1, value: 'Lisbon', text: 'Lisbon', distance: 0 });
    expect(found.get('4711')?.[0]).toMatchObject({ column: 1, value: '4711' });
    expect(found.get('fedex')?.[0]).toMatchObject({ column: 1, value: 'FedEx Express', distance: 1 });
    expect(found.get('true')).toEqual([]);
  });

  it('are those of the caller: members of others are as words that exist nowhere', async () => {
    const service = freshService();
    let differences = 0;
    const times: Record<'hidden' | 'nowhere', number[]> = { hidden: [], nowhere: [] };
    const timed = async (kind: 'hidden' | 'nowhere', by: Credential, word: string): Promise<string> => {
      const startedMs = performance.now();
      const { found, searched, skipped } = await lookUp(service, by, [word]);
      times[kind].push(performance.now() - startedMs);
      return JSON.stringify([...found.values(), searched, skipped]);
    };
    const trials = counted(500, 5000);
    for (let trial = 0; trial < trials; trial += 1) {
      const own = Math.floor(trial / 42) % 2 === 0 ? 'A' : 'B';
      const form = forms[trial % forms.length] ?? String;
      const place = Math.floor(trial / forms.length) % nowhere.length;
      const hidden = await timed('hidden', tokens[own], form(cities[otherTenant[own]][place] ?? ''));
      const absent = await timed('nowhere', tokens[own], form(nowhere[place] ?? ''));
      if (hidden !== absent) differences += 1;
    }
    const median = (of: readonly number[]): string =>
      (of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0).toFixed(2);
    process.stdout.write(
      `values: ${2 * trials} questions, ${differences} differences, ms hidden ${median(times.hidden)}, nowhere ${median(times.nowhere)}\n`,
    );
    expect(differences).toBe(0);
    const seen = await lookUp(service, tokens.B, ['bergen']);
    expect(seen.found.get('bergen')?.[0]?.value).toBe('Bergen');
  }, 120_000);
});
