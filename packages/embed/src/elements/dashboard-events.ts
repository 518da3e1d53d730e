import type { Json } from '@inlay/contract';
import type { Filter } from '../filters.ts';

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
    readonly values: readonly { readonly label: string; readonly text: string; readonly value: Json }[];
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
): boolean => from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
