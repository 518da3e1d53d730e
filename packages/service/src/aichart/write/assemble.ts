import type { Json, JsonObject } from '@inlay/contract';
import { slotsOf, type DataItemType } from '@inlay/contract/charts';
import { settle } from '../decide/arrange.ts';
import type { Grain } from '../read/clause-grain.ts';
import type { Group, Plan, Quantity } from '../decide/hypothesis.ts';
import type { Profile } from '../profile.ts';
import { nameIn, titles } from './titles.ts';

/** What stands in one slot: a column grouped by, or one drawn. */
type Entry =
  { readonly kind: 'group'; readonly group: Group } | { readonly kind: 'quantity'; readonly quantity: Quantity };

const group = (one: Group): Entry => ({ kind: 'group', group: one });
const quantity = (one: Quantity): Entry => ({ kind: 'quantity', quantity: one });

/** An empty measure slot means the number of rows. */
const measured = (plan: Plan): readonly Entry[] =>
  plan.quantities.filter(({ column }) => column !== null).map(quantity);

/** Which part of a plan each slot of a type holds. */
function entries(plan: Plan, slot: string): readonly Entry[] {
  const { type, groups, legend, quantities, across } = plan;
  const color = legend === null ? [] : [group(legend)];
  switch (type) {
    case 'pivot-table':
      return slot === 'row' ? groups.map(group) : slot === 'column' ? color : measured(plan);
    case 'regular-table':
      return [...groups.map(group), ...quantities.map(quantity)];
    case 'scatter-plot': {
      if (slot === 'x-axis') return across === null ? groups.slice(0, 1).map(group) : [quantity(across)];
      return slot === 'y-axis' ? quantities.slice(0, 1).map(quantity) : slot === 'color' ? color : [];
    }
    case 'conditional-number':
    case 'bullet-chart':
    case 'circular-gauge':
    case 'speedometer-chart': {
      const place = ['measure', 'target'].indexOf(slot);
      return place === -1 ? groups.slice(0, 1).map(group) : quantities.slice(place, place + 1).map(quantity);
    }
    case 'heat-table':
      if (slot === 'measure') return measured(plan).slice(0, 1);
      return groups.slice(slot === 'x-axis' ? 0 : 1, slot === 'x-axis' ? 1 : 2).map(group);
    case 'symbol-map':
      if (slot === 'category') return color;
      return slot === 'measure' ? measured(plan).slice(0, 1) : groups.slice(0, 1).map(group);
    case 'evolution-number':
      return slot === 'measure' ? quantities.slice(0, 1).map(quantity) : groups.slice(0, 1).map(group);
    case 'sunburst-chart':
    case 'circle-pack-chart':
      return slot === 'measure' ? measured(plan).slice(0, 1) : groups.map(group);
    default: {
      if (slot === 'measure')
        return legend === null && slotsOf[type].some((rule) => rule.name === slot && rule.many)
          ? measured(plan)
          : measured(plan).slice(0, 1);
      if (slot === 'legend' || slot === 'color') return color;
      return slotsOf[type][0]?.many === true ? groups.map(group) : groups.slice(0, 1).map(group);
    }
  }
}

const levels: Readonly<Record<Grain, number>> = {
  year: 1,
  quarter: 2,
  month: 3,
  week: 4,
  day: 5,
  weekday: 5,
  hour: 6,
  minute: 7,
};
const patterns: Readonly<Record<Grain, string>> = {
  year: '%Y',
  quarter: 'Q%q %Y',
  month: '%b %Y',
  week: 'W%V %Y',
  day: '%d %b %Y',
  weekday: '%A',
  hour: '%d %b %Y %H:00',
  minute: '%d %b %Y %H:%M',
};

/** Type of item by what its columns are used for: a filter holds whole columns, a plane and a table raw values. */
const raw = new Set<DataItemType>([
  'date-filter',
  'date-comparison-filter',
  'dropdown-filter',
  'search-filter',
  'slicer-filter',
  'slider-filter',
  'regular-table',
]);

function groupEntry(profile: Profile, { type }: Plan, { column, grain }: Group, takes: string): JsonObject {
  const own = profile.columns[column];
  if (own === undefined) return {};
  if (own.type === 'datetime') {
    if (raw.has(type) && grain === null) return own.format === null ? {} : { format: own.format };
    const step = grain ?? 'month';
    return {
      level: levels[step],
      format: patterns[step],
      ...(step === 'weekday' ? { datetimeDisplayMode: 'weekday_name' } : {}),
    };
  }
  if (own.type !== 'numeric') return {};
  const format = own.format ?? ',.0f';
  if (takes !== 'category') return { format, aggregationFunc: type === 'regular-table' ? 'none' : 'sum' };
  return {
    format,
    bins: { enabled: true, number: own.role === 'amount' ? 10 : Math.min(100, Math.max(2, (own.span ?? 49) + 1)) },
  };
}

/** A slot's content as the API answers it. */
function content(profile: Profile, plan: Plan, entry: Entry, takes: string): JsonObject | null {
  const column = entry.kind === 'group' ? entry.group.column : (entry.quantity.column ?? countable(profile));
  const own = profile.columns[column];
  if (own === undefined) return null;
  const base = {
    type: own.type,
    label: nameIn(profile, column, profile.languages[0] ?? 'en'),
    columnId: own.id,
    datasetId: profile.dataset.id,
  };
  const subtype = own.subtype === null ? {} : { subtype: own.subtype };
  if (entry.kind === 'group') return { ...base, ...subtype, ...groupEntry(profile, plan, entry.group, takes) };
  const { column: drawn, aggregation } =
    plan.type === 'scatter-plot' ? entry.quantity : settle(profile, entry.quantity);
  if (drawn === null) return { ...base, label: 'Number of rows', aggregationFunc: 'count' };
  const format =
    own.type === 'numeric'
      ? { format: own.format ?? (aggregation === 'average' || own.subtype === 'currency' ? ',.2f' : ',.0f') }
      : {};
  return { ...base, ...subtype, ...format, ...(aggregation === null ? {} : { aggregationFunc: aggregation }) };
}

/** The column whose values stand for rows where a count has to name one: an identifier, else the first. */
const countable = (profile: Profile): number =>
  Math.max(
    0,
    profile.columns.findIndex(({ role }) => role === 'identifier'),
  );

const sizes: Readonly<Partial<Record<DataItemType, readonly [number, number]>>> = {
  'evolution-number': [12, 8],
  'conditional-number': [12, 8],
  'circular-gauge': [12, 14],
  'speedometer-chart': [12, 14],
  'regular-table': [48, 20],
  'pivot-table': [48, 20],
  'date-filter': [12, 4],
  'date-comparison-filter': [12, 4],
  'dropdown-filter': [12, 4],
  'search-filter': [12, 4],
  'slider-filter': [12, 4],
  'slicer-filter': [12, 10],
};

/** `bar-chart` is `createBarChart`. */
const functionName = (type: DataItemType): string =>
  `create${type
    .split('-')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')}`;

/** A chart as the API answers it, ready to stand in a dashboard: every slot of its type, in order. */
export interface AssembledChart {
  readonly item: JsonObject;
  readonly functionCall: string;
  readonly functionResponse: JsonObject;
}

/** Writes a plan as an item of a dashboard, with the answer a function call would have been. */
export function assemble(profile: Profile, plan: Plan, aichartId: string): AssembledChart {
  const title: Record<string, string> = { ...titles(profile, plan) };
  const slots = slotsOf[plan.type].map((rule) => {
    const held = entries(plan, rule.name)
      .map((entry) => content(profile, plan, entry, rule.takes))
      .filter((one) => one !== null);
    return { name: rule.name, content: rule.many ? held : held.slice(0, 1) };
  });
  const sort = plan.sort === null ? {} : { sort: { by: sortSlot(plan), order: plan.sort.order } };
  const limit = plan.limit === null ? {} : { limit: plan.limit };
  const [sizeX, sizeY] = sizes[plan.type] ?? [24, 20];
  const called = slots.map(({ name, content: held }): [string, Json] => [
    `s__${name}`,
    held.map(({ columnId }) => ({
      id: typeof columnId === 'string' ? String(profile.byId.get(columnId)?.position ?? '') : '',
    })),
  ]);
  return {
    item: {
      type: plan.type,
      position: { sizeX, sizeY, row: 0, col: 0 },
      title,
      options: { title, ...sort, ...limit },
      content: {},
      slots,
      aichartId,
    },
    functionCall: functionName(plan.type),
    functionResponse: { title: Object.values(title)[0] ?? '', ...Object.fromEntries(called) },
  };
}

/** The slot an order goes by: the first that groups, or the one that measures. */
function sortSlot(plan: Plan): string {
  const names = slotsOf[plan.type];
  const wanted = plan.sort?.by === 'group' ? 'category' : 'measure';
  const found = names.find(({ takes }) => takes === wanted) ?? names.find(({ takes }) => takes === 'either');
  return plan.type === 'scatter-plot'
    ? plan.sort?.by === 'group'
      ? 'x-axis'
      : 'y-axis'
    : (found?.name ?? names[0]?.name ?? '');
}
