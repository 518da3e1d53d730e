import type { FilterSelection, Item, JsonObject, Step } from '@inlay/contract';
import type { Mark } from '../charts/index.ts';
import type { Answer } from './card-events.ts';
import type { RenderContext } from './render-context.ts';

export interface CardModel {
  readonly item: Item;
  /** Heading level of the title. */
  readonly level: 2 | 3;
  readonly answer: Answer;
  /** Answer to the second query of the item; null if it has none. See `withComparison`. */
  readonly comparison: Answer | null;
  readonly renderContext: RenderContext;
  /** Custom CSS, already sanitized. */
  readonly sheets: readonly CSSStyleSheet[];
  /** Options of the item's view. */
  readonly options: JsonObject;
  /** Contents of the dashboard; null for a stand-alone item. */
  readonly contents: JsonObject | null;
  /** True if the item is stored in a dashboard. Only stored items can be exported. */
  readonly isStored: boolean;
  /** The selected mark of this item, which filters the other items; null if no mark is selected. */
  readonly chosen: Mark | null;
  readonly path: readonly Step[];
  /** Selection of a filter before the viewer changes it. */
  readonly start: FilterSelection;
}

export const differ = (model: CardModel, previousModel: CardModel | undefined): boolean =>
  previousModel === undefined ||
  Object.entries(model).some(([name, value]) => Reflect.get(previousModel, name) !== value);
