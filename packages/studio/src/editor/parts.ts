import type { Feature } from '@inlay/contract';
import type { EditMode } from '../grid/grid.ts';
import type { Panel } from '../panels/panel.ts';
import type { StudioWords } from '../words/languages/en.ts';

/** An element that the editor shows in its side panel. */
export interface EditorPart {
  /** Its heading. */
  readonly word: keyof StudioWords;
  /** Whether it is about the selected item, about the dashboard while no item is selected, or about either. */
  readonly about: readonly ('item' | 'dashboard')[];
  readonly modes: readonly EditMode[];
  /** The feature without which the service refuses what the part does. */
  readonly feature?: Feature;
  /** Whether it is unfolded at first. It is loaded once it is shown unfolded. */
  readonly isOpen: boolean;
  readonly load: () => Promise<new () => Panel>;
}

/** The parts of the side panel by the name of their element, in their order. */
export const editorParts: Readonly<Record<`inlay-${string}`, EditorPart>> = {
  'inlay-slots': {
    word: 'dataTab',
    about: ['item'],
    modes: ['full'],
    isOpen: true,
    load: async () => (await import('../panels/slots-panel.ts')).InlaySlots,
  },
  'inlay-gallery': {
    word: 'galleryTab',
    about: ['item'],
    modes: ['full'],
    isOpen: false,
    load: async () => (await import('../gallery/gallery-panel.ts')).InlayGallery,
  },
  'inlay-formula': {
    word: 'formulaTab',
    about: ['item'],
    modes: ['full'],
    isOpen: false,
    load: async () => (await import('../formula/formula-panel.ts')).InlayFormula,
  },
  'inlay-options': {
    word: 'lookTab',
    about: ['item'],
    modes: ['limited', 'full'],
    isOpen: false,
    load: async () => (await import('../panels/options-panel.ts')).InlayOptions,
  },
  'inlay-filters': {
    word: 'filtersTab',
    about: ['item', 'dashboard'],
    modes: ['limited', 'full'],
    isOpen: false,
    load: async () => (await import('../filters/filters-panel.ts')).InlayFilters,
  },
  'inlay-actions': {
    word: 'actionsTab',
    about: ['item'],
    modes: ['full'],
    isOpen: false,
    load: async () => (await import('../actions/actions-panel.ts')).InlayActions,
  },
  'inlay-suggestions': {
    word: 'suggestionsTab',
    about: ['item', 'dashboard'],
    modes: ['full'],
    feature: 'ai_questions',
    isOpen: false,
    load: async () => (await import('../suggestions/suggestions-panel.ts')).InlaySuggestions,
  },
  'inlay-texts': {
    word: 'textsTab',
    about: ['dashboard'],
    modes: ['full'],
    isOpen: false,
    load: async () => (await import('../texts/texts-panel.ts')).InlayTexts,
  },
  'inlay-versions': {
    word: 'versionsTab',
    about: ['dashboard'],
    modes: ['full'],
    isOpen: false,
    load: async () => (await import('../versions/versions-panel.ts')).InlayVersions,
  },
};

/** Loads the elements of all parts and registers them, for pages that use them without the editor. */
export async function defineParts(registry: CustomElementRegistry = customElements): Promise<void> {
  await Promise.all(Object.keys(editorParts).map(async (name) => loadPart(name, registry)));
}

/** Loads the element of a part and registers it. Returns its class; null if there is no such part. */
export async function loadPart(
  name: string,
  registry: CustomElementRegistry = customElements,
): Promise<(new () => Panel) | null> {
  const part = Object.entries(editorParts).find(([one]) => one === name)?.[1];
  if (part === undefined) return null;
  const element = await part.load();
  if (registry.get(name) === undefined) registry.define(name, element);
  return element;
}
