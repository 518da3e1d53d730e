import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { naming } from '../aichart/naming-provider.ts';
import { settingsFor } from '../aichart/orders.ts';
import { startProvider } from '../aichart/provider-server.ts';
import { useApi } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';

const own = ['Lisbon', 'New York', 'Köln', 'FedEx Express', 'Porto Alegre'];
const others = ['Bergen', 'Los Angeles', 'Malmö', 'Postal Union', 'Warsaw', 'Yesterday Inc', 'Weekday'];
const header = ['tenant', 'city', 'carrier', 'sold', 'amount'];
const rowsOf = (tenant: string, cities: readonly string[]): readonly (readonly (string | number)[])[] =>
  cities.flatMap((city, index) => [
    [tenant, city, `${city} Cargo`, `2024-0${1 + (index % 5)}-10`, index],
    [tenant, city, city, `2023-0${1 + (index % 5)}-10`, 2 * index],
  ]);

/** The forms in which a question may write a member. */
const forms: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => `${name.slice(0, 3)}${name.slice(4)}`,
  (name) => name.split(' ')[0] ?? name,
  (name) => name.split(' ').at(-1) ?? name,
  (name) => `${name}s`,
];
const questions: readonly ((value: string) => string)[] = [
  (value) => `amount by carrier, only ${value}`,
  (value) => `amount by month without ${value}`,
  (value) => `share of ${value} per carrier`,
  (value) => `montant par mois, sauf ${value}`,
  (value) => `amount from ${value} to Lisbon in 2023`,
  (value) => `average amount for ${value} vs last year`,
];

const provider = await startProvider();
provider.behave(naming);
afterAll(() => provider.close());
const readers = {
  'the built-in reader': {},
  'a provider': { ...settingsFor(provider), INLAY_AI_DAILY_REQUESTS: '1000000' },
};
const setups = storesToTest.flatMap((store) =>
  Object.entries(readers).map(([reader, settings]) => ({ store, reader, settings })),
);

describe.each(setups)('a question of values of another tenant to $reader, on $store', ({ store, settings }) => {
  const api = useApi(store, settings);
  /** Rows of both tenants, and of one alone. */
  const datasets: { id: string; names: Map<string, string>; token: Credential }[] = [];

  beforeAll(async () => {
    await api.update('organization', api.organizationId, { flag_experimental_ai: true });
    const rows = [
      [header, ...rowsOf('A', own), ...rowsOf('B', others)],
      [header, ...rowsOf('A', own)],
    ];
    for (const data of rows) {
      const { id } = await api.create('data', { type: 'create', data, options: { header: true } });
      const names = new Map([[id, 'dataset']]);
      for (const column of await api.find('column', { where: { securable_id: id } }))
        names.set(text(column, 'id'), text(column, 'source_name'));
      const tenant = [...names].find(([, name]) => name === 'tenant')?.[0] ?? '';
      const where: JsonObject = { clause: 'where', origin: 'global', expression: '? = ?', value: 'A' };
      const filters = [{ ...where, securable_id: id, column_id: tenant }];
      const token = await api.embedToken({ access: { datasets: [{ id, rights: 'use' }] }, filters });
      datasets.push({ id, names, token });
    }
    // The first lookups may be late, which the answers tell.
    for (const place of datasets.keys())
      while ((await answerTo(place, 'amount by carrier, only Atlantis')).includes('Not all columns'))
        await setTimeout(1000);
  }, 120_000);

  /** Returns the answer to a question, with names in place of ids. */
  async function answerTo(place: number, question: string, by?: Credential): Promise<string> {
    const dataset = datasets[place];
    if (dataset === undefined) throw new Error('there is no such dataset');
    const properties = { dataset_id: dataset.id, type: 'generate-chart', question };
    const { status, body } = await api.call('aichart', { properties }, by ?? dataset.token);
    let answer = JSON.stringify([status, body]).replaceAll(/"aichartId":"[^"]*"/gu, '');
    for (const [id, name] of dataset.names) answer = answer.replaceAll(id, name);
    return answer;
  }

  it('is answered as if there were no such values', async () => {
    const count = counted(84, 2500);
    const differences: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const name = others[index % others.length] ?? '';
      const form = forms[Math.floor(index / others.length) % forms.length];
      const question = questions[index % questions.length]?.(form?.(name) ?? name) ?? '';
      const [beside, alone] = await Promise.all([answerTo(0, question), answerTo(1, question)]);
      if (beside !== alone) differences.push(`${question}: ${beside} ${alone}`);
    }
    process.stdout.write(`values of another tenant: ${count} questions, ${differences.length} differences\n`);
    expect(differences).toEqual([]);
  });

  it('finds the values of its own tenant', async () => {
    expect(await answerTo(0, 'amount by carrier, only Lisbon')).toContain('["Lisbon"]');
    expect(await answerTo(0, 'amount by carrier, only Bergen')).not.toContain('filters');
    expect(await answerTo(0, 'amount by carrier, only Bergen', api.owner)).toContain('["Bergen"]');
    const sent = provider.arrived.map(({ body }) => body).join(' ');
    expect(/lisbon/iu.test(sent)).toBe(false);
    expect(sent.includes('<v1>')).toBe(provider.arrived.length > 0);
  });
});
