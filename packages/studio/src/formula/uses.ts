import { filledText, inLanguage, type Json, type JsonObject } from '@inlay/contract';
import type { DashboardModel } from '@inlay/contract/change';
import { storedTitle } from '../edit/changes/view-items.ts';

/** What an entry of a slot computes: the text of a formula, or the id of a saved one. */
export interface FormulaSource {
  readonly formula: string | null;
  readonly formulaId: string | null;
  readonly datasetId: string | null;
}

/** A formula of a dashboard, with the items that use it. */
export interface FormulaUse extends FormulaSource {
  /** The same for the same text and for the same saved formula. */
  readonly key: string;
  /** Heading of the first entry that uses it. */
  readonly label: Json;
  readonly items: readonly { readonly id: string; readonly title: Json; readonly type: string }[];
}

/** Returns what an entry computes; null if it is a column. */
export function sourceOf(entry: JsonObject): FormulaSource | null {
  const formulaId = filledText(entry['formulaId']);
  const formula = formulaId === null ? filledText(entry['formula']) : null;
  if (formula === null && formulaId === null) return null;
  return { formula, formulaId, datasetId: filledText(entry['datasetId']) ?? filledText(entry['set']) };
}

/** Returns the key of a formula, see `FormulaUse`. */
export const keyOf = ({ formula, formulaId }: FormulaSource): string => JSON.stringify([formulaId, formula]);

/** Returns the formulas of a dashboard in the order in which they stand, each once. */
export function formulasOf({ views }: DashboardModel): readonly FormulaUse[] {
  const uses = new Map<string, FormulaUse>();
  for (const item of views.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'item')))
    for (const { value } of item.parts.flatMap(({ kind, parts }) => (kind === 'slot' ? parts : []))) {
      const source = sourceOf(value);
      if (source === null) continue;
      const key = keyOf(source);
      const use = uses.get(key) ?? { ...source, key, label: value['label'] ?? null, items: [] };
      const isListed = use.items.some(({ id }) => id === item.id);
      const own = { id: item.id, title: storedTitle(item), type: filledText(item.value['type']) ?? '' };
      uses.set(key, isListed ? use : { ...use, items: [...use.items, own] });
    }
  return [...uses.values()];
}

/** Returns the datasets that the items of a dashboard use, those of one item first. */
export function usedDatasets({ views }: DashboardModel, itemId: string): readonly string[] {
  const items = views.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'item'));
  const entries = [...items.filter(({ id }) => id === itemId), ...items].flatMap((item) =>
    item.parts.flatMap(({ kind, parts }) => (kind === 'slot' ? parts : [])),
  );
  return [...new Set(entries.flatMap(({ value }) => filledText(value['datasetId']) ?? filledText(value['set']) ?? []))];
}

/** Returns a heading in a language; null if there is none. */
export const headingOf = (label: Json | undefined, locale: string): string | null => inLanguage(label, locale) || null;
