import { InlayCard } from './elements/card/card.ts';
import { InlayDashboard } from './elements/dashboard.ts';
import { InlayItem } from './elements/item.ts';

declare global {
  interface HTMLElementTagNameMap {
    'inlay-dashboard': InlayDashboard;
    'inlay-item': InlayItem;
  }
}

/**
 * Makes `<inlay-dashboard>` and `<inlay-item>` known to the page; a second call changes nothing, nor does one on a server.
 */
export function defineElements(registry: CustomElementRegistry | undefined = globalThis.customElements): void {
  if (registry === undefined) return;
  const known = { 'inlay-card': InlayCard, 'inlay-item': InlayItem, 'inlay-dashboard': InlayDashboard };
  for (const [name, element] of Object.entries(known)) {
    if (registry.get(name) === undefined) registry.define(name, element);
  }
}

export { InlayDashboard } from './elements/dashboard.ts';
export { InlayItem } from './elements/item.ts';
export type { Answer } from './elements/card/card-events.ts';
export type { InlayEvents } from './elements/dashboard-events.ts';
export type { Credential } from './transport.ts';
export { Failure } from './transport.ts';
