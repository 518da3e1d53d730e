import { itemTypes } from '../item-types/index.ts';
import { newestContents, screenModes } from '../contents.ts';
import { filterExpressions } from '../filter/expressions.ts';
import { slotContentMembers } from '../item-types/declare/entry.ts';
import { menuMembers } from '../item-types/declare/menu.ts';
import { options } from '../item-types/declare/options.ts';
import { member, of, words } from '../members/member.ts';
import { themeMembers } from './theme-members.ts';

/** Options of items. `typesOfOption` returns the item types that have an option. specification/dashboards#items */
export const optionMembers = of(options);

/** The members of a filter. specification/dashboards#filters-of-a-dashboard */
export const filterMembers = of({
  expression: member('text', 'The test, such as `? in ?`.', {
    values: filterExpressions,
    required: true,
    unless: ['and', 'or'],
  }),
  parameters: member(
    { each: 'any' },
    '`[{dataset_id, column_id, level?}, value]`, as in queries and tokens; `datasetId` and `columnId` are understood too. A value may be `{parameter, type, value}`.',
    {
      required: true,
      unless: ['and', 'or'],
    },
  ),
  and: member({ each: 'any' }, 'Conditions that must all hold, instead of one test.'),
  or: member({ each: 'any' }, 'Conditions of which one must hold, instead of one test.'),
  properties: member(
    of({
      id: member('text', 'Id of the filter.'),
      origin: member('text', 'Where it was made.'),
      type: member('text', '`where` narrows rows, `having` groups.', { values: ['where', 'having'], default: 'where' }),
      itemId: member('text', 'The item it was set with, which it does not narrow.'),
      label: member(words, 'Name of the column where viewers see the filter: a text, or one per language.'),
    }),
    'Where the filter comes from.',
  ),
  id: member('text', 'Id of the filter, as editors keep it.'),
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
  hidden: member(
    'boolean',
    'Whether dashboards and their exports leave it out. Readers may still ask for its rows, and a page may show it alone.',
    { default: false, checked: true },
  ),
  locked: member('boolean', 'Whether editors keep its place and size, and do not remove it, until it is unlocked.', {
    default: false,
    checked: true,
  }),
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
  filters: member(
    { each: filterMembers },
    'Filters that narrow this item alone; all of them must hold. Viewers see them below the title.',
  ),
  content: member('any', 'Not used.'),
  aichartId: member('text', 'Id of the AI chart that made the item.'),
});

const groupMembers = {
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
  itemId: member('text', 'The item that the group narrows. An item can also have `filters` itself.'),
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
  screenModus: member('text', 'The screens it is for.', {
    values: screenModes,
    required: true,
    checked: true,
  }),
  options: member(
    of({
      theme: member(themeMembers, '`{id}` of a theme, or a whole theme.', { checked: true }),
      share: member(of({ poweredBy: member('boolean', 'Not used.', { checked: true }) }), 'Options of sharing.', {
        checked: true,
      }),
      alertingEnabled: member('boolean', 'Not used.', { default: false, checked: true }),
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
    { checked: true },
  ),
  filterGroups: member({ each: filterGroupMembers }, 'Filters that the dashboard applies.', { checked: true }),
  items: member({ each: itemMembers }, 'What is shown.', { checked: true }),
});

/** The members of contents. specification/dashboards#contents */
export const contentsMembers = of({
  version: member('text', `Version of the structure; the newest is \`${newestContents}\`.`, {
    default: newestContents,
    checked: true,
  }),
  syncScreenModes: member('boolean', 'Whether editors keep the views alike.', { default: true, checked: true }),
  datasetLinks: member({ members: {}, free: true }, 'An empty list for each dataset used, by its id.', {
    checked: true,
  }),
  views: member({ each: viewMembers }, 'One view per screen mode.', { required: true, checked: true }),
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
    { checked: true },
  ),
  timezone: member(
    of({
      type: member('text', '`fixed` for the zone of `id`, `user` for that of the viewer.', {
        values: ['fixed', 'user'],
        checked: true,
      }),
      id: member('text', 'IANA time zone.', { checked: true }),
    }),
    'Time zone in which rows are grouped.',
    { checked: true },
  ),
  filters: member('any', 'Not used; filters stand in `filterGroups`.'),
});
