import { isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import type { ChartColumn, ChartDataset } from '../../packages/service/src/aichart/dataset.ts';
import { ask } from '../../packages/service/src/aichart/engine.ts';
import { textsToLookUp } from '../../packages/service/src/aichart/understand.ts';
import type { FoundValues } from '../../packages/service/src/aichart/values/found-values.ts';
import { assemble, type WrittenCondition } from '../../packages/service/src/aichart/write/assemble.ts';

const idOf = (at: number): string => `00000000-0000-4000-8000-00000000000${at}`;
const names = ['Depot', 'Vehicle', 'Departure', 'Distance (km)', 'Cost', 'Delivered late', 'Temperature'] as const;
const types: Readonly<Record<string, ChartColumn['type']>> = {
  Departure: 'datetime',
  'Distance (km)': 'numeric',
  Cost: 'numeric',
  Temperature: 'numeric',
};
/** A further column, which has the id `idOf(8)`. */
const furtherColumn = (name: string, more: Partial<ChartColumn> = {}): ChartColumn => ({
  id: idOf(8),
  position: names.length,
  name: { en: name },
  sourceName: null,
  synonyms: [],
  description: {},
  type: 'hierarchy',
  subtype: null,
  format: null,
  aggregation: 'sum',
  cardinality: null,
  span: null,
  ...more,
});
const columns = names.map((name, position) => ({
  ...furtherColumn(name, { type: types[name] ?? 'hierarchy' }),
  id: idOf(position + 1),
  position,
}));
const trips: ChartDataset = { id: idOf(0), name: { en: 'Trips' }, description: {}, columns };
const withColumn = (name: string, more: Partial<ChartColumn> = {}): ChartDataset => ({
  ...trips,
  columns: [...columns, furtherColumn(name, more)],
});
const column = (name: (typeof names)[number]): string => `{${idOf(names.indexOf(name) + 1)}}`;

/** The values that a search over the rows finds. */
const members: Readonly<Record<string, readonly [column: number, value: string]>> = {
  ghent: [0, 'Ghent'],
  oslo: [0, 'Oslo'],
  van: [1, 'Van'],
  germany: [0, 'Germany'],
  'gate 12': [0, 'Gate 12'],
  '1a': [0, '1A'],
  yes: [5, 'yes'],
};

function foundFor(question: string, history: readonly string[]): FoundValues {
  const texts = textsToLookUp(trips, { question, history, today: '2024-05-15' });
  const entries = texts.map((text) => {
    const found = Object.hasOwn(members, text) ? members[text] : undefined;
    return [text, found === undefined ? [] : [{ column: found[0], value: found[1], distance: 0 }]] as const;
  });
  return { byText: new Map(entries), isComplete: true, hasFailed: false };
}

interface Answer {
  readonly item: JsonObject;
  readonly message: string | null;
  readonly alternatives: number;
  readonly conditions: readonly WrittenCondition[];
}

function answerTo(question: string, history: readonly string[] = [], dataset = trips): Answer {
  const asked = { requested: 'chart', question, history, today: '2024-05-15' } as const;
  const { profile, plans, message, alternatives } = ask(dataset, asked, foundFor(question, history));
  const [plan] = plans;
  if (plan === undefined) throw new Error('no chart was answered');
  const { item, conditions } = assemble(profile, plan, idOf(0));
  return { item, message, alternatives: alternatives.length, conditions };
}

const entriesOf = (item: JsonObject): readonly JsonObject[] => {
  const slots = member(item, 'slots');
  return (isList(slots) ? slots : []).flatMap((slot) => {
    const content = isObject(slot) ? member(slot, 'content') : undefined;
    return (isList(content ?? null) && isList(content) ? content : []).filter(isObject);
  });
};
const formulasOf = (item: JsonObject): readonly Json[] =>
  entriesOf(item).flatMap((entry) => member(entry, 'formula') ?? []);
const filtersOf = ({ item }: Answer): Json => {
  const filters = member(item, 'filters') ?? [];
  return (isList(filters) ? filters : []).map(testOf);
};
/** Returns for each filter whether it selects rows or groups, and by what. */
const boundsOf = (item: JsonObject): Json => {
  const filters = member(item, 'filters') ?? [];
  return (isList(filters) ? filters : []).filter(isObject).map((filter) => {
    const [parameters, properties] = [member(filter, 'parameters'), member(filter, 'properties')];
    const column = isList(parameters) ? parameters[0] : undefined;
    return [
      isObject(properties ?? null) && isObject(properties) ? (member(properties, 'type') ?? null) : null,
      isObject(column ?? null) && isObject(column) ? (member(column, 'column_id') ?? null) : null,
    ];
  });
};
/** Returns the expression and the value of a filter. */
const testOf = (filter: Json): Json => {
  if (!isObject(filter)) return null;
  const parameters = member(filter, 'parameters');
  return [member(filter, 'expression') ?? null, isList(parameters) ? (parameters[1] ?? null) : null];
};

describe('a measure that combines columns', () => {
  const [cost, distance, late] = [column('Cost'), column('Distance (km)'), column('Delivered late')];
  it.each([
    ['cost per km by depot', `sum(${cost}) / sum(${distance})`],
    ['cost / distance by depot', `sum(${cost}) / sum(${distance})`],
    ['cost minus distance by vehicle', `sum(${cost}) - sum(${distance})`],
    ['trips per vehicle for every depot', `count(*) / distinctcount(${column('Vehicle')})`],
    ['average cost per vehicle by depot', `sum(${cost}) / distinctcount(${column('Vehicle')})`],
    ['% delivered late by depot', `count(* where ${late} in ('yes')) / count(*)`],
    ['Kosten pro km je Depot', `sum(${cost}) / sum(${distance})`],
    ['percentage of trips with delivered late by depot', `count(* where ${late} in ('yes')) / count(*)`],
    ['90th percentile of cost by depot', `percentile(${cost}, 90)`],
    ['p95 cost per depot', `percentile(${cost}, 95)`],
    ['90e percentile du coût par dépôt', `percentile(${cost}, 90)`],
    ['percentil 90 de distance por depot', `percentile(${distance}, 90)`],
    ['% late cost by depot', `sum(${cost} where ${late} in ('yes')) / sum(${cost})`],
    ['% coste atrasado por depot', `sum(${cost} where ${late} in ('yes')) / sum(${cost})`],
    ['what share of the cost is late per depot', `sum(${cost} where ${late} in ('yes')) / sum(${cost})`],
    ['share of trips not delivered late by depot', `count(* where ${late} not in ('yes')) / count(*)`],
    ['percentage of trips without delivered late by depot', `count(* where ${late} not in ('yes')) / count(*)`],
    ['what share of the cost is distance per depot', `sum(${distance}) / sum(${cost})`],
    ['welk deel van de kosten is afstand, per depot', `sum(${distance}) / sum(${cost})`],
    ['share of van per depot', `count(* where ${column('Vehicle')} in ('Van')) / count(*)`],
  ])('%s', (question, formula) => {
    expect(formulasOf(answerTo(question).item)).toEqual([formula]);
  });

  it('is the share of "true" in a column of booleans, whose values need no search', () => {
    const dataset = withColumn('Returned', { isBoolean: true });
    expect(formulasOf(answerTo('return rate by depot', [], dataset).item)).toEqual([
      `count(* where {${idOf(8)}} = true) / count(*)`,
    ]);
  });

  it('runs along months where a running total has no group', () => {
    const { item } = answerTo('running total of cost in 2023');
    expect(item['type']).toBe('line-chart');
    expect(entriesOf(item).map((entry) => member(entry, 'columnId'))).toContain(idOf(3));
  });

  it.each(['visits per depot', 'visitas por depot', 'trips per depot'])(
    'counts rows that a column numbers: %s',
    (text) => {
      const isTrip = text.startsWith('trips');
      const numbered = withColumn(isTrip ? 'Trip' : 'Visit', { type: 'numeric', aggregation: 'count' });
      const name = { en: isTrip ? 'Trips' : 'Visits' };
      const { item, message } = answerTo(text, [], { ...numbered, name });
      // A bar chart without a measure counts rows.
      expect(entriesOf(item).map((entry) => member(entry, 'columnId'))).toEqual([idOf(1)]);
      expect(message).toBeNull();
    },
  );

  it('is the amount of a dataset whose name stands for one, such as Stock', () => {
    const stock = { ...trips, name: { en: 'Stock' } };
    const { item, message } = answerTo('stock per depot', [], stock);
    expect(entriesOf(item).map((entry) => member(entry, 'columnId'))).toEqual([idOf(1), idOf(5)]);
    expect(message).toContain('Cost was taken');
  });

  it('is by the group that is asked for, not by the rows that are looked at', () => {
    const dataset = withColumn('Trip');
    const used = (text: string): readonly unknown[] =>
      entriesOf(answerTo(text, [], dataset).item).map((entry) => member(entry, 'columnId'));
    expect(used('what did trips cost each quarter')).not.toContain(idOf(8));
    expect(used('top 5 trips by cost')).toContain(idOf(8));
  });

  it('is a running total, or an average where a sum means nothing', () => {
    const how = (question: string): Json =>
      entriesOf(answerTo(question).item).flatMap((entry) => member(entry, 'aggregationFunc') ?? []);
    expect(how('running total of cost by month')).toEqual(['cumulativesum']);
    expect(how('temperature by depot')).toEqual(['average']);
    expect(how('total temperature by depot')).toEqual(['sum']);
    expect(how('number of different vehicles per depot')).toEqual(['distinctcount']);
  });
});

describe('a message that narrows the rows', () => {
  it('keeps the measure and the group of the chart before, whatever time it names', () => {
    const { item, message } = answerTo('only trips whose departure was in 2023', ['average cost per depot']);
    expect(entriesOf(item).map((entry) => member(entry, 'columnId'))).toEqual([idOf(1), idOf(5)]);
    expect(item['filters']).toHaveLength(1);
    expect(message).toBeNull();
  });

  it('still changes what it asks for', () => {
    const { item } = answerTo('just the number of trips in 2023', ['average cost per depot']);
    expect(entriesOf(item).map((entry) => member(entry, 'columnId'))).toEqual([idOf(1)]);
    expect(item['filters']).toHaveLength(1);
  });
});

describe('a question of conditions alone', () => {
  it('counts the rows that meet them', () => {
    const answer = answerTo('only Ghent in 2023');
    expect(answer.item['type']).toBe('evolution-number');
    expect(filtersOf(answer)).toHaveLength(2);
  });
});

describe('a margin', () => {
  it.each(['profit by depot', 'margen por depot', 'Gewinn pro Depot'])('is revenue minus cost: %s', (question) => {
    const { item, message } = answerTo(question, [], withColumn('Revenue', { type: 'numeric' }));
    expect(formulasOf(item)).toEqual([`sum({${idOf(8)}}) - sum(${column('Cost')})`]);
    expect(message).toBeNull();
  });
});

describe('a running total', () => {
  it('has its adjective behind the noun too', () => {
    const { item } = answerTo('costes acumulados por mes');
    expect(entriesOf(item).flatMap((entry) => member(entry, 'aggregationFunc') ?? [])).toEqual(['cumulativesum']);
  });
});

describe('two groups', () => {
  it.each([
    'cost by month and depot',
    'costes por mes y depot',
    'coûts par mois et depot',
    'kosten per maand en depot',
    'Kosten pro Monat und Depot',
  ])('are a time and a colour: %s', (question) => {
    expect(entriesOf(answerTo(question).item).map((entry) => member(entry, 'columnId'))).toEqual(
      expect.arrayContaining([idOf(3), idOf(1)]),
    );
  });
});

describe('words that people shorten', () => {
  it('"w/o" leaves out, and what follows "per" is no value', () => {
    expect(filtersOf(answerTo('cost by vehicle w/o Ghent'))).toEqual([['? not in ?', ['Ghent']]]);
    expect(answerTo('cost per van').item).not.toHaveProperty('filters');
  });

  it.each(['cost by vehicle without P2', 'cost by vehicle only p2'])(
    'a code that no value has is told: %s',
    (question) => {
      expect(answerTo(question).message).toMatch(/“p ?2” was left out/iu);
    },
  );

  it('a value of a list to leave out is left out, though another one was not found', () => {
    const answer = answerTo('cost by vehicle without Atlantis and Ghent');
    expect(filtersOf(answer)).toEqual([['? not in ?', ['Ghent']]]);
    expect(answer.message).toContain('Atlantis');
  });

  it('months without a year are the latest ones', () => {
    const formulas = JSON.stringify(formulasOf(answerTo('cost april vs march').item));
    expect(formulas).toContain("date('2024-04-01')");
    expect(formulas).toContain("date('2024-03-01')");
  });
});

describe('a limit', () => {
  it.each(['the 3 depots with most cost', 'los 3 depots con más costes', 'les 3 depots avec le plus de coûts'])(
    'is read with its superlative: %s',
    (question) => {
      expect(answerTo(question).item['options']).toMatchObject({ limit: 3, sort: { by: 'measure', order: 'desc' } });
    },
  );

  it('is named where a single number has nothing to choose from', () => {
    expect(answerTo('total cost', ['total cost'], trips).message).toBeNull();
    expect(answerTo('just the top 3', ['total cost'], trips).message).toContain('top 3');
  });
});

describe('a part of a time', () => {
  it.each([
    ['trips by weekday', ['weekday_name']],
    ['trips by hour of day', ['hour_in_day']],
    ['cost by day of the month', ['day_in_month']],
    ['cost by month of the year', ['month_name']],
    ['heatmap of trips by weekday and hour', ['weekday_name', 'hour_in_day']],
    ['cost by month', []],
  ])('%s', (question, parts) => {
    const modes = entriesOf(answerTo(question).item).flatMap((entry) => member(entry, 'datetimeDisplayMode') ?? []);
    expect(modes).toEqual(parts);
  });
});

describe('a condition becomes a filter of the item', () => {
  it.each([
    ['cost by vehicle in 2023', [['? = ?', '2023-01-01']]],
    ['cost by vehicle last month', [['ago', { unit: 'month', quantity: 1 }]]],
    ['cost by vehicle, only Ghent', [['? in ?', ['Ghent']]]],
    ['cost by vehicle without Ghent and Oslo', [['? not in ?', ['Ghent', 'Oslo']]]],
    ['number of trips with cost over 250 by depot', [['? > ?', 250]]],
    ['cost by vehicle, only gate 12', [['? in ?', ['Gate 12']]]],
    ['cost by vehicle, only depot 1A', [['? in ?', ['1A']]]],
    ['kosten per voertuig behalve depot 1A', [['? not in ?', ['1A']]]],
    ['kosten per vehicle in Duitsland', [['? in ?', ['Germany']]]],
    ['vehicles with more than 12 trips', [['? > ?', 12]]],
    ['vehicles that drove over 500 km', [['? > ?', 500]]],
    ['cost over 2023 by depot', [['? = ?', '2023-01-01']]],
    [
      'cost by vehicle since March 2024 in Oslo',
      [
        ['? in ?', ['Oslo']],
        ['? >= ?', '2024-03-01'],
      ],
    ],
  ])('%s', (question, filters) => {
    const answer = answerTo(question);
    expect(filtersOf(answer)).toEqual(filters);
    expect(answer.message).toBeNull();
  });

  it('stands in the title', () => {
    expect(member(answerTo('cost by vehicle in 2023, only Ghent').item, 'title')).toEqual({
      en: 'Cost by Vehicle, Ghent, 2023',
    });
  });

  it.each([
    ['cost by vehicle other than Ghent', [['? not in ?', ['Ghent']]]],
    ['cost by vehicle, everything but Ghent and Oslo', [['? not in ?', ['Ghent', 'Oslo']]]],
    ['cost by vehicle, no Ghent', [['? not in ?', ['Ghent']]]],
    ['coste por vehículo, no Ghent', [['? not in ?', ['Ghent']]]],
    ['coût par véhicule, pas Ghent', [['? not in ?', ['Ghent']]]],
    ['Kosten nach Fahrzeug, nicht Ghent', [['? not in ?', ['Ghent']]]],
    ['kosten per voertuig niet in 2023', [['? != ?', '2023-01-01']]],
    ['number of trips by depot excluding late trips', [['? not in ?', ['yes']]]],
    ['number of trips by depot except those delivered late', [['? not in ?', ['yes']]]],
    ['cost by depot excluding trips over 500 km', [['? <= ?', 500]]],
    ['cost by vehicle excluding trips from Ghent', [['? not in ?', ['Ghent']]]],
    ['cost by vehicle without those in Ghent and Oslo', [['? not in ?', ['Ghent', 'Oslo']]]],
    ['kosten per voertuig zonder trips uit Duitsland', [['? not in ?', ['Germany']]]],
    ['cost by vehicle, not counting trips in 2023', [['? != ?', '2023-01-01']]],
    [
      'cost by vehicle excluding late trips in Ghent',
      [
        ['? in ?', ['Ghent']],
        ['? not in ?', ['yes']],
      ],
    ],
  ])('excludes: %s', (question, filters) => {
    const answer = answerTo(question);
    expect(filtersOf(answer)).toEqual(filters);
    expect(answer.message).toBeNull();
  });

  it('excludes days where the measure has the condition, in words, too', () => {
    const { item } = answerTo('cost by depot not on weekends');
    const time = column('Departure');
    const formula = `sum(${column('Cost')} where weekday(${time}) not in (6, 7))`;
    expect(formulasOf(item)).toEqual([formula]);
    expect(JSON.stringify(member(item, 'title'))).toContain('not weekends');
  });

  it('leaves a month without a year out of every year, wherever the question excludes it', () => {
    const time = column('Departure');
    for (const question of ['cost by depot except december', 'cost by depot excluding trips in december'])
      expect(formulasOf(answerTo(question).item)).toEqual([`sum(${column('Cost')} where month(${time}) not in (12))`]);
    expect(formulasOf(answerTo('cost by depot except weekends or december').item)).toEqual([
      `sum(${column('Cost')} where (weekday(${time}) not in (6, 7)) and (month(${time}) not in (12)))`,
    ]);
  });

  it('of several spans holds where one of them does', () => {
    const time = column('Departure');
    const weekends = `weekday(${time}) in (6, 7)`;
    expect(formulasOf(answerTo('cost by depot on weekends or in december').item)).toEqual([
      `sum(${column('Cost')} where (${weekends}) or (${time} >= date('2023-12-01') and ${time} < dateadd('month', 1, date('2023-12-01'))))`,
    ]);
  });

  it('of a weekday and a year holds where both do, and stays beside a year that comes later', () => {
    const weekends = `sum(${column('Cost')} where weekday(${column('Departure')}) in (6, 7))`;
    for (const answer of [
      answerTo('cost by depot on weekends in 2023'),
      answerTo('only in 2023', ['cost by depot on weekends']),
      answerTo('on weekends', ['cost by depot in 2023']),
    ]) {
      expect(formulasOf(answer.item)).toEqual([weekends]);
      expect(filtersOf(answer)).toEqual([['? = ?', '2023-01-01']]);
      expect(answer.message).toBeNull();
    }
  });

  it('that the measure has stays with another measure, and under the title', () => {
    const { item } = answerTo('distance instead', ['cost by depot on weekends']);
    expect(formulasOf(item)).toEqual([
      `sum(${column('Distance (km)')} where weekday(${column('Departure')}) in (6, 7))`,
    ]);
    expect(member(item, 'title')).toEqual({ en: 'Distance (km) by Depot, weekends' });
  });

  it('of weekdays holds on both sides of a comparison', () => {
    const formulas = formulasOf(answerTo('cost by depot on weekends 2023 vs 2022').item);
    expect(formulas).toHaveLength(2);
    for (const formula of formulas) expect(formula).toContain(`weekday(${column('Departure')}) in (6, 7)`);
  });

  it('that a chart of single rows cannot have is told', () => {
    const { item, message } = answerTo('cost vs distance on weekends');
    expect([member(item, 'type'), member(item, 'filters'), formulasOf(item)]).toEqual(['scatter-plot', undefined, []]);
    expect(message).toContain('does not have the condition “weekends”');
    expect(JSON.stringify(member(item, 'title'))).not.toContain('weekends');
  });

  it.each([
    [
      'number of trips longer than 200 km or shorter than 20 km',
      [
        ['? > ?', 200],
        ['? < ?', 20],
      ],
    ],
    [
      'number of trips by vehicle in 2023 or in Ghent',
      [
        ['? = ?', '2023-01-01'],
        ['? in ?', ['Ghent']],
      ],
    ],
    [
      'aantal trips per voertuig in 2023 of in Ghent',
      [
        ['? = ?', '2023-01-01'],
        ['? in ?', ['Ghent']],
      ],
    ],
    [
      'late trips or trips over 500 km by depot',
      [
        ['? > ?', 500],
        ['? in ?', ['yes']],
      ],
    ],
  ])('holds where one of both does: %s', (question, tests) => {
    const { item, message } = answerTo(question);
    const filters = member(item, 'filters');
    const [either] = isList(filters) ? filters : [];
    const of = isObject(either) ? member(either, 'or') : undefined;
    expect(isList(filters) ? filters.length : 0).toBe(1);
    expect(new Set((isList(of) ? of : []).map(testOf))).toEqual(new Set(tests));
    expect(message).toBeNull();
  });

  it('that no filter can join with another one by "or" is left out and told', () => {
    const answer = answerTo('vehicles with more than 12 trips or in 2023');
    expect(filtersOf(answer)).toEqual([]);
    expect(answer.message).toContain('or in 2023');
  });

  it('leaves out both where both are excluded', () => {
    expect(filtersOf(answerTo('cost by vehicle without Ghent or without 2023'))).toEqual([
      ['? not in ?', ['Ghent']],
      ['? != ?', '2023-01-01'],
    ]);
  });

  it.each([
    ['late cost by depot', '? in ?'],
    ['cost of late trips by depot', '? in ?'],
    ['late deliveries by depot', '? in ?'],
    ['trips that were late by depot', '? in ?'],
    ['coût des trajets retardés par depot', '? in ?'],
    ['coût retardé par depot', '? in ?'],
    ['coste de viajes atrasados por depot', '? in ?'],
    ['verspätete Kosten pro Depot', '? in ?'],
    ['vertraagde kosten per depot', '? in ?'],
    ['non-late cost by depot', '? not in ?'],
    ['coste no atrasado por depot', '? not in ?'],
    ['kosten van niet-vertraagde ritten per depot', '? not in ?'],
  ])('of yes and no is said of rows or of an amount: %s', (question, expression) => {
    expect(filtersOf(answerTo(question))).toEqual([[expression, ['yes']]]);
  });

  it.each([
    ['billable cost by depot', '? in ?'],
    ['coût facturable par depot', '? in ?'],
    ['horas facturables por depot', '? in ?'],
    ['non-billable cost by depot', '? not in ?'],
    ['unbillable cost by depot', '? not in ?'],
    ['nicht abrechenbare Kosten pro Depot', '? not in ?'],
  ])('of yes and no is found by the start of its name, and by its opposite: %s', (question, expression) => {
    const dataset = withColumn('bill_flg', { isBoolean: true });
    expect(filtersOf(answerTo(question, [], dataset))).toEqual([[expression, ['true']]]);
  });

  it('of yes and no is none where the question groups by it or asks for its rate', () => {
    expect(filtersOf(answerTo('cost by delivered late'))).toEqual([]);
    expect(filtersOf(answerTo('cost by depot and delivered late'))).toEqual([]);
    expect(filtersOf(answerTo('late rate by depot'))).toEqual([]);
  });

  it.each([
    ['vehicles with over 500 km', idOf(4)],
    ['voertuigen met meer dan 500 km', idOf(4)],
    ['véhicules avec plus de 500 km', idOf(4)],
    ['Fahrzeuge mit mehr als 500 km', idOf(4)],
    ['vehículos con más de 500 km', idOf(4)],
    ['show vehicles with over 500 km', idOf(4)],
    ['which vehicles drove over 500 km', idOf(4)],
    ['vehicles with more than 12 errands', '*'],
    ['Fahrzeuge mit mehr als 12 Einsätzen', '*'],
    ['vehicles with more than 12 departures', '*'],
  ])('is one on groups that the question is about: %s', (question, bounded) => {
    expect(boundsOf(answerTo(question).item)).toEqual([['having', bounded]]);
  });

  it.each(['trips over 500 km by depot', 'trips with over 500 km', 'depots with over 500 km by vehicle'])(
    'is one on rows where these or other groups are asked for: %s',
    (question) => {
      expect(boundsOf(answerTo(question).item)).toEqual([['where', idOf(4)]]);
    },
  );

  it('tells which noun was read as the rows of a group', () => {
    expect(answerTo('vehicles with more than 12 errands').message).toContain(
      '“errands” was read as the number of rows of Trips.',
    );
  });

  it('that names no amount is about the total of each group where the question says so', () => {
    const dataset = { ...trips, columns: columns.filter(({ name }) => name['en'] !== 'Distance (km)') };
    const bounded = (question: string) => boundsOf(answerTo(question, [], dataset).item);
    expect(bounded('vehicles with more than 5000 in total')).toEqual([['having', idOf(5)]]);
    expect(bounded('which vehicles took more than 5000')).toEqual([['having', idOf(5)]]);
    expect(bounded('vehicles with more than 5000')).toEqual([]);
  });

  it.each([
    'what % of Ghent trips is late per vehicle',
    'quelle part des trajets Ghent est retardée par vehicle',
    'welk aandeel van de ritten uit Ghent is vertraagd per vehicle',
  ])('is the part of the rows of a rate whose measure is something else: %s', (question) => {
    const answer = answerTo(question);
    expect(filtersOf(answer)).toEqual([['? in ?', ['Ghent']]]);
    const late = column('Delivered late');
    expect(formulasOf(answer.item)).toEqual([`count(* where ${late} in ('yes')) / count(*)`]);
  });

  it('of which it is unclear whether it leaves out is told', () => {
    const { message } = answerTo('cost by vehicle excluding trips from Ghent with over 500 km');
    expect(message).toContain('with over 500 km');
  });

  it.each([
    ['trips with no vehicle by depot', '? is null'],
    ['trips without a vehicle by depot', '? is null'],
    ['trips zonder voertuig per depot', '? is null'],
    ['trips sans véhicule par depot', '? is null'],
    ['Fahrten ohne Fahrzeug pro Depot', '? is null'],
    ['trips sin vehículo por depot', '? is null'],
    ['trips with a vehicle by depot', '? is not null'],
  ])('is one on empty cells: %s', (question, expression) => {
    const answer = answerTo(question);
    expect(filtersOf(answer)).toEqual([[expression, null]]);
    expect(answer.message).toBeNull();
  });

  it('on empty cells stands in the title, and gives way to a value', () => {
    expect(member(answerTo('trips with no vehicle by depot').item, 'title')).toEqual({
      en: 'Number of rows by Depot, Vehicle: empty',
    });
    expect(filtersOf(answerTo('trips without vehicle Van by depot'))).toEqual([['? not in ?', ['Van']]]);
  });

  it('that there is none of an amount is told, and totals it not', () => {
    const { item, message } = answerTo('number of trips with no cost by depot');
    expect(entriesOf(item).flatMap((entry) => member(entry, 'columnId') ?? [])).not.toContain(idOf(5));
    expect(message).toContain('no cost');
  });

  it('is listed with what the title says of it, and which filters it is', () => {
    const { item, conditions } = answerTo('cost by vehicle from 2 March to 9 April 2023 on weekends, without Ghent');
    expect(conditions.map(({ filters }) => filters)).toEqual([[0], [1, 2], []]);
    const ending = conditions.map(({ title }) => title['en']).join(', ');
    expect(member(item, 'title')).toEqual({ en: `Cost by Vehicle, ${ending}` });
  });

  it.each([
    ['kosten per voertuig zonder ritten van meer dan 500 km', [['? <= ?', 500]]],
    ['coût par véhicule sans les trajets de plus de 500 km', [['? <= ?', 500]]],
    ['cost by vehicle excluding long hauls over 500 km', [['? <= ?', 500]]],
    ['Kosten nach Vehicle ohne Fahrten über 500 km', [['? <= ?', 500]]],
    [
      'cost by vehicle without Ghent with over 500 km',
      [
        ['? not in ?', ['Ghent']],
        ['? > ?', 500],
      ],
    ],
  ])('excludes rows under another noun: %s', (question, filters) => {
    expect(filtersOf(answerTo(question))).toEqual(filters);
  });

  it('that excludes what is unknown is told', () => {
    expect(answerTo('cost by depot except sickness').message).toContain('“sickness” was left out');
  });

  it.each([
    'cost by depot over 65 years',
    'number of trips by depot with cost above 5 %',
    'cost by depot for trips older than 3',
  ])('does not land on a number of another kind: %s', (question) => {
    const answer = answerTo(question);
    expect(filtersOf(answer)).toEqual([]);
    expect(answer.message).not.toBeNull();
  });

  it('on a time is told where the dataset has no time', () => {
    const timeless = { ...trips, columns: trips.columns.filter(({ type }) => type !== 'datetime') };
    expect(answerTo('cost by depot in 2023', [], timeless).message).toContain('“in 2023”');
    expect(answerTo('cost by depot 2023 vs 2022', [], timeless).message).toContain('“2023 vs 2022”');
  });

  it('that the measure has is taken away with the filters', () => {
    const [entry] = entriesOf(answerTo('remove the filters', ['cost by depot on weekends']).item).slice(-1);
    expect(entry).not.toHaveProperty('formula');
  });

  it('stands in the title with its column where the value is only a yes', () => {
    expect(member(answerTo('late trips by depot').item, 'title')).toEqual({
      en: 'Number of rows by Depot, Delivered late: yes',
    });
  });

  it('is kept by a message that goes on, and replaced by another one of its kind', () => {
    expect(filtersOf(answerTo('as a table', ['cost by depot in 2023']))).toEqual([['? = ?', '2023-01-01']]);
    expect(filtersOf(answerTo('only 2022', ['cost by depot in 2023']))).toEqual([['? = ?', '2022-01-01']]);
  });

  it.each([
    ['also Oslo', 'cost by vehicle, only Ghent', '? in ?'],
    ['and Oslo', 'cost by vehicle, only Ghent', '? in ?'],
    ['also without Oslo', 'cost by vehicle without Ghent', '? not in ?'],
  ])('has the values of both messages after "%s"', (message, before, expression) => {
    expect(filtersOf(answerTo(message, [before]))).toEqual([[expression, ['Ghent', 'Oslo']]]);
    expect(filtersOf(answerTo('only Oslo', [before]))).toContainEqual(['? in ?', ['Oslo']]);
  });

  it('is taken away by a message that says so, alone or with all others', () => {
    const history = ['cost by vehicle in 2023, only Ghent'];
    const kept = answerTo('drop the ghent filter', history);
    expect(filtersOf(kept)).toEqual([['? = ?', '2023-01-01']]);
    expect(kept.message).toBeNull();
    expect(filtersOf(answerTo('remove the filters', history))).toEqual([]);
  });

  it('on groups groups by them, and is told where the chart has other groups', () => {
    const grouped = answerTo('average cost of vehicles with more than 12 trips');
    expect(filtersOf(grouped)).toEqual([['? > ?', 12]]);
    expect(entriesOf(grouped.item).flatMap((entry) => member(entry, 'columnId') ?? [])).toContain(idOf(2));
    const other = answerTo('cost by month for vehicles with more than 12 trips');
    expect(filtersOf(other)).toEqual([]);
    expect(other.message).toContain('A condition on each Vehicle was left out');
  });

  it('sets values against each other', () => {
    const answer = answerTo('cost by month, Ghent vs Oslo');
    expect(filtersOf(answer)).toEqual([['? in ?', ['Ghent', 'Oslo']]]);
    expect(entriesOf(answer.item).flatMap((entry) => member(entry, 'columnId') ?? [])).toContain(idOf(1));
  });

  it('selects groups by the amount that is then shown', () => {
    const { item } = answerTo('vehicles that drove over 500 km');
    const drawn = new Set(entriesOf(item).flatMap((entry) => member(entry, 'columnId') ?? []));
    expect(drawn).toEqual(new Set([idOf(2), idOf(4)]));
  });

  it('is part of the measure where no filter expresses it', () => {
    expect(formulasOf(answerTo('cost by depot on weekends').item)).toEqual([
      `sum(${column('Cost')} where weekday(${column('Departure')}) in (6, 7))`,
    ]);
  });
});

describe('an order', () => {
  const sortOf = ({ item }: Answer): Json => {
    const options = member(item, 'options');
    return isObject(options) ? (member(options, 'sort') ?? null) : null;
  };
  const drawnIn = ({ item }: Answer): readonly Json[] =>
    entriesOf(item).flatMap((entry) => member(entry, 'columnId') ?? []);

  it('by a number shows the number, though a bound counts rows', () => {
    const answer = answerTo('vehicles sorted by cost with at least 20 trips');
    expect(drawnIn(answer)).toEqual([idOf(2), idOf(5)]);
    expect(filtersOf(answer)).toEqual([['? >= ?', 20]]);
  });

  it.each([
    ['worst temperature depots', 'asc'],
    ['best depots by temperature', 'desc'],
    ['worst depots by temperature', 'asc'],
  ])('is that of the superlative: %s', (question, order) => {
    const answer = answerTo(question);
    expect(drawnIn(answer)).toEqual([idOf(1), idOf(7)]);
    expect(sortOf(answer)).toMatchObject({ order });
  });
});

it('a bound by the average is told', () => {
  expect(answerTo('cost by depot above average').message).toContain('above average');
});

it('an amount per amount is a ratio in languages with one word for "by" and "per", too', () => {
  const formula = `sum(${column('Cost')}) / sum(${column('Distance (km)')})`;
  for (const question of ['coste por km por depósito', 'coût par km par dépôt'])
    expect(formulasOf(answerTo(question).item)).toEqual([formula]);
});

it('a comparison shows the measure in both spans', () => {
  const time = column('Departure');
  expect(formulasOf(answerTo('cost per depot 2023 vs 2022').item)).toEqual([
    `sum(${column('Cost')} where ${time} >= date('2023-01-01') and ${time} < dateadd('year', 1, date('2023-01-01')))`,
    `sum(${column('Cost')} where ${time} >= date('2022-01-01') and ${time} < dateadd('year', 1, date('2022-01-01')))`,
  ]);
});

it('a comparison that follows compares the period that the chart shows', () => {
  const time = column('Departure');
  const answer = answerTo('now compare with last year', ['cost per depot this quarter']);
  const quarter = [
    `${time} >= datetrunc('quarter', now()) and ${time} < dateadd('quarter', 1, datetrunc('quarter', now()))`,
    `${time} >= dateadd('year', -1, datetrunc('quarter', now())) and ${time} < dateadd('year', -1, dateadd('quarter', 1, datetrunc('quarter', now())))`,
  ];
  expect(formulasOf(answer.item)).toEqual(quarter.map((span) => `sum(${column('Cost')} where ${span})`));
  expect(filtersOf(answer)).toEqual([]);
});

describe('rows are counted where their noun is named', () => {
  it.each(['nr of trips by depot', 'trip volume by depot', 'viajes por depot', 'Fahrten je Depot', 'ritten per depot'])(
    '%s',
    (question) => {
      const { item, message } = answerTo(question);
      expect(member(item, 'slots')).toEqual(member(answerTo('number of trips per depot').item, 'slots'));
      expect(message).toBeNull();
    },
  );
});

it('a noun that may mean an amount, but is read as rows, is told', () => {
  const fleet = { ...trips, name: { en: 'Freight' } };
  const { message, alternatives } = answerTo('freight by depot', [], fleet);
  expect(message).toBe('“freight” was read as the number of rows of Freight.');
  expect(alternatives).toBeGreaterThan(0);
  expect(answerTo('trips by depot').message).toBeNull();
});

it('words that ask for shares are used by a chart of shares', () => {
  const { item, message } = answerTo('share of cost per depot');
  expect(member(item, 'type')).toBe('donut-chart');
  expect(message).toBeNull();
});

it('an adjective that names no amount is told', () => {
  expect(answerTo('slowest vehicles').message).toContain('“slowest” was left out');
  expect(answerTo('busiest vehicles').message).toBeNull();
});

describe('what is not used is named in the language of the question', () => {
  it.each([
    ['cost by depot and colour', /“colour” was left out/u],
    ['kosten per depot en kleur', /“kleur” is niet gebruikt/u],
    ['Kosten nach Depot und Farbe', /“Farbe” wurde nicht verwendet/u],
    ['coût total par dépôt et couleur', /“couleur” n’a pas été utilisé/u],
    ['coste total por depot y color', /No se usó “color”/u],
  ])('%s', (question, message) => {
    const answer = answerTo(question);
    expect(answer.message).toMatch(message);
    expect(answer.alternatives).toBeGreaterThan(0);
  });

  it.each(['cost by depot', 'number of trips per vehicle', 'average temperature by month'])(
    '%s: nothing',
    (question) => {
      expect(answerTo(question)).toMatchObject({ message: null, alternatives: 0 });
    },
  );
});

it('words of other languages find columns by their meaning', () => {
  const columnsOf = (question: string): readonly Json[] =>
    entriesOf(answerTo(question).item).flatMap((entry) => member(entry, 'columnId') ?? []);
  const kosten = columnsOf('Kosten nach Fahrzeug');
  expect(kosten).toEqual([idOf(2), idOf(5)]);
  expect(columnsOf('coût par véhicule')).toEqual(kosten);
  expect(columnsOf('kosten per voertuig')).toEqual(kosten);
  expect(columnsOf('Transportkosten nach Fahrzeug')).toEqual(kosten);
  const { message, alternatives } = answerTo('costes por carro');
  expect(message).toContain('“carro” se entendió como Vehicle.');
  expect(alternatives).toBe(0);
});
