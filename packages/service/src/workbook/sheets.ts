import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { WorkbookFault } from './fault.ts';
import { parseWhole, unescaped } from './xml.ts';

/** A sheet of a workbook: the part with its cells, the parts that all sheets share, and the date system. */
export interface Sheet {
  readonly part: string;
  readonly texts: string;
  readonly styles: string;
  readonly since1904: boolean;
}

const maxSheets = 10_000;
const longestName = 300;
const maxRelations = 100_000;

/** A relationship from one part to another. */
interface Relation {
  /** Last segment of the relationship's type, such as `worksheet`; null if it has no type. */
  readonly kind: string | null;
  readonly part: string;
}

/** Reads the relationships of a part. The keys are their ids. */
async function relationsOf(archive: Archive, part: string): Promise<ReadonlyMap<string, Relation>> {
  const folder = posix.dirname(part);
  const relationsPath = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const relations = new Map<string, Relation>();
  if (!archive.has(relationsPath)) return relations;
  await parseWhole(archive, relationsPath, {
    opened: (name, { Id: id, Type: type, Target: target = '' }) => {
      if (name !== 'Relationship' || id === undefined) return;
      if (relations.size >= maxRelations) throw new WorkbookFault('the workbook has too many parts');
      const targetPath = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      relations.set(id.slice(0, longestName), { kind: type?.split('/').at(-1) ?? null, part: targetPath });
    },
  });
  return relations;
}

const partOf = (relations: ReadonlyMap<string, Relation>, kind: string, otherwise: string): string =>
  [...relations.values()].find((relation) => relation.kind === kind)?.part ?? otherwise;

/**
 * Finds the sheet with a name, or the first sheet if `sheetName` is null. Raises WorkbookFault that lists the available
 * sheets.
 */
export async function findSheet(archive: Archive, sheetName: string | null): Promise<Sheet> {
  const workbookPath = partOf(await relationsOf(archive, ''), 'officeDocument', 'xl/workbook.xml');
  const namedSheets: { readonly name: string; readonly relation: string }[] = [];
  let since1904 = false;
  await parseWhole(archive, workbookPath, {
    opened: (name, attributes) => {
      if (name === 'sheet') {
        const text = unescaped(attributes['name'] ?? '').slice(0, longestName);
        namedSheets.push({ name: text, relation: (attributes['r:id'] ?? '').slice(0, longestName) });
        if (namedSheets.length > maxSheets) throw new WorkbookFault('the workbook has too many sheets');
      }
      if (name === 'workbookPr') since1904 = /^(?:1|true)$/u.test(attributes['date1904'] ?? '');
    },
  });
  const relations = await relationsOf(archive, workbookPath);
  // Skips sheets of charts, dialogs and macros, which have no cells.
  const sheets = namedSheets.filter(({ relation }) => (relations.get(relation)?.kind ?? 'worksheet') === 'worksheet');
  const chosenSheet = sheetName === null ? sheets[0] : sheets.find(({ name }) => name === sheetName);
  if (chosenSheet === undefined) {
    const names = sheets.map(({ name }) => name).join(', ');
    throw new WorkbookFault(`the workbook has no such sheet; it has: ${names}`.slice(0, 1000));
  }
  const part = relations.get(chosenSheet.relation)?.part ?? '';
  if (!archive.has(part)) throw new WorkbookFault('the workbook names a sheet that is not in it');
  return {
    part,
    texts: partOf(relations, 'sharedStrings', 'xl/sharedStrings.xml'),
    styles: partOf(relations, 'styles', 'xl/styles.xml'),
    since1904,
  };
}
