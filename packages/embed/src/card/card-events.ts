import type { ExportFormat, ItemQuery, JsonObject, FilterSelection, Condition } from '@inlay/contract';
import type { Mark, Row } from '../charts/index.ts';
import type { InlayEvents } from '../events.ts';

/** What an item has to show. */
export type Answer =
  | { readonly kind: 'loading'; readonly isBusy?: true }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly hint: string }
  | { readonly kind: 'rows'; readonly asked: ItemQuery; readonly rows: readonly Row[]; readonly truncated: boolean };

/** Told by a card to what shows it; none of them leaves the shadow root it is in. */
export interface CardEvents {
  readonly 'card-rendered': { readonly kind: 'rendered'; readonly id: string };
  /** It shows its rows as a table then. */
  readonly 'card-failed': {
    readonly kind: 'failed';
    readonly id: string;
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  };
  readonly 'card-mark': { readonly kind: 'mark'; readonly id: string; readonly mark: Mark; readonly open: boolean };
  readonly 'card-filter': {
    readonly kind: 'filter';
    readonly id: string;
    readonly chosen: FilterSelection;
    readonly condition: Condition | null;
    /** What a control of a parameter sets. */
    readonly parameters?: JsonObject | undefined;
  };
  readonly 'card-up': { readonly kind: 'up'; readonly id: string };
  readonly 'card-retry': { readonly kind: 'retry'; readonly id: string };
  /** A viewer wants a file; `failed` is called where there is none. */
  readonly 'card-export': {
    readonly kind: 'export';
    readonly id: string;
    readonly format: ExportFormat;
    readonly failed: () => void;
  };
  readonly 'card-action': { readonly kind: 'action'; readonly told: InlayEvents['actionchosen'] };
  /** Prevented where the page follows the link itself. */
  readonly 'card-link': { readonly kind: 'link'; readonly told: InlayEvents['linkfollowed'] };
}
export type CardEvent = CardEvents[keyof CardEvents];

export const isCardEvent = (event: Event): event is CustomEvent<CardEvent> =>
  event instanceof CustomEvent && event.type === 'inlay-card';
