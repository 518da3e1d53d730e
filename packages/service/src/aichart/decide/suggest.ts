import type { DataItemType } from '@inlay/contract';
import type { Grain } from '../read/clause-grain.ts';
import type { Group, Plan, Quantity, Reason } from './hypothesis.ts';
import { placeOf } from './place.ts';
import type { Profile } from '../profile.ts';
import type { ColumnRanking } from './rank.ts';

/** How one amount is computed when nobody says: added up where that means something, else its average. */
export function usual(profile: Profile, column: number): Quantity {
  const own = profile.columns[column];
  const said = own?.aggregation ?? 'sum';
  if (said === 'average' || said === 'min' || said === 'max' || said === 'median') return { column, aggregation: said };
  return { column, aggregation: own?.additive === false ? 'average' : 'sum' };
}

const rows: Quantity = { column: null, aggregation: 'count' };

/**
 * The chart an analyst would start with, from the metadata alone; with a type, the best of that type; null where the
 * dataset has nothing that type needs. `nth` chooses the first, second … different idea.
 */
export function suggest(profile: Profile, wanted: DataItemType | null, nth = 0): Plan | null {
  if (profile.columns.length === 0) return null;
  const ranked = profile.ranked();
  const ideas = wanted === null ? overview(profile, ranked) : [only(profile, ranked, wanted)];
  return ideas.filter((plan) => plan !== null)[nth] ?? null;
}

const plan = (
  type: DataItemType,
  why: string,
  parts: {
    groups?: readonly Group[];
    quantities?: readonly Quantity[];
    legend?: Group | null;
    across?: Quantity | null;
    sort?: Plan['sort'];
  },
): Plan => {
  const reasons: readonly Reason[] = [{ rule: why, weight: 1 }];
  const { groups = [], quantities = [], legend = null, across = null, sort = null } = parts;
  return { type, groups, legend, quantities, across, sort, limit: null, assumed: [], reasons };
};
const month = (column: number): Group => ({ column, grain: 'month' satisfies Grain });
const flat = (column: number): Group => ({ column, grain: null });

function overview(profile: Profile, { amounts, times, categories }: ColumnRanking): readonly (Plan | null)[] {
  const [amount, second] = amounts;
  const [time] = times;
  const quantity = amount === undefined ? rows : usual(profile, amount);
  const [category, other] = categories;
  const desc = { by: 'quantity', order: 'desc' } as const;
  return [
    time === undefined
      ? null
      : plan('line-chart', 'a number over time tells most', { groups: [month(time)], quantities: [quantity] }),
    category === undefined
      ? null
      : plan('bar-chart', 'a number by its main category', {
          groups: [flat(category)],
          quantities: [quantity],
          sort: desc,
        }),
    category === undefined || other === undefined
      ? null
      : plan('column-chart', 'a number by another category', {
          groups: [flat(other)],
          quantities: [quantity],
          sort: desc,
        }),
    category === undefined
      ? null
      : plan('donut-chart', 'the share of each category', { groups: [flat(category)], quantities: [quantity] }),
    amount === undefined
      ? null
      : plan('evolution-number', 'the number at a glance', {
          quantities: [quantity],
          groups: time === undefined ? [] : [month(time)],
        }),
    amount === undefined || second === undefined
      ? null
      : plan('scatter-plot', 'two numbers set against each other', {
          across: { column: amount, aggregation: null },
          quantities: [{ column: second, aggregation: null }],
        }),
    plan('regular-table', 'the rows as they are', {
      groups: profile.columns.slice(0, 8).map((_, index) => flat(index)),
    }),
  ];
}

function only(profile: Profile, { amounts, times, categories }: ColumnRanking, type: DataItemType): Plan | null {
  const [amount, second] = amounts;
  const [time] = times;
  const [category, other] = categories;
  const quantity = amount === undefined ? rows : usual(profile, amount);
  const why = `the best ${type} the columns allow`;
  const groups = category === undefined ? [] : [flat(category)];
  const desc = { by: 'quantity', order: 'desc' } as const;
  switch (type) {
    case 'area-chart':
    case 'line-chart': {
      const along = time === undefined ? groups : [month(time)];
      return along.length === 0 ? null : plan(type, why, { groups: along, quantities: [quantity] });
    }
    case 'bar-chart':
    case 'column-chart':
    case 'donut-chart': {
      const along = groups.length > 0 ? groups : time === undefined ? [] : [month(time)];
      return along.length === 0 && amount === undefined
        ? null
        : plan(type, why, { groups: along, quantities: [quantity], sort: groups.length > 0 ? desc : null });
    }
    case 'heat-table': {
      const along = time === undefined ? (other === undefined ? null : flat(other)) : month(time);
      return along === null || category === undefined
        ? null
        : plan(type, why, { groups: [along, flat(category)], quantities: [quantity] });
    }
    case 'histogram':
      return amount === undefined ? null : plan(type, why, { groups: [flat(amount)], quantities: [rows] });
    case 'choropleth-map':
    case 'symbol-map': {
      const place = placeOf(profile, type) ?? category;
      return place === undefined ? null : plan(type, why, { groups: [flat(place)], quantities: [quantity] });
    }
    case 'funnel-chart':
    case 'waterfall-chart':
      return groups.length === 0 ? null : plan(type, why, { groups, quantities: [quantity], sort: desc });
    case 'treemap-chart':
    case 'bubble-chart':
      return groups.length === 0 ? null : plan(type, why, { groups, quantities: [quantity] });
    case 'circle-pack-chart':
    case 'sunburst-chart':
      return groups.length === 0
        ? null
        : plan(type, why, { groups: other === undefined ? groups : [...groups, flat(other)], quantities: [quantity] });
    case 'evolution-number':
      return plan(type, why, { groups: time === undefined ? [] : [month(time)], quantities: [quantity] });
    case 'conditional-number':
    case 'bullet-chart':
    case 'circular-gauge':
    case 'speedometer-chart': {
      if (amount === undefined) return null;
      const targets = second === undefined ? [] : [usual(profile, second)];
      const along =
        type === 'bullet-chart' ? groups : type === 'conditional-number' && time !== undefined ? [month(time)] : [];
      return plan(type, why, { groups: along, quantities: [quantity, ...targets] });
    }
    case 'combination-chart': {
      const along = time === undefined ? groups : [month(time)];
      const others = second === undefined ? [] : [usual(profile, second)];
      return along.length === 0 ? null : plan(type, why, { groups: along, quantities: [quantity, ...others] });
    }
    case 'pivot-table':
      return plan(type, why, { groups, legend: other === undefined ? null : flat(other), quantities: [quantity] });
    case 'regular-table':
      return profile.columns.length === 0
        ? null
        : plan(type, why, { groups: profile.columns.slice(0, 8).map((_, index) => flat(index)) });
    case 'scatter-plot': {
      if (amount === undefined || second === undefined) return null;
      return plan(type, why, {
        across: { column: amount, aggregation: null },
        quantities: [{ column: second, aggregation: null }],
      });
    }
    case 'date-filter':
    case 'date-comparison-filter':
      return time === undefined ? null : plan(type, why, { groups: [flat(time)] });
    case 'dropdown-filter':
    case 'search-filter':
    case 'slicer-filter':
      return groups.length === 0 ? null : plan(type, why, { groups });
    case 'slider-filter': {
      const along = amount ?? time;
      return along === undefined ? null : plan(type, why, { groups: [flat(along)] });
    }
  }
}
