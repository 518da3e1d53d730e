import type { Json, JsonObject, Filter } from '@inlay/contract';

/** A value as a viewer reads it, and as filters compare with it. */
export interface ShownValue {
  readonly label: string;
  readonly text: string;
  readonly value: Json;
}

/** Events of `<inlay-dashboard>` and `<inlay-item>`; each bubbles and crosses shadow roots. */
export interface InlayEvents {
  /** The definition is there and the items are laid out. */
  readonly loaded: { readonly items: number };
  /** Every item in view has been drawn once. */
  readonly rendered: { readonly ms: number };
  /** One item has been drawn. */
  readonly itemrendered: { readonly id: string };
  /** The page or a viewer set or removed filters; `filters` holds all that apply now. */
  readonly filterschanged: { readonly filters: readonly Filter[] };
  /** A mark was chosen. */
  readonly clicked: {
    readonly id: string;
    readonly values: readonly ShownValue[];
  };
  /** A viewer chose an entry of the menu of an item that is of the page; `values` are those of the mark that is chosen. */
  readonly actionchosen: { readonly id: string; readonly action: string; readonly values: readonly ShownValue[] };
  /** A viewer followed a link: to an address, which opens unless the event is prevented, or to a dashboard, which the page shows. `filters` let through what the cell or mark stands for, as `setFilters` takes them. */
  readonly linkfollowed: {
    readonly id: string;
    readonly href: string | null;
    readonly dashboardId: string | null;
    readonly dashboardSlug: string | null;
    readonly values: readonly ShownValue[];
    readonly filters: readonly JsonObject[];
  };
  /** Something could not be loaded. `id` is null where it is the dashboard itself; `hint` is for whoever builds the page: the places of the request that are wrong, or what to check; once in the console too. */
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
