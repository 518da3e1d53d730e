import { member, of, words } from '../../members/member.ts';
import type { ObjectOf } from '../../members/value.ts';
import { linkMembers } from './menu.ts';
import { aggregationFuncs, columnTypes, numberNotations, timeParts } from './vocabulary.ts';

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
    values: columnTypes,
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

type EntryMembers = ObjectOf<(typeof slotContentMembers)['members']>;
type EntrySource = 'datasetId' | 'columnId' | 'formulaId' | 'formula';

/** How an entry is shown and aggregated. By default, the column decides. */
export type EntryOptions = Omit<EntryMembers, EntrySource | 'column' | 'set' | 'periodOverPeriod'>;

/** An entry of a slot: a column, a stored formula or the text of a formula. */
export type Entry = EntryOptions &
  Pick<EntryMembers, 'columnId' | 'formulaId' | 'formula'> & { readonly datasetId: string };

/** Creates an entry for a column. */
export const column = (datasetId: string, columnId: string, options: EntryOptions = {}): Entry => ({
  datasetId,
  columnId,
  ...options,
});

/** Creates an entry for a stored formula. */
export const storedFormula = (datasetId: string, formulaId: string, options: EntryOptions = {}): Entry => ({
  datasetId,
  formulaId,
  ...options,
});

/** Creates an entry for the text of a formula. */
export const formula = (datasetId: string, text: string, options: EntryOptions = {}): Entry => ({
  datasetId,
  formula: text,
  ...options,
});
