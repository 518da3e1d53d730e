import type { Json } from '@inlay/contract';
import { sheetNumber } from '../cells/exact-numbers.ts';
import { openArchive } from './archive.ts';
import { WorkbookFault, type SheetRow } from './fault.ts';
import { findSheet } from './sheets.ts';
import { dateOf, datedStyles } from './styles.ts';
import { maxCharacters, sharedTexts } from './texts.ts';
import { parsed, unescaped, type Attributes, type Handlers } from './xml.ts';

/** Limits for reading a sheet. */
export interface SheetLimits {
  readonly columns: number;
  /** Maximum size of the shared strings in bytes. They stay in memory. */
  readonly textBytes: number;
  /**
   * Maximum number of characters in all cells together. It is needed because a short reference can stand for a long
   * string.
   */
  readonly characters: number;
}

/** Returns the column in a cell reference such as `AB12`, counted from 0. */
function columnOf(place: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,6}/u.exec(place)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Formats a column, counted from 0, as spreadsheets do, such as `AB`. */
function lettersOf(column: number): string {
  let name = '';
  for (let remaining = column + 1; remaining > 0; remaining = Math.floor((remaining - 1) / 26))
    name = String.fromCharCode(65 + ((remaining - 1) % 26)) + name;
  return name;
}

/** Parts of the workbook that cells refer to. */
interface SheetContext {
  readonly texts: Awaited<ReturnType<typeof sharedTexts>>;
  /** By index of a style: true if the style formats numbers as dates. */
  readonly dated: Awaited<ReturnType<typeof datedStyles>>;
  readonly since1904: boolean;
}

/** Collects the rows of a sheet from XML events. */
class SheetReader implements Handlers {
  readonly #context: SheetContext;
  readonly #limits: SheetLimits;
  readonly #rows: SheetRow[] = [];
  #row: Json[] = [];
  #number = 0;
  /** True if the current row has a value so far. */
  #hasValue = false;
  #column = -1;
  #type = '';
  #style = 0;
  #text = '';
  #hasText = false;
  /** True while inside an element that has text of the cell. */
  #isInside = false;
  /** True while inside a phonetic guide of a string. */
  #isPhonetic = false;
  /** Number of characters of all cells so far. */
  #characters = 0;

  constructor(context: SheetContext, limits: SheetLimits) {
    this.#context = context;
    this.#limits = limits;
  }

  /** Returns the rows since the last call. */
  take(): readonly SheetRow[] {
    return this.#rows.splice(0);
  }

  readonly opened = (name: string, attributes: Attributes): void => {
    if (name === 'row') this.#beginRow(attributes);
    if (name === 'c') this.#beginCell(attributes);
    if (name === 't') this.#hasText = true;
    if (name === 'rPh') this.#isPhonetic = true;
    if (name === 'v' || name === 't') this.#isInside = !this.#isPhonetic;
  };

  readonly text = (text: string): void => {
    if (!this.#isInside) return;
    this.#text += text;
    if (this.#text.length > maxCharacters) throw this.#fault(`more than ${maxCharacters} characters`);
  };

  readonly closed = (name: string): void => {
    if (name === 'v' || name === 't') this.#isInside = false;
    if (name === 'rPh') this.#isPhonetic = false;
    if (name === 'c') this.#endCell();
    if (name === 'row' && this.#hasValue) this.#rows.push(this.#row);
  };

  #beginRow(attributes: Attributes): void {
    this.#row = [];
    this.#column = -1;
    this.#hasValue = false;
    this.#number = Number(attributes['r'] ?? this.#number + 1);
  }

  #beginCell(attributes: Attributes): void {
    this.#column = attributes['r'] === undefined ? this.#column + 1 : columnOf(attributes['r']);
    this.#type = attributes['t'] ?? 'n';
    this.#style = Number(attributes['s'] ?? 0);
    this.#text = '';
    this.#hasText = false;
  }

  #endCell(): void {
    const cell = this.#value();
    // A row that has only errors or blanks counts as empty.
    if (this.#text !== '') this.#hasValue = true;
    if (cell === null) return;
    if (this.#column < 0) throw this.#fault('the cell has no place such as A1');
    this.#hasValue = true;
    const { columns, characters } = this.#limits;
    if (this.#column >= columns)
      throw this.#fault(`a value past column ${lettersOf(columns - 1)}; at most ${columns} columns are taken`);
    this.#characters += typeof cell === 'string' ? cell.length : 8;
    if (this.#characters > characters) throw this.#fault('the sheet is too large for the size of its file');
    while (this.#row.length < this.#column) this.#row.push(null);
    this.#row[this.#column] = cell;
  }

  #value(): Json {
    const [text, type] = [this.#text, this.#type];
    if (type === 'e' || (text === '' && !(type === 'inlineStr' && this.#hasText))) return null;
    if (type === 'str' || type === 'inlineStr') return unescaped(text);
    // A blank cell that is not a string has no value. Read as a number, it would become zero.
    if (text.trim() === '') return null;
    if (type === 's') return this.#sharedText(Number(text));
    if (type === 'b') return text === '1' || text === 'true';
    if (type === 'd') return text;
    const number = sheetNumber(text);
    if (number === null) return text;
    const { dated, since1904 } = this.#context;
    return dated[this.#style] === true && typeof number === 'number' ? (dateOf(number, since1904) ?? number) : number;
  }

  #sharedText(index: number): Json {
    const text = this.#context.texts.at(index);
    if (text === null) throw this.#fault('it refers to a text that the workbook does not have');
    return text;
  }

  #fault(message: string): WorkbookFault {
    return new WorkbookFault(`row ${this.#number}, column ${lettersOf(Math.max(0, this.#column))}: ${message}`);
  }
}

/**
 * Yields the rows of a sheet of an XLSX workbook in small batches. The sheet is the named one, or else the first. Rows
 * without values are skipped. `took` is called with the number of bytes read. Raises WorkbookFault with the row and
 * column of a faulty cell, or of the first value beyond the column limit.
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
    const dateStyles = await datedStyles(archive, styles);
    const reader = new SheetReader({ texts, dated: dateStyles, since1904 }, limits);
    for await (const _ of parsed(archive, part, reader, took)) {
      const rows = reader.take();
      if (rows.length > 0) yield rows;
    }
  } finally {
    archive.close();
  }
}
