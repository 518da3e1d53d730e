import type { Json } from '@inlay/contract';
import { sheetNumber } from '../cells.ts';
import { openArchive } from './archive.ts';
import { WorkbookFault, type SheetRow } from './fault.ts';
import { findSheet } from './sheets.ts';
import { dateOf, datedStyles } from './styles.ts';
import { mostCharacters, sharedTexts } from './texts.ts';
import { parsed } from './xml.ts';

/** What reading a sheet may take. */
export interface SheetLimits {
  readonly columns: number;
  /** Of the texts that the sheets share, which are held. */
  readonly textBytes: number;
  /** Characters of all cells together: a short reference may stand for a long text. */
  readonly characters: number;
}

/** The column of a cell, 0-based, from its place such as `AB12`. */
function columnOf(place: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,6}/u.exec(place)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** The letters of a column, as spreadsheets show them. */
function lettersOf(column: number): string {
  let letters = '';
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  return letters;
}

interface SheetPlace {
  row: Json[];
  number: number;
  column: number;
  type: string;
  style: number;
  text: string;
  inside: boolean;
  hasText: boolean;
  characters: number;
}

/**
 * The rows of a sheet of an XLSX workbook, a few at a time: the first sheet, or the one of that name. Rows without values are left
 * out. Raises WorkbookFault, naming row and column where a cell is at fault: the first with a value past the columns, too.
 */
export async function* sheetRows(
  path: string,
  sheet: string | null,
  limits: SheetLimits,
): AsyncGenerator<readonly SheetRow[]> {
  const archive = await openArchive(path);
  try {
    const { part, since1904 } = await findSheet(archive, sheet);
    const texts = await sharedTexts(archive, limits.textBytes);
    const dated = await datedStyles(archive);
    const done: SheetRow[] = [];
    const at: SheetPlace = {
      ...{ row: [], number: 0, column: -1, type: '', style: 0, text: '', inside: false, hasText: false, characters: 0 },
    };
    const value = (): Json => {
      const { text, type, style } = at;
      if (type === 'e' || (text === '' && !(type === 'inlineStr' && at.hasText))) return null;
      if (type === 's') return texts.at(Number(text));
      if (type === 'b') return text === '1';
      if (type === 'str' || type === 'inlineStr' || type === 'd') return text;
      const number = sheetNumber(text);
      if (number === null) return text;
      return dated[style] === true && typeof number === 'number' ? (dateOf(number, since1904) ?? number) : number;
    };
    const fault = (says: string): WorkbookFault =>
      new WorkbookFault(`row ${at.number}, column ${lettersOf(Math.max(0, at.column))}: ${says}`);
    const keep = (): void => {
      const cell = value();
      if (cell === null || at.column < 0) return;
      if (at.column >= limits.columns)
        throw fault(
          `a value past column ${lettersOf(limits.columns - 1)}; at most ${limits.columns} columns are taken`,
        );
      at.characters += typeof cell === 'string' ? cell.length : 8;
      if (at.characters > limits.characters) throw fault('the sheet is too large for the size of its file');
      while (at.row.length < at.column) at.row.push(null);
      at.row[at.column] = cell;
    };
    const steps = parsed(archive, part, {
      opened: (name, attributes) => {
        if (name === 'row') {
          at.row = [];
          at.column = -1;
          at.number = Number(attributes['r'] ?? at.number + 1);
        }
        if (name === 'c') {
          at.column = attributes['r'] === undefined ? at.column + 1 : columnOf(attributes['r']);
          at.type = attributes['t'] ?? 'n';
          at.style = Number(attributes['s'] ?? 0);
          at.text = '';
          at.hasText = false;
        }
        if (name === 't') at.hasText = true;
        if (name === 'v' || name === 't') at.inside = true;
      },
      text: (text) => {
        if (!at.inside) return;
        at.text += text;
        if (at.text.length > mostCharacters) throw fault(`more than ${mostCharacters} characters`);
      },
      closed: (name) => {
        if (name === 'v' || name === 't') at.inside = false;
        if (name === 'c') keep();
        if (name === 'row' && at.row.length > 0) done.push(at.row);
      },
    });
    for await (const _ of steps) {
      if (done.length > 0) yield done.splice(0);
    }
  } finally {
    archive.close();
  }
}
