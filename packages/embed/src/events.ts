import type { Json, JsonObject, Filter } from '@inlay/contract';

/** A cell as formatted for the viewer, and as used in filters. */
export interface ShownValue {
  readonly label: string;
  readonly text: string;
  readonly value: Json;
}

/** Events of `<inlay-dashboard>` and `<inlay-item>`; all of them bubble and cross shadow roots. */
export interface InlayEvents {
  /** The definition was loaded and the items are laid out. */
  readonly loaded: { readonly items: number };
  /** Every visible item has been drawn once. */
  readonly rendered: { readonly ms: number };
  /** An item has been drawn. */
  readonly itemrendered: { readonly id: string };
  /** The page or a viewer added or removed filters; `filters` has all active ones. */
  readonly filterschanged: { readonly filters: readonly Filter[] };
  /** A viewer selected a mark. */
  readonly clicked: {
    readonly id: string;
    readonly values: readonly ShownValue[];
  };
  /** A viewer chose a menu entry that the page has added; `values` are those of the selected mark. */
  readonly actionchosen: { readonly id: string; readonly action: string; readonly values: readonly ShownValue[] };
  /**
   * A viewer followed a link: to an address, which opens unless the event is prevented, or to a dashboard, which the
   * page must show. `filters` match the linked cell or mark, in the format of `setFilters`.
   */
  readonly linkfollowed: {
    readonly id: string;
    readonly href: string | null;
    readonly dashboardId: string | null;
    readonly dashboardSlug: string | null;
    readonly values: readonly ShownValue[];
    readonly filters: readonly JsonObject[];
  };
  /**
   * Loading failed. `id` is null if it concerns the dashboard itself. `hint` is for developers of the page, and is also
   * logged once to the console: the faulty parts of the request, or what to check.
   */
  readonly failed: {
    readonly id: string | null;
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  };
}

export const tell = <Name extends keyof InlayEvents>(
  from: HTMLElement,
  name: Name,
  detail: InlayEvents[Name],
): boolean =>
  from.dispatchEvent(
    new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: name === 'linkfollowed' }),
  );
