import type { JsonObject } from '../../json.ts';
import type { Words } from '../../members/value.ts';
import type { Entry } from './entry.ts';
import type { OptionName, OptionValues } from './options.ts';
import type { SlotRule } from './slot.ts';

/** Charts of a family answer the same questions with the same slots, so AI charts treat them alike. */
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

/** Phrases in a question that ask for a type. */
export interface TypeWords {
  /** A regular expression; `{chart}` matches "chart", "graph" and the like. */
  readonly words: string;
  /** If a question matches several types, the lowest rank wins. */
  readonly rank: number;
  /** Asks for stacked legend members. */
  readonly stacked?: true;
  /** Matches only after "as a", "in" or "using", since the phrase is ambiguous. */
  readonly onlyAs?: true;
  /** The phrase is not a name of the type. */
  readonly isPhrase?: true;
}

interface Declaration {
  /** Name in contents. */
  readonly type: string;
  /** In the order in which AI charts fill them. */
  readonly slots: readonly SlotRule[];
  /** Options in addition to those of every type. */
  readonly options?: readonly OptionName[];
  /** Options that the builder requires. */
  readonly requires?: readonly OptionName[];
}

interface DataDeclaration extends Declaration {
  /** Default size of an item in grid columns and rows; 24 by 20 if omitted. */
  readonly size?: readonly [sizeX: number, sizeY: number];
  readonly questionWords: readonly TypeWords[];
}

interface ChartDeclaration extends DataDeclaration {
  readonly kind: 'chart';
  readonly family: ChartFamily;
  /** Shows the number of rows if it has no measure. */
  readonly countsRows?: true;
  /** Sorts members without a natural order by the first measure, descending. */
  readonly largestFirst?: true;
  /** Shows raw rows if no entry is aggregated and, with `numeric`, each entry is a number. */
  readonly plainRows?: 'any' | 'numeric';
}

interface FilterDeclaration extends DataDeclaration {
  readonly kind: 'filter';
  /** How viewers filter by the first column of the first slot. */
  readonly filtersBy: 'choice' | 'range' | 'text';
}

interface ContentDeclaration extends Declaration {
  readonly kind: 'content';
}

/** Declaration of an item type. */
export type ItemDeclaration = ChartDeclaration | FilterDeclaration | ContentDeclaration;

/** Position and size in grid columns and rows. */
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

/** Slots in the input of a builder, by name in camel case. */
export type SlotsInput<Slots extends readonly SlotRule[]> = {
  readonly [Slot in Extract<Slots[number], { required: true }> as CamelCase<Slot['name']>]: SlotInput<Slot>;
} & {
  readonly [Slot in Extract<Slots[number], { required: false }> as CamelCase<Slot['name']>]?: SlotInput<Slot>;
};

type NamesIn<Names> = Names extends readonly (infer Name extends OptionName)[] ? Name : never;
type CommonOption = 'title' | 'description' | 'sort' | 'limit' | 'colors';
type OptionsInput<Type extends Declaration> = Partial<Pick<OptionValues, CommonOption | NamesIn<Type['options']>>> &
  Required<Pick<OptionValues, NamesIn<Type['requires']>>>;

/** Input of the builder of a type. */
export type ItemInput<Type extends Declaration> = {
  /** Unique in the dashboard. */
  readonly id: string;
  readonly position: Position;
  readonly title?: Words;
  readonly options?: OptionsInput<Type>;
} & SlotsInput<Type['slots']>;

/** A builder of items of one type, with the declaration of the type. */
export interface ItemTypeOf<Type extends ItemDeclaration> {
  (input: ItemInput<Type>): JsonObject;
  readonly declaration: Type;
}

const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && 'datasetId' in value;
const entriesIn = (value: unknown): readonly Entry[] => [value].flat().filter(isEntry);

const jsonOf = (value: object): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));

/** Declares an item type. */
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
