import type { ItemDeclaration } from './declare/item-type.ts';
import type { SlotRule } from './declare/slot.ts';
import * as types from './types.ts';

/** All item types in canonical order: first charts, then filters, then content. */
const typeModules = [
  types.areaChart,
  types.barChart,
  types.bubbleChart,
  types.circlePackChart,
  types.columnChart,
  types.donutChart,
  types.lineChart,
  types.evolutionNumber,
  types.pivotTable,
  types.regularTable,
  types.scatterPlot,
  types.sunburstChart,
  types.treemapChart,
  types.conditionalNumber,
  types.bulletChart,
  types.circularGauge,
  types.speedometerChart,
  types.combinationChart,
  types.heatTable,
  types.funnelChart,
  types.waterfallChart,
  types.histogram,
  types.choroplethMap,
  types.symbolMap,
  types.dateFilter,
  types.dateComparisonFilter,
  types.dropdownFilter,
  types.searchFilter,
  types.slicerFilter,
  types.sliderFilter,
  types.text,
  types.image,
  types.divider,
  types.spacer,
  types.tabs,
  types.parameterControl,
] as const;

type KnownDeclaration = (typeof typeModules)[number]['declaration'];
type TypeOfKind<Kind extends KnownDeclaration['kind']> = Extract<KnownDeclaration, { kind: Kind }>['type'];
export type ChartType = TypeOfKind<'chart'>;
export type FilterType = TypeOfKind<'filter'>;
/** The type of an item that shows no rows: a text, a divider or similar content, or a parameter control. */
export type ContentType = TypeOfKind<'content'>;
/** The type of an item that shows or filters rows. */
export type DataItemType = ChartType | FilterType;
export type ItemType = KnownDeclaration['type'];

/** The declarations of all item types. */
export const declarations: readonly KnownDeclaration[] = typeModules.map(({ declaration }) => declaration);

const isData = (declaration: KnownDeclaration): declaration is Exclude<KnownDeclaration, { kind: 'content' }> =>
  declaration.kind !== 'content';

export const itemTypes: readonly ItemType[] = declarations.map(({ type }) => type);
export const chartTypes: readonly ChartType[] = declarations.flatMap((declaration) =>
  declaration.kind === 'chart' ? [declaration.type] : [],
);
export const filterTypes: readonly FilterType[] = declarations.flatMap((declaration) =>
  declaration.kind === 'filter' ? [declaration.type] : [],
);
/** The chart types, followed by the filter types. */
export const dataItemTypes: readonly DataItemType[] = declarations.filter(isData).map(({ type }) => type);

export const isItemType = (text: string): text is ItemType => itemTypes.some((type) => type === text);
/** True if a text is the name of a chart type or filter type. */
export const isDataItemType = (text: string): text is DataItemType => dataItemTypes.some((type) => type === text);

const byType: ReadonlyMap<ItemType, ItemDeclaration> = new Map(
  declarations.map((declaration) => [declaration.type, declaration]),
);

/** Returns the declaration of a type. */
export function declarationOf(type: ItemType): ItemDeclaration {
  const declaration = byType.get(type);
  if (declaration === undefined) throw new TypeError(`${type} is no type of item`);
  return declaration;
}

/** Returns the types that have an option; an empty list if every type has it. */
export const typesOfOption = (option: string): readonly ItemType[] =>
  itemTypes.filter((type) => declarationOf(type).options?.some((name) => name === option) === true);

/** Returns the slots of a type in the order of its declaration. */
export const slotsOf = (type: ItemType): readonly SlotRule[] => declarationOf(type).slots;

export type { ChartFamily, ItemDeclaration, TypeWords } from './declare/item-type.ts';
export { splits, type SlotRole, type SlotRule, type SlotTakes } from './declare/slot.ts';
