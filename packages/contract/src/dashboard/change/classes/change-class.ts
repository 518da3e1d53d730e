import type { slotContentMembers } from '../../../item-types/declare/entry.ts';
import type { OptionName } from '../../../item-types/declare/options.ts';
import type { PartKind } from '../../model/part.ts';
import type { contentsMembers, filterGroupMembers, filterMembers, itemMembers, viewMembers } from '../../members.ts';

/** What a change affects, from the least to the most restricted class. */
export const changeClasses = ['look', 'layout', 'text', 'type', 'filter', 'data', 'formula'] as const;
export type ChangeClass = (typeof changeClasses)[number];

/** The class of each member of an object. A member with a list of parts has those of the parts in it. */
export interface MemberClasses {
  readonly [name: string]: ChangeClass | MemberClasses | 'parts';
}
type DeclaredName<All extends { readonly members: object }> = keyof All['members'];

/** The class of each option. What changes the rows of an item, or leads or loads from elsewhere, is `data`. */
const options = {
  title: 'text',
  description: 'text',
  filterNote: 'look',
  sort: 'data',
  limit: 'data',
  others: 'data',
  seriesLimit: 'data',
  stacked: 'look',
  percent: 'look',
  oneColor: 'look',
  colors: 'look',
  rules: 'look',
  scale: 'look',
  axis: 'look',
  legend: 'look',
  labels: 'look',
  curve: 'look',
  points: 'look',
  references: 'look',
  trend: 'look',
  comparison: 'data',
  range: 'look',
  shapes: 'look',
  totals: 'look',
  subtotals: 'look',
  sparkline: 'data',
  bars: 'look',
  text: 'text',
  align: 'look',
  src: 'data',
  alt: 'text',
  fit: 'look',
  tabs: 'layout',
  style: 'look',
  parameter: 'filter',
  choices: 'filter',
  link: 'data',
  menu: 'look',
  exports: 'look',
  actions: 'data',
  multiple: 'filter',
} as const satisfies Readonly<Record<OptionName, ChangeClass>>;

const entry = {
  columnId: 'data',
  datasetId: 'data',
  column: 'data',
  set: 'data',
  formulaId: 'formula',
  formula: 'formula',
  label: 'text',
  type: 'data',
  subtype: 'data',
  format: 'look',
  aggregationFunc: 'data',
  aggregationWeight: 'data',
  level: 'data',
  lowestLevel: 'data',
  highestLevel: 'data',
  bins: 'data',
  datetimeDisplayMode: 'data',
  periodOverPeriod: 'data',
  currency: 'look',
  unit: 'look',
  notation: 'look',
  link: 'data',
  id: 'data',
} as const satisfies Readonly<Record<DeclaredName<typeof slotContentMembers>, ChangeClass>>;

const item = {
  id: 'data',
  type: 'type',
  position: 'layout',
  hidden: 'layout',
  locked: 'layout',
  title: 'text',
  options,
  slots: 'parts',
  filters: 'parts',
  content: 'data',
  aichartId: 'data',
} as const satisfies Readonly<Record<DeclaredName<typeof itemMembers>, MemberClasses[string]>>;

const filter = {
  expression: 'filter',
  parameters: 'filter',
  and: 'filter',
  or: 'filter',
  properties: 'filter',
  id: 'filter',
} as const satisfies Readonly<Record<DeclaredName<typeof filterMembers>, ChangeClass>>;

const group: MemberClasses = {
  id: 'filter',
  origin: 'filter',
  condition: 'filter',
  datasetId: 'filter',
  itemId: 'filter',
  filters: 'parts',
  subGroups: 'parts',
} as const satisfies Readonly<Record<DeclaredName<typeof filterGroupMembers>, MemberClasses[string]>>;

const view = {
  screenModus: 'data',
  options: {
    theme: 'look',
    share: 'data',
    alertingEnabled: 'data',
    showTitle: 'look',
    columns: 'layout',
    rowHeight: 'layout',
    menu: 'look',
    exports: 'look',
  } satisfies Readonly<Record<DeclaredName<(typeof viewMembers)['members']['options']['kind']>, ChangeClass>>,
  filterGroups: 'parts',
  items: 'parts',
} as const satisfies Readonly<Record<DeclaredName<typeof viewMembers>, MemberClasses[string]>>;

const contents = {
  version: 'data',
  syncScreenModes: 'layout',
  datasetLinks: 'data',
  views: 'parts',
  parameters: 'filter',
  timezone: 'data',
  filters: 'data',
} as const satisfies Readonly<Record<DeclaredName<typeof contentsMembers>, MemberClasses[string]>>;

/** By kind of part: the class of adding or removing one, and those of its members. */
export const classesOfParts: Readonly<
  Record<PartKind, { readonly self: ChangeClass; readonly members: MemberClasses }>
> = {
  contents: { self: 'data', members: contents },
  view: { self: 'data', members: view },
  item: { self: 'data', members: item },
  slot: { self: 'data', members: { name: 'data', content: 'parts' } },
  entry: { self: 'data', members: entry },
  group: { self: 'filter', members: group },
  filter: { self: 'filter', members: filter },
};
