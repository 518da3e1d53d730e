import { filledText, isUuid, listOr, objectOr, unknownWord, type Json } from '@inlay/contract';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import type { Caller } from '../../../access/caller.ts';
import type { Resource } from '../../../resource/define.ts';
import type { Warning } from '../../../declare/warning.ts';
import type { Reader } from '../../../store/store.ts';
import { readable } from './readable.ts';

/**
 * Warns of view themes that are neither built in nor visible to the author. A view with an inline theme is not checked.
 */
export async function unknownThemes(
  reader: Reader,
  caller: Caller,
  theme: Resource,
  contents: Json,
): Promise<readonly Warning[]> {
  const named = listOr(objectOr(contents)['views']).flatMap((view, index) => {
    const { id, ...others } = objectOr(objectOr(objectOr(view)['options'])['theme']);
    const isWhole = Object.values(others).some((value) => value !== null);
    const themeId = filledText(id);
    if (themeId === null || isWhole || Object.hasOwn(builtInThemes, themeId)) return [];
    return [{ id: themeId, path: `properties.contents.views[${index}].options.theme.id` }];
  });
  const ids = named.map(({ id }) => id.toLowerCase());
  const seen = ids.length === 0 ? new Map() : await readable(reader, caller, theme, ids);
  const builtIn = Object.keys(builtInThemes);
  const message = (id: string): string =>
    isUuid(id)
      ? `There is no theme ${id}, or you may not see it; built in are: ${builtIn.join(', ')}`
      : unknownWord(id, builtIn);
  return named
    .filter(({ id }) => !seen.has(id.toLowerCase()))
    .map(({ id, path }) => ({
      path,
      code: 'reference_unknown',
      message: `${message(id)}; it has no effect`,
    }));
}
