import { InlayDashboard } from './elements/dashboard.ts';
import { InlayItem } from './elements/item.ts';

declare global {
  interface HTMLElementTagNameMap {
    'inlay-dashboard': InlayDashboard;
    'inlay-item': InlayItem;
  }
}

/**
 * Registers `<inlay-dashboard>` and `<inlay-item>`. Further calls do nothing. On a server, there is no registry, so
 * nothing is registered.
 */
export function defineElements(registry: CustomElementRegistry | undefined = globalThis.customElements): void {
  if (registry === undefined) return;
  const elements = { 'inlay-item': InlayItem, 'inlay-dashboard': InlayDashboard };
  for (const [name, element] of Object.entries(elements)) {
    if (registry.get(name) === undefined) registry.define(name, element);
  }
}

export { accessibleDashboards, type AccessOptions } from './accessible-dashboards.ts';
export { InlayDashboard } from './elements/dashboard.ts';
export { InlayItem } from './elements/item.ts';
export type { Appearance } from './board/appearance.ts';
export type { Answer } from './card/card-events.ts';
export type { AccessibleDashboard } from './board/page/accessible-dashboards.ts';
export type { InlayEvents } from './events.ts';
export type { Credential } from '@inlay/client/transport';
export { Failure } from '@inlay/client/transport';
