import { filledText, listOr, objectOr, type Json, type JsonObject } from '@inlay/contract';
import type { Caller } from '../../../access/caller.ts';
import type { Resource } from '../../../resource/define.ts';
import type { Warning } from '../../../declare/warning.ts';
import type { Reader } from '../../../store/store.ts';
import { readable } from '../contents/readable.ts';

/** A column or formula that a slot entry refers to. */
interface NamedRecord {
  readonly path: string;
  readonly of: 'column' | 'formula';
  readonly id: string;
  readonly datasetId: string | null;
}

const maxRecords = 20_000;

function namedIn(contents: Json, path: string): readonly NamedRecord[] {
  const each = <Found>(
    value: Json | undefined,
    at: string,
    read: (element: JsonObject, at: string) => readonly Found[],
  ) => listOr(value).flatMap((element, index) => read(objectOr(element), `${at}[${index}]`));
  const entry = (value: JsonObject, at: string): readonly NamedRecord[] => {
    const column = filledText(value['columnId']) ?? filledText(value['column']);
    const formula = filledText(value['formulaId']);
    const datasetId = (filledText(value['datasetId']) ?? filledText(value['set']))?.toLowerCase() ?? null;
    return [
      ...(column === null
        ? []
        : [{ path: `${at}.columnId`, of: 'column', id: column.toLowerCase(), datasetId } as const]),
      ...(formula === null
        ? []
        : [{ path: `${at}.formulaId`, of: 'formula', id: formula.toLowerCase(), datasetId } as const]),
    ];
  };
  return each(objectOr(contents)['views'], `${path}.views`, (view, viewAt) =>
    each(view['items'], `${viewAt}.items`, (item, itemAt) =>
      each(item['slots'], `${itemAt}.slots`, (slot, slotAt) => each(slot['content'], `${slotAt}.content`, entry)),
    ),
  ).slice(0, maxRecords);
}

/**
 * Warns of columns and formulas of known datasets that do not exist, or that the author of the contents may not see.
 */
export async function unknownReferences(
  reader: Reader,
  caller: Caller,
  contents: Json,
  known: ReadonlySet<string>,
  resources: { readonly column: Resource; readonly formula: Resource },
): Promise<readonly Warning[]> {
  const named = namedIn(contents, 'properties.contents').filter(
    ({ datasetId }) => datasetId === null || known.has(datasetId),
  );
  const idsOf = (kind: NamedRecord['of']): readonly string[] =>
    named.flatMap((record) => (record.of === kind ? [record.id] : []));
  const seen = {
    column: await readable(reader, caller, resources.column, idsOf('column')),
    formula: await readable(reader, caller, resources.formula, idsOf('formula')),
  };
  return named
    .filter(({ of, id }) => !seen[of].has(id))
    .map(({ path, of, id }) => ({
      path,
      code: 'reference_unknown',
      message: `There is no ${of} ${id.slice(0, 100)}, or you may not see it; the item shows an error in its place.`,
    }));
}
