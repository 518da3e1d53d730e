import { setTimeout } from 'node:timers/promises';
import { listOr, objectOr, type Json, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { naming, namingSign } from '../aichart/naming-provider.ts';
import { settingsFor } from '../aichart/orders.ts';
import { completion, startProvider, type Behaviour } from '../aichart/provider-server.ts';
import { useApi } from '../support/api.ts';
import { counted, isFull } from '../support/counts.ts';
import { linkedDatasets, type LinkedDataset } from '../support/linked-datasets.ts';
import { runSeed } from '../support/seed.ts';
import { oneStore, type Credential } from '../support/service.ts';
import { randomOf } from '../support/tenant-queries.ts';
import { part } from '../support/world.ts';

const random = randomOf(runSeed);
const questionsAsked = counted(100, 5000);
const patienceMs = isFull ? 7_200_000 : 300_000;

/**
 * Returns by how many standard deviations the numbers of one list are larger than those of another (the rank-sum test). A
 * few outliers, as of a busy machine, count no more than others.
 */
function deviationOf(ones: readonly number[], others: readonly number[]): number {
  const sorted = [...ones, ...others].toSorted((left, right) => left - right);
  const ranks = ones.reduce((sum, value) => sum + sorted.indexOf(value) + 1, 0);
  const expected = (ones.length * (sorted.length + 1)) / 2;
  return (ranks - expected) / Math.sqrt((expected * others.length) / 6);
}

/** Makes a name of six to eleven letters that nobody has. */
const madeUp = (): string => {
  const syllables = Array.from({ length: 2 + random.below(2) }, () =>
    random.pick(['ba', 'do', 'ki', 'lu', 'mer', 'ton']),
  );
  return `Zo${syllables.join('')}${random.pick(['rg', 'st', 'ndo', 'vik'])}`;
};
const names = [...new Set(Array.from({ length: 120 }, madeUp))].slice(0, 60);
/** The names of another tenant: of each name, one dataset has it in hidden rows, and the other has it nowhere. */
const hidden = [names.slice(0, 30), names.slice(30)];
const own = ['Lisbon', 'New York', 'Köln', 'FedEx Express', 'Zolukist', 'Zomerton'];
const header = ['tenant', 'city', 'carrier', 'sold', 'amount'];
const rowsOf = (tenant: string, cities: readonly string[]): readonly (readonly (string | number)[])[] =>
  cities.map((city, index) => [tenant, city, `${city} Cargo`, `2024-0${1 + (index % 5)}-10`, index]);

const questions: readonly ((name: string) => string)[] = [
  (name) => `amount by carrier, only ${name}`,
  (name) => `amount by month without ${name.toLowerCase()}`,
  (name) => `and from ${name.slice(0, 4)}${name.slice(5)} to Lisbon in 2024`,
  (name) => `montant par mois, sauf ${name}s`,
  (name) => `share of ${name} Cargo per carrier`,
];

const provider = await startProvider();
afterAll(() => provider.close());
const readers = {
  'the built-in reader': {},
  'a provider': { ...settingsFor(provider), INLAY_AI_DAILY_REQUESTS: '1000000' },
};

/** What a tenant got of a question, and how long it took. */
interface TimedAnswer {
  readonly text: string;
  readonly sent: string;
  readonly ms: number;
}

describe.each(Object.entries(readers))('questions of hidden values to %s', (reader, settings) => {
  // Requests tell the day, which must not change between two of them.
  const api = useApi(oneStore, settings, () => Date.parse('2024-06-15T12:00:00Z'));
  const { dataset, filter, token } = linkedDatasets(api);
  /** The datasets, with the token of the tenant who sees its own rows alone. */
  const places: { readonly of: LinkedDataset; readonly by: Credential }[] = [];

  async function answerTo(
    place: number,
    question: string,
    history: readonly string[],
    by?: Credential,
  ): Promise<TimedAnswer> {
    const found = places[place];
    if (found === undefined) throw new Error('there is no such dataset');
    const properties = { dataset_id: found.of.id, type: 'generate-chart', question, message_history: [...history] };
    const before = provider.arrived.length;
    const startedMs = performance.now();
    const { status, body } = await api.call('aichart', { properties }, by ?? found.by);
    const ms = performance.now() - startedMs;
    let answer = JSON.stringify([status, body])
      .replaceAll(/"aichartId":"[^"]*"/gu, '"aichartId":"id"')
      .replaceAll(found.of.id, 'id');
    for (const [name, id] of Object.entries(found.of.columns)) answer = answer.replaceAll(id, name);
    const sent = provider.arrived.slice(before).map((request) => request.body);
    return { text: answer, sent: sent.join('\n'), ms };
  }

  beforeAll(async () => {
    provider.behave(naming);
    await api.update('organization', api.organizationId, { flag_experimental_ai: true });
    for (const cities of hidden) {
      const of = await dataset([header, ...rowsOf('A', own), ...rowsOf('B', cities)]);
      places.push({ of, by: await token([of], [filter(of, 'tenant', 'A')]) });
    }
    // The first lookups may be late, which the answers tell.
    for (const place of places.keys())
      while ((await answerTo(place, 'amount by carrier, only Atlantis', [])).text.includes('Not all columns'))
        await setTimeout(1000);
  }, 120_000);

  /** Returns what a client has of an answer: its title, the whole, and a piece cut anywhere. */
  const echoesOf = (answer: string): readonly string[] => {
    const parsed: Json = JSON.parse(answer);
    const [, body = null] = listOr(parsed);
    const titles = Object.values(objectOr(part(part(body, 'generatedChart'), 'title')));
    return [...titles.map(String), answer.slice(0, 4096), answer.slice(7, 300)];
  };

  it(
    'are answered, sent on and timed as words that exist nowhere, though clients echo everything',
    async () => {
      const differences: string[] = [];
      /** By how much the first of two requests took longer, where it or the second one named a hidden value. */
      const excess: { hiddenFirst: number[]; hiddenSecond: number[] } = { hiddenFirst: [], hiddenSecond: [] };
      const histories: [string[], string[]] = [[], []];
      for (let index = 0; index < questionsAsked; index += 1) {
        // Each name is hidden in one dataset, and nowhere in the other: neither names nor datasets decide the times.
        const name = random.pick(names);
        const placeOfHidden = hidden[0]?.includes(name) === true ? 0 : 1;
        const question = questions[index % questions.length]?.(name) ?? name;
        if (index % 5 === 0) for (const history of histories) history.length = 0;
        provider.behave(index % 7 === 6 ? () => 'no json' : naming);
        const order = random.pick([
          [0, 1],
          [1, 0],
        ] as const);
        const answers = new Map<number, TimedAnswer>();
        for (const place of order) answers.set(place, await answerTo(place, question, histories[place].slice(-20)));
        const [first, second] = [answers.get(0), answers.get(1)];
        if (first === undefined || second === undefined) throw new Error('an answer is missing');
        if (first.text !== second.text || first.sent !== second.sent)
          differences.push(`${question}: ${JSON.stringify([first, second])}`);
        const [firstMs = 0, secondMs = 0] = [...answers.values()].map(({ ms }) => ms);
        excess[order[0] === placeOfHidden ? 'hiddenFirst' : 'hiddenSecond'].push(firstMs - secondMs);
        for (const [place, { text }] of answers) histories[place === 0 ? 0 : 1].push(question, ...echoesOf(text));
      }
      const deviation = deviationOf(excess.hiddenFirst, excess.hiddenSecond);
      process.stdout.write(
        `hidden values, ${reader}: ${questionsAsked} questions, ${differences.length} differences, ` +
          `times differ by ${deviation.toFixed(1)} standard deviations\n`,
      );
      expect(differences).toEqual([]);
      // Chance exceeds this once in a million runs.
      expect(Math.abs(deviation)).toBeLessThan(4.9);
      if (reader === 'a provider') expect(provider.arrived.length).toBeGreaterThan(questionsAsked);
    },
    patienceMs,
  );
});

describe('the sign of a value', () => {
  const api = useApi(oneStore, readers['a provider']);
  const { dataset, filter, token } = linkedDatasets(api);

  /** Answers all of several requests once they have all arrived. */
  const together = (count: number, behaviour: Behaviour): Behaviour => {
    const waiting: (() => void)[] = [];
    return (arrived, nth) => (response) => {
      const said = behaviour(arrived, nth);
      waiting.push(
        () =>
          void response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(typeof said === 'string' ? completion(said) : ''),
      );
      if (waiting.length === count) for (const answer of waiting.splice(0)) answer();
    };
  };

  it('stands for the value of its own request alone, whoever asks at the same time or before', async () => {
    await api.update('organization', api.organizationId, { flag_experimental_ai: true });
    const of = await dataset([header, ...rowsOf('A', own), ...rowsOf('B', ['Bergen', 'Malmö'])]);
    const [a, b] = [await token([of], [filter(of, 'tenant', 'A')]), await token([of], [filter(of, 'tenant', 'B')])];
    const filtersOf = async (question: string, by: Credential, history: readonly string[] = []): Promise<string> => {
      const properties = { dataset_id: of.id, type: 'generate-chart', question, message_history: [...history] };
      const answer: JsonObject = await api.ok('aichart', { properties }, by);
      return JSON.stringify(part(answer['generatedChart'], 'filters') ?? []);
    };
    provider.behave(namingSign('<v1>'));
    for (const by of [a, b])
      await expect
        .poll(() => filtersOf('amount by city, only bergen or lisbon', by), { timeout: 20_000 })
        .not.toBe('[]');
    provider.behave(together(2, namingSign('<v1>')));
    for (let call = 0; call < 5; call += 1) {
      const answers = await Promise.all([
        filtersOf('amount by city, only Lisbon', a),
        filtersOf('amount by city, only Bergen', b),
      ]);
      expect(answers.map((filters) => /Lisbon|Bergen|Malmö/u.exec(filters)?.[0])).toEqual(['Lisbon', 'Bergen']);
      expect(answers[0]).not.toMatch(/Bergen|Malmö/u);
    }
    provider.behave(namingSign('<v1>'));
    expect(await filtersOf('amount by city', a)).toBe('[]');
    expect(await filtersOf('amount by city, only <v1>', a)).toBe('[]');
    expect(await filtersOf('amount by city', a, ['amount by city, only <v1>', 'Amount by City, <v1>'])).toBe('[]');
    expect(await filtersOf('amount by city, only Bergen', a)).toBe('[]');
    provider.behave(namingSign('<v2>'));
    expect(await filtersOf('amount by city, only Bergen', b)).toBe('[]');
  });
});
