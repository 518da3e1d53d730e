import { member, of, words } from '../../members/member.ts';
import type { ObjectOf } from '../../members/value.ts';
import { actionMembers, linkMembers, menuMembers } from './menu.ts';
import { aggregationFuncs } from './vocabulary.ts';

const sortMembers = of({
  by: member('text', 'Name of the slot.'),
  index: member('number', 'Which entry of the slot, from 0.', { default: 0 }),
  order: member('text', 'Direction.', { values: ['asc', 'desc'], default: 'asc' }),
  members: member(
    { each: 'any' },
    'A manual order of the members of the slot, as they are shown; others follow in the order of the rows.',
  ),
  columnId: member('text', 'Id of a column that no slot holds, instead of `by`.'),
  datasetId: member('text', 'Id of its dataset.'),
  aggregationFunc: member('text', 'How that column is aggregated.', { values: aggregationFuncs }),
  formulaId: member('text', 'Id of a stored formula, instead of `by`.'),
  formula: member('text', 'Text of a formula, instead of `by`.'),
});

const axisMembers = {
  title: member(words, 'Title of the axis: a text, or one per language.'),
  show: member('boolean', 'Whether the axis has labels.', { default: true }),
  inverted: member('boolean', 'Whether it runs the other way.', { default: false }),
};
const valueAxisMembers = of({
  ...axisMembers,
  format: member('text', 'A d3 number format of its labels. By default short numbers as the measure is written.'),
  min: member(
    'number',
    'Where it starts: by default 0, or lower for negative values; with `log` a power of ten below all.',
  ),
  max: member('number', 'Where it ends. By default a round number that no value is above; with `log` a power of ten.'),
  scale: member('text', '`log` for a logarithmic scale, which shows values above 0 alone.', {
    values: ['linear', 'log'],
    default: 'linear',
  }),
});

/** A line or band across a chart. */
const referenceMembers = of({
  type: member('text', 'What it stands at; `today` is on an axis of time, the others on that of values.', {
    values: ['constant', 'mean', 'median', 'today'],
    default: 'constant',
  }),
  value: member('number', 'The value of a `constant`.'),
  to: member('number', 'The other end of a band that starts at `value`.'),
  label: member(words, 'What stands beside it. By default its kind and value.'),
  color: member('color', 'Its colour. By default that of texts.'),
});

/** Members of a colour rule for a range of values. */
const ruleMembers = of({
  min: member('number', 'From this value.'),
  max: member('number', 'Below this value.'),
  color: member('color', 'The colour.', { required: true }),
  index: member('number', 'The measure that is tested, from 0; in tables the one that is coloured.', { default: 0 }),
});

/** All options of items. The declaration of an item type lists the options of the type. */
export const options = {
  title: member(words, 'Title, where the item has none of its own.'),
  description: member(words, 'What a viewer may want to know about the item; shown beside its title.'),
  filterNote: member('boolean', 'Whether viewers see the `filters` of the item below its title.', { default: true }),
  sort: member(
    sortMembers,
    'Order of rows: by the values of a slot, of another column or a formula; with a legend, a colour or columns of a pivot table, by the total of each member. By default bars, columns, slices and stages of a category are sorted by their first measure, largest first.',
  ),
  limit: member(
    'number',
    'At most so many rows, from 1; with a legend, a colour or columns of a pivot table, so many members, each whole.',
    { whole: 1 },
  ),
  others: member(
    'boolean',
    'Members beyond `limit` are shown as one: with the value of each measure over all of their rows where one dimension has the members, elsewhere where each measure is a sum or a count.',
    {
      default: false,
    },
  ),
  seriesLimit: member(
    'number',
    'At most so many members of the legend, from 2, those with the largest totals; the others are one series. Only where each measure is a sum or a count.',
    { whole: 2 },
  ),
  stacked: member('boolean', 'Members of the legend stand on top of each other.', {
    default: false,
  }),
  percent: member('boolean', 'What is stacked fills the axis: each member is a share of 100 %.', {
    default: false,
  }),
  oneColor: member('boolean', 'All bars have one colour; `false` gives every member its own.', {
    default: true,
  }),
  colors: member(
    { members: {}, free: true },
    'A colour for members and measures, by the text by which they are shown, such as `{"Bikes": "#c4501b"}`. Others keep the colour that they have on the whole dashboard.',
  ),
  rules: member(
    { each: ruleMembers },
    'Colours by value: of bars, numbers, cells and areas. The first rule that fits counts.',
  ),
  scale: member(
    of({
      type: member('text', 'One colour that grows stronger, or two that meet at `middle`.', {
        values: ['sequential', 'diverging'],
        default: 'sequential',
      }),
      middle: member('number', 'Where two colours meet.', { default: 0 }),
    }),
    'Colours cells and areas by their value.',
  ),
  axis: member(
    of({
      category: member(of(axisMembers), 'The axis of members.'),
      value: member(valueAxisMembers, 'The axis of values.'),
    }),
    'How axes are drawn.',
  ),
  legend: member(
    'text',
    'Where the legend stands; `auto` is above the chart where there is more than one colour, and below a `choropleth-map`.',
    {
      values: ['auto', 'top', 'bottom', 'none'],
      default: 'auto',
    },
  ),
  labels: member('text', 'Values beside marks: where there is room, on all that do not cover each other, or on none.', {
    values: ['auto', 'all', 'none'],
    default: 'auto',
  }),
  curve: member('text', 'How points are joined.', {
    values: ['straight', 'smooth', 'step'],
    default: 'straight',
  }),
  points: member('boolean', 'Whether each value has a point. By default where there are few.'),
  references: member({ each: referenceMembers }, 'Lines and bands across the chart: a target, an average, today.'),
  trend: member('boolean', 'Whether the line that fits the values best is drawn.', {
    default: false,
  }),
  comparison: member(
    of({
      with: member('text', 'The period before, the same period a year before, or none.', {
        values: ['previous', 'year', 'none'],
        default: 'previous',
      }),
      lowerIsBetter: member('boolean', 'Whether a fall is good, as of costs.', { default: false }),
    }),
    'What the last period is compared with. The last period that has not ended is compared up to the same day. Of `date-comparison-filter`, `with` is what is compared with until a viewer chooses.',
  ),
  range: member(
    of({
      min: member('number', 'Where it starts.', { default: 0 }),
      max: member('number', 'Where it ends. By default a round number above the value and the target.'),
    }),
    'The range of a gauge.',
  ),
  shapes: member(
    { each: 'text' },
    'How each measure is drawn, in their order: `column`, `line` or `area`. By default the first as columns, others as lines.',
  ),
  totals: member(
    'boolean',
    'Whether a table has a row of totals, and a pivot table with several columns also columns of them: for measures that are a `sum`, `count`, `min` or `max` by their `aggregationFunc`. Averages and formulas have none, and neither has a table of which rows were left off.',
    {
      default: false,
    },
  ),
  subtotals: member(
    'boolean',
    'Whether each member of a pivot table that holds several rows has a total, for the same measures.',
    {
      default: false,
    },
  ),
  sparkline: member(
    of({
      datasetId: member('text', 'Id of the dataset.', { required: true }),
      columnId: member('text', 'Id of its column of times.', { required: true }),
      level: member('number', 'Level of the time, from 1 (year).', { default: 3 }),
    }),
    'Lines in the cells of measures: how they went over a time, by one more query. They need a dimension and an aggregation beside it; exports have none.',
  ),
  bars: member('boolean', 'Whether cells of measures have bars as long as their values.', {
    default: false,
  }),
  text: member(
    words,
    'What the item says, as Markdown: headings, lists, emphasis, links. `{{Label}}` stands for the value of the measure with this label.',
  ),
  align: member('text', 'Where texts and images stand.', {
    values: ['start', 'center', 'end'],
    default: 'start',
  }),
  src: member('text', 'Address of the image, `https:` or a `data:` URL. Exports show `data:` URLs alone.'),
  alt: member(words, 'What the image shows, for those who do not see it.'),
  fit: member('text', 'Whether the whole image is shown, or it fills its place.', {
    values: ['contain', 'cover'],
    default: 'contain',
  }),
  tabs: member(
    {
      each: of({
        id: member('text', 'Id of the tab, unique in the item.', { required: true }),
        title: member(words, 'What the tab is called: a text, or one per language.', { required: true }),
        items: member({ each: 'text' }, 'Ids of the items that are shown while the tab is chosen.', { required: true }),
      }),
    },
    'The tabs, of which the first is chosen at the start. Items of different tabs may have the same place.',
  ),
  style: member(
    'text',
    'Members as a list, or as buttons beside each other; `list` of a `parameter-control` is a list that opens.',
    {
      values: ['list', 'buttons'],
      default: 'list',
    },
  ),
  parameter: member('text', 'Name of the parameter that viewers set, such as `metadata.region`.'),
  choices: member(
    { each: 'any' },
    'Values to choose from, or `{value, label}` with a text or one per language; the first 1,000 are offered. By default a number, date or text input, depending on the `type` of the parameter.',
  ),
  link: member(linkMembers, 'Where marks lead, and in tables cells of dimensions, in place of filtering other items.'),
  ...menuMembers,
  actions: member(
    { each: actionMembers },
    'Entries of the menu that are of the page, which is told by the event `actionchosen`.',
  ),
  multiple: member('boolean', 'Viewers may choose several members.', {
    default: true,
  }),
};

/** The types of the values of options. */
export type OptionValues = ObjectOf<typeof options>;
export type OptionName = keyof typeof options;
