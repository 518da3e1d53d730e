import { defineElements } from '@inlay/embed';
import { InlayEditor } from './editor/editor.ts';
import { InlayGrid } from './grid/grid.ts';

declare global {
  interface HTMLElementTagNameMap {
    'inlay-editor': InlayEditor;
    'inlay-grid': InlayGrid;
  }
}

/** Registers the elements of the editor and those that show dashboards. Further calls do nothing. */
export function defineStudio(registry: CustomElementRegistry | undefined = globalThis.customElements): void {
  if (registry === undefined) return;
  defineElements(registry);
  for (const [name, element] of Object.entries({ 'inlay-grid': InlayGrid, 'inlay-editor': InlayEditor }))
    if (registry.get(name) === undefined) registry.define(name, element);
}

export { InlayEditor } from './editor/editor.ts';
export type { InlayEditorEvents } from './editor/events.ts';
export { InlayGrid } from './grid/grid.ts';
