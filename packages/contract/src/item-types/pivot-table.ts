import { itemType } from './declare/item-type.ts';
import { tableOptions, measures } from './declare/shared.ts';
import { several } from './declare/slot.ts';

export const pivotTable = itemType({
  type: 'pivot-table',
  kind: 'chart',
  family: 'pivot',
  slots: [several('row', 'level'), several('column', 'column'), measures],
  options: [...tableOptions, 'subtotals'],
  size: [48, 20],
  countsRows: true,
  questionWords: [
    { words: 'pivot(?:[ -]?table)?s?', rank: 23 },
    { words: '(?:cross ?-?tab|crosstab|cross table|matrix)', rank: 24 },
  ],
});
