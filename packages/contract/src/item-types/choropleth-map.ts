import { itemType } from './declare/item-type.ts';
import { markOptions } from './declare/shared.ts';
import { optional, required } from './declare/slot.ts';

export const choroplethMap = itemType({
  type: 'choropleth-map',
  kind: 'chart',
  family: 'map',
  slots: [required('geo', 'place'), optional('measure', 'measure')],
  options: [...markOptions, 'rules', 'scale', 'legend'],
  countsRows: true,
  questionWords: [
    { words: 'choropleths?(?: maps?)?{chart}?', rank: 40 },
    { words: '(?:(?:filled|shaded|world|geo|geographic|geographical|colou?red) )?maps?{chart}?', rank: 41 },
  ],
});
