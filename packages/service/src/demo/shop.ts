/** Named shares of a whole. */
type Shares = readonly (readonly [name: string, share: number])[];

interface Category {
  readonly name: string;
  /** Relative demand per month from January. */
  readonly months: readonly number[];
  /** Purchase cost as a share of the price. */
  readonly cost: number;
  readonly products: readonly (readonly [name: string, price: number])[];
}

const [winter, summer, even] = [
  [9, 8, 6, 4, 3, 2, 2, 3, 6, 8, 11, 13],
  [2, 2, 4, 7, 10, 12, 12, 10, 6, 4, 3, 4],
  [6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 9],
];

const categories: readonly Category[] = [
  {
    name: 'Jackets',
    months: winter,
    cost: 0.58,
    products: [
      ['Ridge shell', 219],
      ['Fleece', 89],
      ['Down jacket', 279],
      ['Rain cape', 69],
    ],
  },
  {
    name: 'Boots',
    months: even,
    cost: 0.62,
    products: [
      ['Trail boot', 159],
      ['Alpine boot', 249],
      ['Light hiker', 119],
    ],
  },
  {
    name: 'Tents',
    months: summer,
    cost: 0.66,
    products: [
      ['Two-person tent', 329],
      ['Family tent', 599],
      ['Tarp', 79],
    ],
  },
  {
    name: 'Backpacks',
    months: even,
    cost: 0.52,
    products: [
      ['Day pack', 79],
      ['Trekking pack', 189],
      ['Roll-top bag', 99],
    ],
  },
  {
    name: 'Sleeping bags',
    months: summer,
    cost: 0.6,
    products: [
      ['Summer bag', 109],
      ['Three-season bag', 199],
    ],
  },
  {
    name: 'Cooking',
    months: summer,
    cost: 0.48,
    products: [
      ['Gas stove', 59],
      ['Pot set', 49],
      ['Flask', 29],
    ],
  },
  {
    name: 'Climbing',
    months: even,
    cost: 0.55,
    products: [
      ['Harness', 85],
      ['Rope 60 m', 179],
      ['Helmet', 75],
    ],
  },
];

/** Customer locations of each shop. */
const stores: Readonly<Record<string, Shares>> = {
  Seattle: [
    ['United States', 46],
    ['Canada', 18],
    ['Japan', 9],
    ['Australia', 7],
    ['South Korea', 5],
    ['Mexico', 4],
    ['United Kingdom', 4],
    ['Germany', 3],
    ['New Zealand', 3],
    ['Chile', 1],
  ],
  'New York': [
    ['United States', 38],
    ['United Kingdom', 14],
    ['Germany', 11],
    ['France', 10],
    ['Netherlands', 7],
    ['Spain', 6],
    ['Italy', 5],
    ['Sweden', 4],
    ['Brazil', 3],
    ['South Africa', 2],
  ],
};
const weekdays = [13, 11, 11, 12, 14, 19, 20];
const hours = [3, 2, 1, 1, 1, 1, 2, 4, 6, 8, 9, 9, 10, 9, 8, 8, 8, 9, 11, 14, 16, 15, 10, 6];
const dayMs = 86_400_000;

/** Deterministic random numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixedState = Math.imul(state ^ (state >>> 15), state | 1);
    mixedState ^= mixedState + Math.imul(mixedState ^ (mixedState >>> 7), mixedState | 61);
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns the index of the weight that a number from 0 to 1 falls on, if the weights divide the range in proportion.
 */
function placeOf(weights: readonly number[], chance: number): number {
  let remaining = chance * weights.reduce((sum, weight) => sum + weight, 0);
  return Math.max(
    0,
    weights.findIndex((weight) => (remaining -= weight) < 0),
  );
}

const nameOf = (shares: Shares, chance: number): string =>
  shares[
    placeOf(
      shares.map(([, share]) => share),
      chance,
    )
  ]?.[0] ?? '';
const amountText = (value: number): string => value.toFixed(2);

/** Returns the range of days up to the last whole day. It starts on January 1 two years earlier. */
function daysUntil(nowMs: number): { readonly fromMs: number; readonly days: number } {
  const lastMs = Math.floor(nowMs / dayMs) * dayMs - dayMs;
  const fromMs = Date.UTC(new Date(lastMs).getUTCFullYear() - 2, 0, 1);
  return { fromMs, days: (lastMs - fromMs) / dayMs + 1 };
}

/**
 * Yields orders of two fictional outdoor shops up to yesterday, as CSV. Orders grow by a quarter per year; tents sell
 * in summer, jackets in winter, and most orders are in the evening. Deterministic per day.
 */
export function* ordersCsv(nowMs: number): Generator<Buffer> {
  yield Buffer.from('ordered,store,country,category,product,channel,quantity,revenue,cost,plan\n');
  const { fromMs, days } = daysUntil(nowMs);
  for (let day = 0; day < days; day += 1) {
    const random = seeded(0x1a_b5 + day);
    const date = new Date(fromMs + day * dayMs);
    const month = date.getUTCMonth();
    const growth = 1.25 ** (day / 365);
    const demand = categories.map(({ months }) => months[month] ?? 0);
    const weekdayShare = (weekdays[(date.getUTCDay() + 6) % 7] ?? 0) / 14;
    const count = Math.round(
      17 * growth * weekdayShare * (demand.reduce((sum, share) => sum + share, 0) / 42) * (0.85 + random() * 0.3),
    );
    const lines = Array.from({ length: count }, () => {
      const store = random() < 0.54 ? 'Seattle' : 'New York';
      const category = categories[placeOf(demand, random())];
      const products = category?.products ?? [];
      const [product, price] = products[Math.floor(random() * random() * products.length)] ?? ['', 0];
      const app = 18 + (day / days) * 24;
      const channel = nameOf(
        [
          ['Web shop', 70 - app],
          ['App', app],
          ['Marketplace', 14],
          ['Telephone', 4],
        ],
        random(),
      );
      const quantity = 1 + placeOf([78, 16, 6], random());
      const discount = month === 10 || month === 0 ? random() * 0.22 : random() * 0.08;
      const listPrice = quantity * price;
      const minutes = placeOf(hours, random()) * 60 + Math.floor(random() * 60);
      const orderedAt = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, 19);
      return [
        orderedAt,
        store,
        nameOf(stores[store] ?? [], random()),
        category?.name ?? '',
        product,
        channel,
        quantity,
        amountText(listPrice * (1 - discount)),
        amountText(listPrice * (category?.cost ?? 0)),
        amountText(listPrice * (0.88 + placeOf([1, 1, 1], random()) * 0.07)),
      ].join(',');
    });
    if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`);
  }
}

const stages = ['Visit', 'Product seen', 'In the basket', 'At the checkout', 'Ordered'];
const conversion = [1, 0.46, 0.31, 0.62, 0.78];

/** Yields the shops' visitors per month and funnel stage, as CSV. */
export function* visitsCsv(nowMs: number): Generator<Buffer> {
  yield Buffer.from('month,store,stage,visitors\n');
  const { fromMs, days } = daysUntil(nowMs);
  const months = new Set(
    Array.from({ length: days }, (_, day) => new Date(fromMs + day * dayMs).toISOString().slice(0, 8) + '01'),
  );
  for (const [index, month] of [...months].entries())
    for (const store of Object.keys(stores)) {
      const random = seeded(0x5e_ed + index * 2 + store.length);
      let visitors = 9000 * 1.25 ** (index / 12) * (0.9 + random() * 0.2);
      const lines = stages.map((stage, at) => {
        visitors *= (conversion[at] ?? 1) * (at === 0 ? 1 : 0.95 + random() * 0.1);
        return [month, store, stage, Math.round(visitors)].join(',');
      });
      yield Buffer.from(`${lines.join('\n')}\n`);
    }
}
