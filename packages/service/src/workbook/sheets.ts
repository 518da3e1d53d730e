import type { Archive } from './archive.ts';
import { WorkbookFault } from './fault.ts';
import { parseWhole } from './xml.ts';

/** A sheet of a workbook: the part with its cells, and how its days are counted. */
export interface Sheet {
  readonly part: string;
  readonly since1904: boolean;
}

const mostSheets = 10_000;
const longestName = 300;

async function targetOf(archive: Archive, relation: string): Promise<string> {
  const part = 'xl/_rels/workbook.xml.rels';
  let target = '';
  if (archive.has(part))
    await parseWhole(archive, part, {
      opened: (name, attributes) => {
        if (name === 'Relationship' && attributes['Id'] === relation) target = attributes['Target'] ?? '';
      },
    });
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

/** The first sheet, or the one of that name. Raises WorkbookFault, which says what sheets there are. */
export async function findSheet(archive: Archive, wanted: string | null): Promise<Sheet> {
  const sheets: { readonly name: string; readonly relation: string }[] = [];
  let since1904 = false;
  await parseWhole(archive, 'xl/workbook.xml', {
    opened: (name, attributes) => {
      if (name === 'sheet') {
        const text = (attributes['name'] ?? '').slice(0, longestName);
        sheets.push({ name: text, relation: (attributes['r:id'] ?? '').slice(0, longestName) });
        if (sheets.length > mostSheets) throw new WorkbookFault('the workbook has too many sheets');
      }
      if (name === 'workbookPr') since1904 = /^(?:1|true)$/u.test(attributes['date1904'] ?? '');
    },
  });
  const chosen = wanted === null ? sheets[0] : sheets.find(({ name }) => name === wanted);
  if (chosen === undefined) {
    const names = sheets.map(({ name }) => name).join(', ');
    throw new WorkbookFault(`the workbook has no such sheet; it has: ${names}`.slice(0, 1000));
  }
  const part = await targetOf(archive, chosen.relation);
  if (!archive.has(part)) throw new WorkbookFault('the workbook names a sheet that is not in it');
  return { part, since1904 };
}
