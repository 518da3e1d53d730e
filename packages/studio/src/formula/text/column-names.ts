import { fold } from '@inlay/contract';

/** A column as formulas name it: its id, its name in the language of the person, and the name of its dataset. */
export interface NamedColumn {
  readonly id: string;
  readonly name: string;
  readonly datasetName: string;
}

const longestName = 60;
/** Characters that reverse or hide what stands around them. */
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/u;

/** Returns a name without what formulas or lines would read as something else. */
function plainName(name: string): string {
  const oneLine = name
    .toWellFormed()
    .replaceAll(directionMarks, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .trim();
  const characters = Array.from(oneLine);
  return characters.length <= longestName
    ? oneLine
    : `${characters
        .slice(0, longestName - 1)
        .join('')
        .trimEnd()}…`;
}

/** Returns a name that stands apart from the text around it: a name from right to left would reverse a formula. */
const isolated = (name: string): string => (rightToLeft.test(name) ? `\u2068${name}\u2069` : name);

const keyOf = (name: string): string => fold(name.replaceAll(directionMarks, '').trim());

/**
 * The names by which formulas show columns. Each column has a name that no other one has: columns of one name are told
 * apart by their datasets, else by numbers.
 */
export class ColumnNames {
  readonly #names = new Map<string, string>();
  readonly #ids = new Map<string, string>();
  readonly #shared: ReadonlySet<string>;

  constructor(columns: readonly NamedColumn[]) {
    const counts = new Map<string, number>();
    for (const { name } of columns) {
      const key = keyOf(plainName(name));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    this.#shared = new Set([...counts].flatMap(([key, count]) => (count > 1 ? [key] : [])));
    const ids = new Set(columns.map(({ id }) => keyOf(id)));
    for (const { id, name, datasetName } of columns) {
      const plain = plainName(name) || id;
      const full = this.#shared.has(keyOf(plain)) ? plainName(`${plain} – ${plainName(datasetName)}`) : plain;
      const isFree = (key: string): boolean => !this.#ids.has(key) && (!ids.has(key) || key === keyOf(id));
      let unique = full;
      for (let number = 2; !isFree(keyOf(unique)) || this.#shared.has(keyOf(unique)); number += 1)
        unique = `${full} (${number})`;
      this.#names.set(id, isolated(unique));
      this.#ids.set(keyOf(unique), id);
    }
  }

  /** Returns the name of a column; null if it is not known. */
  nameOf(id: string): string | null {
    return this.#names.get(id) ?? this.#names.get(id.toLowerCase()) ?? null;
  }

  /** Returns the id of the column that somebody calls by a name; null if no column, or more than one, is called so. */
  idOf(name: string): string | null {
    return this.#ids.get(keyOf(name)) ?? null;
  }

  /** True if several columns are called so. */
  isShared(name: string): boolean {
    return this.#shared.has(keyOf(name));
  }
}
