import { itemType } from './declare/item-type.ts';
import { markOptions } from './declare/shared.ts';
import { optional, required } from './declare/slot.ts';

export const symbolMap = itemType({
  type: 'symbol-map',
  kind: 'chart',
  family: 'map',
  slots: [required('geo', 'point'), optional('measure', 'measure'), optional('category', 'mark')],
  options: [...markOptions, 'legend'],
  countsRows: true,
  questionWords: [{ words: '(?:symbol|bubble|dot|point|marker|pin)[ -]maps?{chart}?', rank: 16 }],
});
