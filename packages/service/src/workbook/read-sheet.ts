import type { Json } from '@inlay/contract';
import { sheetNumber } from '../cells.ts';
import { openArchive } from './archive.ts';
import { WorkbookFault, type SheetRow } from './fault.ts';
import { findSheet } from './sheets.ts';
import { dateOf, datedStyles } from './styles.ts';
import { mostCharacters, sharedTexts } from './texts.ts';
import { parsed, unescaped, type Handlers } from './xml.ts';

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
  /** Within the pronunciation of a text. */
  isPhonetic: boolean;
  /** Whether a cell of the row has one. */
  hasValue: boolean;
  characters: number;
}

/**
 * The rows of a sheet of an XLSX workbook, a few at a time: the first sheet, or the one of that name. Rows without values are left
 * out. `took` is given the bytes of the sheet. Raises WorkbookFault, naming row and column where a cell is at fault: the first with a value past the columns, too.
 */
export async function* sheetRows(
  path: string,
  sheet: string | null,
  limits: SheetLimits,
  took: (bytes: Uint8Array) => void = () => undefined,
): AsyncGenerator<readonly SheetRow[]> {
  const archive = await openArchive(path);
  try {
    const { part, texts: textsPart, styles, since1904 } = await findSheet(archive, sheet);
    const texts = await sharedTexts(archive, textsPart, limits.textBytes);
    const dated = await datedStyles(archive, styles);
    const done: SheetRow[] = [];
    const at: SheetPlace = {
      row: [],
      number: 0,
      column: -1,
      type: '',
      style: 0,
      text: '',
      inside: false,
      hasText: false,
      isPhonetic: false,
      hasValue: false,
      characters: 0,
    };
    const fault = (says: string): WorkbookFault =>
      new WorkbookFault(`row ${at.number}, column ${lettersOf(Math.max(0, at.column))}: ${says}`);
    const fail = (says: string): never => {
      throw fault(says);
    };
    const value = (): Json => {
      const { text, type, style } = at;
      if (type === 'e' || (text === '' && !(type === 'inlineStr' && at.hasText))) return null;
      if (type === 'str' || type === 'inlineStr') return unescaped(text);
      // Blanks are no value of another type; as a number they would be zero.
      if (text.trim() === '') return null;
      if (type === 's') return texts.at(Number(text)) ?? fail('it refers to a text that the workbook does not have');
      if (type === 'b') return text === '1' || text === 'true';
      if (type === 'd') return text;
      const number = sheetNumber(text);
      if (number === null) return text;
      return dated[style] === true && typeof number === 'number' ? (dateOf(number, since1904) ?? number) : number;
    };
    const keep = (): void => {
      const cell = value();
      // A row of errors or blanks is a row without values.
      if (at.text !== '') at.hasValue = true;
      if (cell === null) return;
      if (at.column < 0) fail('the cell has no place such as A1');
      at.hasValue = true;
      if (at.column >= limits.columns)
        throw fault(
          `a value past column ${lettersOf(limits.columns - 1)}; at most ${limits.columns} columns are taken`,
        );
      at.characters += typeof cell === 'string' ? cell.length : 8;
      if (at.characters > limits.characters) throw fault('the sheet is too large for the size of its file');
      while (at.row.length < at.column) at.row.push(null);
      at.row[at.column] = cell;
    };
    const handlers: Handlers = {
      opened: (name, attributes) => {
        if (name === 'row') {
          at.row = [];
          at.column = -1;
          at.hasValue = false;
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
        if (name === 'rPh') at.isPhonetic = true;
        if (name === 'v' || name === 't') at.inside = !at.isPhonetic;
      },
      text: (text) => {
        if (!at.inside) return;
        at.text += text;
        if (at.text.length > mostCharacters) throw fault(`more than ${mostCharacters} characters`);
      },
      closed: (name) => {
        if (name === 'v' || name === 't') at.inside = false;
        if (name === 'rPh') at.isPhonetic = false;
        if (name === 'c') keep();
        if (name === 'row' && at.hasValue) done.push(at.row);
      },
    };
    for await (const _ of parsed(archive, part, handlers, took)) {
      if (done.length > 0) yield done.splice(0);
    }
  } finally {
    archive.close();
  }
}
