import { itemTypes } from '../charts.ts';
import { newestContents, screenModes } from '../contents.ts';
import { filterExpressions } from '../filter/expressions.ts';
import { aggregationFuncs, numberNotations, timeParts } from '../item/item.ts';
import { member, of, words, type Member } from './member.ts';
import { linkMembers, menuMembers } from './menu/members.ts';
import { optionMembers } from './option-members.ts';
import { themeMembers } from './theme-members.ts';

/** The members of an entry of a slot. specification/dashboards#slots */
export const slotContentMembers = of({
  columnId: member('text', 'Id of the column. Older contents name it `column`.'),
  datasetId: member('text', 'Id of the dataset. Older contents name it `set`.'),
  column: member('text', 'The same as `columnId`, in older contents.'),
  set: member('text', 'The same as `datasetId`, in older contents.'),
  formulaId: member('text', 'Id of a stored formula, instead of a column.'),
  formula: member('text', 'Text of a formula, instead of a column.'),
  label: member(words, 'Heading: a text, or one per language. By default the name of the column or stored formula.'),
  type: member('text', 'Type of the values. By default that of the column.', {
    values: ['numeric', 'datetime', 'hierarchy', 'spatial'],
  }),
  subtype: member('text', 'A refinement of the type, as columns have it.'),
  format: member(
    'text',
    'A d3 number format such as `,.2f`, or a date pattern such as `%d-%m-%Y`. By default that of the column or stored formula.',
  ),
  aggregationFunc: member(
    'text',
    'How rows are aggregated in measures, tables and scatter plots; `none` in a table shows each row. By default as the `aggregation_type` of the column says.',
    { values: aggregationFuncs },
  ),
  aggregationWeight: member(
    of({
      columnId: member('text', 'Id of the second column.'),
      datasetId: member('text', 'Id of its dataset.'),
    }),
    'The second column of `weightedaverage` and `rate`.',
  ),
  level: member(
    'number',
    'Level of a time or hierarchy, counted from 1 (year, quarter, month, week, day, hour, minute, second, millisecond).',
  ),
  lowestLevel: member('number', 'The finest level that viewers may open.'),
  highestLevel: member('number', 'The coarsest level that viewers may open.'),
  bins: member(
    of({
      enabled: member('boolean', 'Whether the number is cut into bins.', { default: false }),
      number: member('number', 'At most how many bins; their edges are round numbers.', { default: 10 }),
    }),
    'Bins of a number in a category slot.',
  ),
  datetimeDisplayMode: member(
    'text',
    'Groups by a part of a time, such as all Mondays, instead of a level; `default` groups by the level.',
    { values: ['default', ...timeParts] },
  ),
  periodOverPeriod: member('any', 'Stored, not used.'),
  currency: member(
    'text',
    'Currency of the numbers, an ISO 4217 code such as `EUR`; `viewer` for that of the viewer’s token. By default the `currency_id` of the column.',
  ),
  unit: member('text', 'What stands behind the numbers, such as `kg`.'),
  notation: member(
    'text',
    'How the numbers are written: `compact` (1.2M), `percent` (0.12 as 12%), `duration` (of seconds: 2h 5m), `bytes` (1.5 MB).',
    { values: numberNotations, default: 'standard' },
  ),
  link: member(linkMembers, 'Where the cells of a table in this slot lead, in place of filtering other items.'),
  id: member('text', 'Id of the entry, as editors keep it.'),
});

/** The members of an item. specification/dashboards#items */
export const itemMembers = of({
  id: member('text', 'Id of the item, unique in the dashboard. Items without one open no rows to readers.', {
    required: true,
  }),
  type: member('text', 'Type of chart, filter or control, or what stands between them.', {
    values: itemTypes,
    required: true,
  }),
  position: member(
    of({
      col: member('number', 'Column at the left, from 0.', { default: 0 }),
      row: member('number', 'Row at the top, from 0.', { default: 0 }),
      sizeX: member('number', 'Width in columns.', { default: 24 }),
      sizeY: member('number', 'Height in rows.', { default: 16 }),
    }),
    'Place in the grid of the view.',
  ),
  title: member(words, 'Title: a text, or one per language.'),
  options: member(optionMembers, 'How the item is drawn.'),
  slots: member(
    {
      each: of({
        name: member('text', 'Name of the slot.', { required: true }),
        content: member({ each: slotContentMembers }, 'Columns and formulas.', { required: true }),
      }),
    },
    'Slots with what stands in them; required for types that have slots.',
  ),
  content: member('any', 'Not used.'),
  aichartId: member('text', 'Id of the AI chart that made the item.'),
});

/** The members of a filter. specification/dashboards#filters-of-a-dashboard */
export const filterMembers = of({
  expression: member('text', 'The test, such as `? in ?`.', { values: filterExpressions, required: true }),
  parameters: member(
    { each: 'any' },
    '`[{dataset_id, column_id, level?}, value]`, as in queries and tokens; `datasetId` and `columnId` are understood too. A value may be `{parameter, type, value}`.',
    {
      required: true,
    },
  ),
  properties: member(
    of({
      id: member('text', 'Id of the filter.'),
      origin: member('text', 'Where it was made.'),
      type: member('text', '`where` narrows rows, `having` groups.', { values: ['where', 'having'], default: 'where' }),
      itemId: member('text', 'The item it was set with, which it does not narrow.'),
    }),
    'Where the filter comes from.',
  ),
  id: member('text', 'Id of the filter, as editors keep it.'),
});

const groupMembers: Readonly<Record<string, Member>> = {
  id: member('text', 'Id of the group.'),
  origin: member(
    'text',
    '`itemFilter` narrows the item of `itemId` alone; every other group narrows each item of the view whose query names its datasets.',
    {
      values: ['global', 'itemFilter', 'filterFromFilterItem', 'filterFromVizItem'],
      default: 'global',
    },
  ),
  condition: member('text', 'How its filters are joined.', { values: ['and', 'or'], default: 'and' }),
  datasetId: member('text', 'The dataset that the group is about.'),
  itemId: member('text', 'The item that the group narrows.'),
  filters: member({ each: filterMembers }, 'Filters.'),
};

/** The members of a group of filters. */
export const filterGroupMembers = of({
  ...groupMembers,
  subGroups: member(
    { each: of({ ...groupMembers, subGroups: member('any', 'Groups inside the group.') }) },
    'Groups inside the group.',
  ),
});

/** The members of a view. specification/dashboards#views */
export const viewMembers = of({
  screenModus: member('text', 'The screens it is for.', { values: screenModes, required: true }),
  options: member(
    of({
      theme: member(themeMembers, '`{id}` of a theme, or a whole theme.'),
      share: member(of({ poweredBy: member('boolean', 'Not used.') }), 'Options of sharing.'),
      alertingEnabled: member('boolean', 'Not used.', { default: false }),
      showTitle: member(
        'boolean',
        'Whether the name of the dashboard stands above its items, in the language of the viewer; in exports of the whole dashboard too.',
        { default: false },
      ),
      columns: member('number', 'Columns of the grid.', { default: 48 }),
      rowHeight: member('number', 'Height of a row, in px.', { default: 16 }),
      ...menuMembers,
    }),
    'Options of the view.',
  ),
  filterGroups: member({ each: filterGroupMembers }, 'Filters that the dashboard applies.'),
  items: member({ each: itemMembers }, 'What is shown.'),
});

/** The members of contents. specification/dashboards#contents */
export const contentsMembers = of({
  version: member('text', `Version of the structure; the newest is \`${newestContents}\`.`, {
    default: newestContents,
  }),
  syncScreenModes: member('boolean', 'Whether editors keep the views alike.', { default: true }),
  datasetLinks: member({ members: {}, free: true }, 'An empty list for each dataset used, by its id.'),
  views: member({ each: viewMembers }, 'One view per screen mode.', { required: true }),
  parameters: member(
    {
      each: of({
        parameter: member('text', 'Name, such as `metadata.region`.', { required: true }),
        type: member('text', 'Type of its value, such as `array[hierarchy]`, `array[numeric]` or `datetime`.'),
        value: member('any', 'Value where a token gives none.'),
        id: member('text', 'Id of the parameter, as editors keep it.'),
        name: member('text', 'The same as `parameter`.'),
      }),
    },
    'Parameters that filters may name.',
  ),
  timezone: member(
    of({
      type: member('text', '`fixed` for the zone of `id`, `user` for that of the viewer.', {
        values: ['fixed', 'user'],
      }),
      id: member('text', 'IANA time zone.'),
    }),
    'Time zone in which rows are grouped.',
  ),
  filters: member('any', 'Not used; filters stand in `filterGroups`.'),
});
