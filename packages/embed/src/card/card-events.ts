import type { ExportFormat, ItemQuery, JsonObject, FilterSelection, Condition } from '@inlay/contract';
import type { Mark, Row } from '../charts/index.ts';
import type { InlayEvents } from '../events.ts';

/** State of an item's query. */
export type Answer =
  | { readonly kind: 'loading'; readonly isBusy?: true }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly hint: string }
  | { readonly kind: 'rows'; readonly query: ItemQuery; readonly rows: readonly Row[]; readonly truncated: boolean };

/** Events from a card to its board; they stay within the shadow root. */
export interface CardEvents {
  readonly 'card-rendered': { readonly kind: 'rendered'; readonly id: string };
  /** The chart could not be drawn, so the card shows a table of its rows. */
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
    /** Parameters set by a parameter control. */
    readonly parameters?: JsonObject | undefined;
  };
  readonly 'card-up': { readonly kind: 'up'; readonly id: string };
  readonly 'card-retry': { readonly kind: 'retry'; readonly id: string };
  /** A viewer requests a file. The board calls `failed` if the export fails. */
  readonly 'card-export': {
    readonly kind: 'export';
    readonly id: string;
    readonly format: ExportFormat;
    readonly failed: () => void;
  };
  readonly 'card-action': { readonly kind: 'action'; readonly told: InlayEvents['actionchosen'] };
  /** The event is cancelled if the page handles the link itself. */
  readonly 'card-link': { readonly kind: 'link'; readonly told: InlayEvents['linkfollowed'] };
}
export type CardEvent = CardEvents[keyof CardEvents];

export const isCardEvent = (event: Event): event is CustomEvent<CardEvent> =>
  event instanceof CustomEvent && event.type === 'inlay-card';
