import type { FilterSelection, Item, JsonObject, Step } from '@inlay/contract';
import type { Mark } from '../charts/index.ts';
import type { Answer } from './card-events.ts';
import type { Scene } from './scene.ts';

/** Everything that a card shows. */
export interface CardModel {
  readonly item: Item;
  /** Level of its heading. */
  readonly level: 2 | 3;
  readonly answer: Answer;
  /** Its second query, see `withSecond`; null where it has none. */
  readonly comparison: Answer | null;
  readonly scene: Scene;
  /** Custom CSS, already made safe. */
  readonly sheets: readonly CSSStyleSheet[];
  /** Options of the view of the item. */
  readonly options: JsonObject;
  /** Contents of the dashboard of the item; null where it is in none. */
  readonly contents: JsonObject | null;
  /** Whether it is stored in a dashboard, so that files of it can be exported. */
  readonly isStored: boolean;
  /** The mark of this item that filters the others. */
  readonly chosen: Mark | null;
  readonly path: readonly Step[];
  /** The selection of a filter until the viewer makes one. */
  readonly start: FilterSelection;
}

/** Whether two models differ in a member. */
export const differ = (model: CardModel, before: CardModel | undefined): boolean =>
  before === undefined || Object.entries(model).some(([name, value]) => Reflect.get(before, name) !== value);
