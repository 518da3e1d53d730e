import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { WorkbookFault } from './fault.ts';
import { parseWhole, unescaped } from './xml.ts';

/** A sheet of a workbook: the part with its cells, those that all sheets share, and how its days are counted. */
export interface Sheet {
  readonly part: string;
  readonly texts: string;
  readonly styles: string;
  readonly since1904: boolean;
}

const mostSheets = 10_000;
const longestName = 300;
const mostRelations = 100_000;

/** What a part refers to. */
interface Relation {
  /** The last word of its type, such as `worksheet`; null where there is none. */
  readonly kind: string | null;
  readonly part: string;
}

/** The parts that a part refers to, by their ids. */
async function relationsOf(archive: Archive, part: string): Promise<ReadonlyMap<string, Relation>> {
  const folder = posix.dirname(part);
  const listed = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const found = new Map<string, Relation>();
  if (!archive.has(listed)) return found;
  await parseWhole(archive, listed, {
    opened: (name, { Id: id, Type: type, Target: target = '' }) => {
      if (name !== 'Relationship' || id === undefined) return;
      if (found.size >= mostRelations) throw new WorkbookFault('the workbook has too many parts');
      const to = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      found.set(id.slice(0, longestName), { kind: type?.split('/').at(-1) ?? null, part: to });
    },
  });
  return found;
}

const partOf = (relations: ReadonlyMap<string, Relation>, kind: string, otherwise: string): string =>
  [...relations.values()].find((one) => one.kind === kind)?.part ?? otherwise;

/** The first sheet with cells, or the one of that name. Raises WorkbookFault, which says what sheets there are. */
export async function findSheet(archive: Archive, wanted: string | null): Promise<Sheet> {
  const workbook = partOf(await relationsOf(archive, ''), 'officeDocument', 'xl/workbook.xml');
  const named: { readonly name: string; readonly relation: string }[] = [];
  let since1904 = false;
  await parseWhole(archive, workbook, {
    opened: (name, attributes) => {
      if (name === 'sheet') {
        const text = unescaped(attributes['name'] ?? '').slice(0, longestName);
        named.push({ name: text, relation: (attributes['r:id'] ?? '').slice(0, longestName) });
        if (named.length > mostSheets) throw new WorkbookFault('the workbook has too many sheets');
      }
      if (name === 'workbookPr') since1904 = /^(?:1|true)$/u.test(attributes['date1904'] ?? '');
    },
  });
  const relations = await relationsOf(archive, workbook);
  // Sheets of charts, dialogs and macros have no cells.
  const sheets = named.filter(({ relation }) => (relations.get(relation)?.kind ?? 'worksheet') === 'worksheet');
  const chosen = wanted === null ? sheets[0] : sheets.find(({ name }) => name === wanted);
  if (chosen === undefined) {
    const names = sheets.map(({ name }) => name).join(', ');
    throw new WorkbookFault(`the workbook has no such sheet; it has: ${names}`.slice(0, 1000));
  }
  const part = relations.get(chosen.relation)?.part ?? '';
  if (!archive.has(part)) throw new WorkbookFault('the workbook names a sheet that is not in it');
  return {
    part,
    texts: partOf(relations, 'sharedStrings', 'xl/sharedStrings.xml'),
    styles: partOf(relations, 'styles', 'xl/styles.xml'),
    since1904,
  };
}
