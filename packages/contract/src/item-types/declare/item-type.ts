import type { JsonObject } from '../../json.ts';
import type { Words } from '../../members/value.ts';
import type { Entry } from './entry.ts';
import type { OptionName, OptionValues } from './options.ts';
import type { SlotRule } from './slot.ts';

/** Charts of the same family answer the same questions with the same slots, so AI charts treat them alike. */
export type ChartFamily =
  | 'bars'
  | 'bins'
  | 'bullets'
  | 'combination'
  | 'figure'
  | 'gauge'
  | 'levels'
  | 'lines'
  | 'map'
  | 'matrix'
  | 'pivot'
  | 'points'
  | 'shares'
  | 'stages'
  | 'table'
  | 'tiles';

/** Phrases by which a question asks for an item type. */
export interface TypeWords {
  /** A regular expression for the phrases. In it, `{chart}` matches "chart", "graph" and the like. */
  readonly words: string;
  /** If a question asks for several types, the type with the lowest rank is taken. */
  readonly rank: number;
  /** True if the phrase asks for a chart whose legend members are stacked. */
  readonly stacked?: true;
  /** True if the phrase is ambiguous, so that it matches only after "as a", "in" or "using". */
  readonly onlyAs?: true;
  /** True if the phrase is not a name of the type. */
  readonly isPhrase?: true;
}

interface Declaration {
  /** Name of the type in contents. */
  readonly type: string;
  /** Slots of the type, in the order in which AI charts fill them. */
  readonly slots: readonly SlotRule[];
  /** Options of the type, in addition to those of every type. */
  readonly options?: readonly OptionName[];
  /** Options that the builder requires. */
  readonly requires?: readonly OptionName[];
}

interface DataDeclaration extends Declaration {
  /** Default size of an item in grid columns and rows. If undefined, it is 24 by 20. */
  readonly size?: readonly [sizeX: number, sizeY: number];
  readonly questionWords: readonly TypeWords[];
}

interface ChartDeclaration extends DataDeclaration {
  readonly kind: 'chart';
  readonly family: ChartFamily;
  /** True if an item without a measure shows the number of rows. */
  readonly countsRows?: true;
  /**
   * True if members are sorted by the first measure, the largest first. Members with a natural order keep that order.
   */
  readonly largestFirst?: true;
  /** If no entry is aggregated, the item shows raw rows. With `numeric`, each entry must also be a number. */
  readonly plainRows?: 'any' | 'numeric';
}

interface FilterDeclaration extends DataDeclaration {
  readonly kind: 'filter';
  /** How viewers filter by the first column in the first slot. */
  readonly filtersBy: 'choice' | 'range' | 'text';
}

interface ContentDeclaration extends Declaration {
  readonly kind: 'content';
}

/** Declaration of an item type. */
export type ItemDeclaration = ChartDeclaration | FilterDeclaration | ContentDeclaration;

/** Position and size of an item in grid columns and rows. */
export interface Position {
  readonly col: number;
  readonly row: number;
  readonly sizeX: number;
  readonly sizeY: number;
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
type SlotInput<Slot extends SlotRule> = Slot['many'] extends true ? Entry | readonly Entry[] : Entry;

/** The slots that a builder takes. Their names are in camel case. */
export type SlotsInput<Slots extends readonly SlotRule[]> = {
  readonly [Slot in Extract<Slots[number], { required: true }> as CamelCase<Slot['name']>]: SlotInput<Slot>;
} & {
  readonly [Slot in Extract<Slots[number], { required: false }> as CamelCase<Slot['name']>]?: SlotInput<Slot>;
};

type NamesIn<Names> = Names extends readonly (infer Name extends OptionName)[] ? Name : never;
type CommonOption = 'title' | 'description' | 'filterNote' | 'sort' | 'limit' | 'colors';
type OptionsInput<Type extends Declaration> = Partial<Pick<OptionValues, CommonOption | NamesIn<Type['options']>>> &
  Required<Pick<OptionValues, NamesIn<Type['requires']>>>;

/** What the builder of a type takes. */
export type ItemInput<Type extends Declaration> = {
  /** Id of the item, unique in the dashboard. */
  readonly id: string;
  readonly position: Position;
  readonly title?: Words;
  readonly options?: OptionsInput<Type>;
} & SlotsInput<Type['slots']>;

/** A function that builds items of one type. It also has the declaration of the type. */
export interface ItemTypeOf<Type extends ItemDeclaration> {
  (input: ItemInput<Type>): JsonObject;
  readonly declaration: Type;
}

const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && 'datasetId' in value;
const entriesIn = (value: unknown): readonly Entry[] => [value].flat().filter(isEntry);

const jsonOf = (value: object): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));

/** Declares an item type. Returns the builder of its items. */
/* @__NO_SIDE_EFFECTS__ */
export function itemType<const Type extends ItemDeclaration>(declaration: Type): ItemTypeOf<Type> {
  const build = ({ id, position, title, options, ...slots }: ItemInput<Type>): JsonObject => ({
    id,
    type: declaration.type,
    position: { ...position },
    ...(title === undefined ? {} : { title }),
    options: jsonOf(options ?? {}),
    slots: Object.entries(slots).map(([name, value]: [string, unknown]) => ({
      name: kebabCase(name),
      content: entriesIn(value).map(jsonOf),
    })),
  });
  return Object.assign(build, { declaration });
}
