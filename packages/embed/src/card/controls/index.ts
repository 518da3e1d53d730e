import { InlayDates } from './dates.ts';
import { InlayDropdown } from './dropdown.ts';
import { InlaySearch } from './search.ts';

const elements = { 'inlay-dates': InlayDates, 'inlay-dropdown': InlayDropdown, 'inlay-search': InlaySearch };

/** Registers the elements of controls. Idempotent. */
export function defineControls(registry: CustomElementRegistry = globalThis.customElements): void {
  for (const [name, element] of Object.entries(elements))
    if (registry.get(name) === undefined) registry.define(name, element);
}

export { valueOf, type ControlPart } from './part.ts';
