import { columnPlaces } from '@inlay/query';
import type { ColumnNames } from './column-names.ts';

/** A part of a formula: a column, or the text between columns. */
export interface FormulaSegment {
  /** Id of the column; null for text, also for what names no known column. */
  readonly columnId: string | null;
  /** As people see it, and as it is stored. */
  readonly shown: string;
  readonly stored: string;
}

type Side = 'shown' | 'stored';

/** A formula as it is stored, with ids of columns, and as people see it, with names. */
export class FormulaText {
  readonly segments: readonly FormulaSegment[];

  private constructor(segments: readonly FormulaSegment[]) {
    this.segments = segments;
  }

  /** Reads a formula with ids. Ids of unknown columns are shown as they are. */
  static ofStored(text: string, names: ColumnNames): FormulaText {
    return FormulaText.#read(text, (id) => (names.nameOf(id) === null ? null : id), names);
  }

  /** Reads a formula with names. Names that no column has, or several have, are left as they are. */
  static ofShown(text: string, names: ColumnNames): FormulaText {
    const idOf = (name: string): string | null => names.idOf(name) ?? (names.nameOf(name) === null ? null : name);
    return FormulaText.#read(text, idOf, names, 'shown');
  }

  static #read(
    text: string,
    idOf: (name: string) => string | null,
    names: ColumnNames,
    side: Side = 'stored',
  ): FormulaText {
    const segments: FormulaSegment[] = [];
    const add = (plain: string): void => {
      if (plain !== '') segments.push({ columnId: null, shown: plain, stored: plain });
    };
    let done = 0;
    for (const { name, start, end } of columnPlaces(text)) {
      add(text.slice(done, start));
      done = end;
      const written = text.slice(start, end);
      const columnId = idOf(name);
      const shown = side === 'shown' || columnId === null ? written : `{${names.nameOf(columnId) ?? ''}}`;
      const stored = columnId === null || side === 'stored' ? written : `{${columnId}}`;
      segments.push({ columnId, shown, stored });
    }
    add(text.slice(done));
    return new FormulaText(segments);
  }

  get shown(): string {
    return this.segments.map(({ shown }) => shown).join('');
  }

  get stored(): string {
    return this.segments.map(({ stored }) => stored).join('');
  }

  /** Returns the offset in the stored text of an offset in the shown text. Inside of a column, that is its start. */
  toStored(offset: number): number {
    return this.#mapped(offset, 'shown', 'stored');
  }

  /** Returns the offset in the shown text of an offset in the stored text. */
  toShown(offset: number): number {
    return this.#mapped(offset, 'stored', 'shown');
  }

  #mapped(offset: number, from: Side, to: Side): number {
    let [before, mapped] = [0, 0];
    for (const segment of this.segments) {
      const length = segment[from].length;
      if (offset < before + length) return mapped + (segment[from] === segment[to] ? offset - before : 0);
      before += length;
      mapped += segment[to].length;
    }
    return mapped;
  }

  /** Returns where in the shown text the column that ends (-1) or begins (1) at an offset stands; null if none does. */
  columnBeside(offset: number, side: -1 | 1): readonly [start: number, end: number] | null {
    let start = 0;
    for (const { columnId, shown } of this.segments) {
      const end = start + shown.length;
      if (columnId !== null && (side === -1 ? end : start) === offset) return [start, end];
      start = end;
    }
    return null;
  }
}
