import { defineElements } from '@inlay/embed';
import { InlayEditor } from './editor/editor.ts';
import type { InlayFormula } from './formula/formula-panel.ts';
import { InlayGrid } from './grid/grid.ts';
import { InlaySlots } from './panels/slots-panel.ts';

declare global {
  interface HTMLElementTagNameMap {
    'inlay-editor': InlayEditor;
    'inlay-formula': InlayFormula;
    'inlay-grid': InlayGrid;
    'inlay-slots': InlaySlots;
  }
}

/** Registers the elements of the editor and those that show dashboards. Further calls do nothing. */
export function defineStudio(registry: CustomElementRegistry | undefined = globalThis.customElements): void {
  if (registry === undefined) return;
  defineElements(registry);
  const elements = {
    'inlay-grid': InlayGrid,
    'inlay-slots': InlaySlots,
    'inlay-editor': InlayEditor,
  };
  for (const [name, element] of Object.entries(elements))
    if (registry.get(name) === undefined) registry.define(name, element);
}

export { InlayEditor } from './editor/editor.ts';
export type { InlayEditorEvents } from './editor/events.ts';
export { defineParts } from './editor/parts.ts';
export type { InlayFormula } from './formula/formula-panel.ts';
export { InlayGrid } from './grid/grid.ts';
export { Catalogue } from './data/catalogue.ts';
export { EditSession } from './edit/edit-session.ts';
export { InlaySlots } from './panels/slots-panel.ts';
