import type { PicturedTable } from './case.ts';

const [names, choice, links] = [
  'names what is read',
  'acts in pages; exports show what is chosen',
  'acts on a click',
] as const;

/** Why members have no picture, with all that is inside them. */
export const unpictured: Readonly<Record<PicturedTable, Readonly<Record<string, string>>>> = {
  entries: {
    columnId: names,
    datasetId: names,
    column: names,
    set: names,
    formulaId: names,
    type: 'follows the column',
    subtype: 'follows the column',
    lowestLevel: 'acts when a viewer opens a level',
    highestLevel: 'acts when a viewer opens a level',
    periodOverPeriod: 'not used',
    link: links,
    id: 'for editors',
  },
  options: {
    description: 'opens beside the title in pages',
    filterNote: 'hides the line of `filters` below the title',
    'sort.formulaId': 'as `sort.formula`',
    sparkline: 'in pages alone',
    alt: 'read aloud, not shown',
    tabs: 'acts in pages; exports show the first tab',
    style: choice,
    parameter: names,
    choices: choice,
    multiple: choice,
    link: links,
    menu: 'in pages alone',
    exports: 'in the menu of pages',
    actions: 'in the menu of pages',
  },
};
