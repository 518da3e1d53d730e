import { defineElements } from '@inlay/embed';
import type { InlayActions } from './actions/actions-panel.ts';
import { InlayEditor } from './editor/editor.ts';
import type { InlayFilters } from './filters/filters-panel.ts';
import type { InlayFormula } from './formula/formula-panel.ts';
import type { InlayGallery } from './gallery/gallery-panel.ts';
import { InlayGrid } from './grid/grid.ts';
import type { InlayOptions } from './panels/options-panel.ts';
import type { InlaySlots } from './panels/slots-panel.ts';
import type { InlaySuggestions } from './suggestions/suggestions-panel.ts';
import type { InlayTexts } from './texts/texts-panel.ts';
import type { InlayVersions } from './versions/versions-panel.ts';

declare global {
  interface HTMLElementTagNameMap {
    'inlay-actions': InlayActions;
    'inlay-editor': InlayEditor;
    'inlay-filters': InlayFilters;
    'inlay-formula': InlayFormula;
    'inlay-gallery': InlayGallery;
    'inlay-grid': InlayGrid;
    'inlay-options': InlayOptions;
    'inlay-slots': InlaySlots;
    'inlay-suggestions': InlaySuggestions;
    'inlay-texts': InlayTexts;
    'inlay-versions': InlayVersions;
  }
}

/** Registers the elements of the editor and those that show dashboards. Further calls do nothing. */
export function defineStudio(registry: CustomElementRegistry | undefined = globalThis.customElements): void {
  if (registry === undefined) return;
  defineElements(registry);
  const elements = {
    'inlay-grid': InlayGrid,
    'inlay-editor': InlayEditor,
  };
  for (const [name, element] of Object.entries(elements))
    if (registry.get(name) === undefined) registry.define(name, element);
}

export { InlayEditor } from './editor/editor.ts';
export type { InlayEditorEvents } from './editor/events.ts';
export { defineParts } from './editor/parts.ts';
export { InlayGrid } from './grid/grid.ts';
export { Catalogue } from './data/catalogue.ts';
export { EditSession } from './edit/edit-session.ts';
