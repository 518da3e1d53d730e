import { distance } from 'fastest-levenshtein';
import { meaningOf } from '../columns/meaning.ts';
import { withoutUnit, wordsOfName } from '../columns/name-words.ts';
import { faintWords, stopWords } from './vocabulary/lexicon.ts';
import { longFormsOf, shortForms } from '../columns/short-forms.ts';
import type { ChartColumn, ChartDataset } from './dataset.ts';
import { rank, type ColumnRanking } from './decide/rank.ts';
import type { ProfiledColumn } from './profiled-column.ts';
import { joinedName, stemOf } from './vocabulary/words.ts';

/**
 * A name of a column, split into words. The weight of a word says how well the word distinguishes the column from
 * others.
 */
export interface Alias {
  readonly column: number;
  readonly words: readonly { readonly text: string; readonly stem: string; readonly weight: number }[];
  /** How far a match of these words can be trusted: 1 for names, less for words from a description. */
  readonly trust: number;
}

/** A dataset that has been indexed so that questions can be matched with its columns. */
export interface Profile {
  readonly dataset: ChartDataset;
  readonly columns: readonly ProfiledColumn[];
  readonly aliases: readonly Alias[];
  readonly byJoined: ReadonlyMap<string, readonly number[]>;
  readonly byId: ReadonlyMap<string, ProfiledColumn>;
  /** Every word that occurs in a column name. */
  readonly named: ReadonlySet<string>;
  /** The synonyms of all columns as words. */
  readonly synonyms: readonly (readonly string[])[];
  /**
   * Stems of the words for a row of the dataset, taken from the dataset's name: `flight` for a dataset called Flights.
   */
  readonly entity: ReadonlySet<string>;
  /** The words in the dataset's name. */
  readonly nouns: readonly { readonly text: string; readonly stem: string }[];
  readonly languages: readonly string[];
  /** Returns the columns by role, with the most useful one first. The ranking is computed on first use. */
  readonly ranked: () => ColumnRanking;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const distinctTexts = ({ name, sourceName, synonyms }: ChartColumn): readonly string[] => [
  ...new Set([...Object.values(name), ...(sourceName === null ? [] : [sourceName]), ...synonyms]),
];

const expand = (words: readonly string[]): readonly string[] =>
  words.flatMap((word) =>
    word === 'fname' || word === 'lname' || word === 'dob' ? (shortForms.get(word) ?? word).split(' ') : [word],
  );

/** Caches the stems of words. */
class Stems {
  readonly #known = new Map<string, string>();

  of(word: string): string {
    const stem = this.#known.get(word) ?? stemOf(word);
    this.#known.set(word, stem);
    return stem;
  }
}

/** Returns the words in a dataset's name, which are the words for its rows. */
const nounsOf = ({ name }: ChartDataset, stems: Stems): Profile['nouns'] =>
  Object.values(name).flatMap((text) =>
    wordsOfName(text)
      .filter((word) => !stopWords.has(word))
      .map((word) => ({ text: word, stem: stems.of(word) })),
  );

/** True if a column of numbers tells rows apart: it is counted unless somebody says otherwise, or its source calls it an id. */
const isRowNumber = ({ type, subtype, sourceName, aggregation }: ChartColumn): boolean =>
  type === 'numeric' &&
  (aggregation === 'count' ||
    (sourceName !== null && meaningOf({ name: sourceName, type, subtype }).role === 'identifier'));

function profiled(column: ChartColumn): ProfiledColumn {
  const name = Object.values(column.name)[0] ?? column.sourceName ?? '';
  const meaning = meaningOf({ name, type: column.type, subtype: column.subtype });
  if (column.isFormula === true) return { ...column, ...meaning, role: 'amount', additive: false };
  if (isRowNumber(column)) return { ...column, ...meaning, role: 'identifier', additive: false };
  return { ...column, ...meaning, additive: meaning.additive && column.aggregation !== 'average' };
}

/** A name of a column, split into words. `index` is the index of the column. */
interface ColumnName {
  readonly index: number;
  readonly words: readonly string[];
}

const namesOf = (columns: readonly ProfiledColumn[]): readonly ColumnName[] =>
  columns.flatMap((column, index) =>
    distinctTexts(column).map((text, at) => ({
      index,
      words: expand(at === 0 ? column.nameWords : wordsOfName(withoutUnit(text))),
    })),
  );

/** Computes weights of words, which say how well a word distinguishes a column from others. */
class WordWeights {
  readonly #stems: Stems;
  readonly #entity: ReadonlySet<string>;
  /** For each stem of a word, the columns whose names contain a word with this stem. */
  readonly #columns = new Map<string, Set<number>>();

  constructor(stems: Stems, entity: ReadonlySet<string>, names: readonly ColumnName[]) {
    this.#stems = stems;
    this.#entity = entity;
    for (const { index, words } of names)
      for (const word of words) {
        const columns = this.#columns.get(stems.of(word)) ?? new Set();
        this.#columns.set(stems.of(word), columns.add(index));
      }
  }

  /** Returns the weight of `word`, which is a part of `name`. */
  of(word: string, name: readonly string[]): number {
    if (name.length === 1) return 1;
    if (edges.has(word)) return 0.5;
    if (resultNouns.has(word)) return 0.6;
    if (stopWords.has(word) || word.length === 1) return 0.12;
    const stem = this.#stems.of(word);
    const others = (this.#columns.get(stem)?.size ?? 1) - 1;
    const share = 1 / (1 + 0.3 * Math.min(others, 6));
    if (this.#entity.has(stem) || isOfEntity(word, stem, this.#entity)) return 0.35 * share;
    // A unit at the end only says how the number is written: `dly_min`.
    const isUnit = word === name.at(-1) && shortUnits.has(word);
    return (isUnit ? unitWeight : (faintWords.get(word) ?? 1)) * share;
  }
}

/** Returns the columns with a given name; the names are written as one word. */
function joinedNames(columns: readonly ProfiledColumn[]): ReadonlyMap<string, readonly number[]> {
  const byJoined = new Map<string, number[]>();
  columns.forEach((column, index) => {
    for (const text of distinctTexts(column)) {
      const joinedWords = joinedName(text);
      if (joinedWords.length > 2)
        byJoined.set(joinedWords, [...new Set([...(byJoined.get(joinedWords) ?? []), index])]);
    }
  });
  return byJoined;
}

/**
 * Indexes the metadata of a dataset: the role of each column, the words of the column names, and the words for a row.
 */
export function profile(dataset: ChartDataset): Profile {
  const stems = new Stems();
  const nouns = nounsOf(dataset, stems);
  const entity = new Set(nouns.map(({ stem }) => stem));
  const columns = dataset.columns.map(profiled);
  const names = namesOf(columns);
  const weights = new WordWeights(stems, entity, names);
  const isNounOfRows = ({ index, words: [word = '', ...furtherWords] }: ColumnName): boolean =>
    columns[index]?.role === 'identifier' && furtherWords.length === 0 && entity.has(stems.of(word));
  const aliases: Alias[] = names
    .filter((name) => name.words.length > 0 && !isNounOfRows(name))
    .map(({ index, words }) => ({
      column: index,
      words: words.map((text) => ({ text, stem: stems.of(text), weight: weights.of(text, words) })),
      trust: 1,
    }));
  const cache: { ranked?: ColumnRanking } = {};
  return {
    dataset,
    columns,
    aliases: [...aliases, ...described(columns, stems)],
    byJoined: joinedNames(columns),
    byId: new Map(columns.map((column) => [column.id, column])),
    named: new Set(columns.flatMap(({ nameWords }) => nameWords)),
    synonyms: columns.flatMap(({ synonyms }) => synonyms.map(wordsOfName)).filter((words) => words.length > 0),
    entity,
    nouns,
    languages: [...new Set(columns.flatMap(({ name }) => Object.keys(name)))],
    ranked: () => (cache.ranked ??= rank(columns)),
  };
}

/** Units that are no words by themselves, and their weight in a name. */
const shortUnits = set('min mins sec secs ms hr hrs kwh gb mb');
const unitWeight = 0.3;

/** Nouns that mean the result of a question. Column names may contain them, too. */
const resultNouns = set('result results record records information');

/** Words in the names of the two columns that limit a period, such as `date_from` and `date_to`. */
const edges = set('from to start end begin');

/**
 * True if a word stands for a row of the dataset: it is an abbreviation, such as `cust` for customers, or its stem
 * differs in one letter.
 */
const isOfEntity = (word: string, stem: string, entity: ReadonlySet<string>): boolean =>
  longFormsOf(word).some((form) => entity.has(stemOf(form))) ||
  [...entity].some((noun) =>
    word.length <= 4 ? noun.startsWith(word) && noun.length > word.length : distance(stem, noun) === 1,
  );

/**
 * Returns the distinctive words of column descriptions as names of low trust. They help if the names of the columns do
 * not match.
 */
function described(columns: readonly ProfiledColumn[], stems: Stems): readonly Alias[] {
  const namedStems = new Set(columns.flatMap(({ nameWords }) => nameWords.map((word) => stems.of(word))));
  return columns.flatMap((column, index) =>
    Object.values(column.description).flatMap((text) =>
      [...new Set(wordsOfName(text.slice(0, 200)))]
        .filter(
          (word) => word.length > 3 && !stopWords.has(word) && !faintWords.has(word) && !namedStems.has(stems.of(word)),
        )
        .slice(0, 8)
        .map((word) => ({ column: index, words: [{ text: word, stem: stems.of(word), weight: 1 }], trust: 0.5 })),
    ),
  );
}
