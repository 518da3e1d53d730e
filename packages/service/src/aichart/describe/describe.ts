import type { ChartDataset, Words } from '../dataset.ts';
import { profile } from '../profile.ts';
import type { ProfiledColumn } from '../profiled-column.ts';
import { shortForms } from '../../columns/short-forms.ts';
import {
  sentenceOfColumn,
  sentenceOfDataset,
  sentenceOfFormula,
  type ColumnKind,
  type DescriptionLanguage,
} from './sentences.ts';

/** A formula of a dataset. */
export interface DatasetFormula {
  readonly id: string;
  readonly name: Words;
  readonly expression: string;
}

export interface PartDescription {
  readonly id: string;
  readonly description: string;
}

/** Descriptions of a dataset and its parts, in one language. */
export interface DatasetDescription extends PartDescription {
  readonly columns: readonly PartDescription[];
  readonly formulas: readonly PartDescription[];
}

/** Maximum number of distinct values of a category that is described as having few. */
const fewValues = 12;

/** Returns the text of a language, or of the first one that there is. */
const textIn = (words: Words, language: string): string => words[language] ?? Object.values(words)[0] ?? '';

/** Matches names that consist of letters, digits and separators of words, as the columns of databases have. */
const databaseName = /^[\p{L}\p{N}_ .-]+$/u;

/** Returns the name of a column as people write it: abbreviations of databases are spelled out in English names. */
function nameOf({ name, sourceName, nameWords }: ProfiledColumn, language: string): string {
  const text = textIn(name, language);
  const given = text === '' ? (sourceName ?? '') : text;
  const isShort = nameWords.some((word) => shortForms.has(word));
  if ((name['en'] ?? given) !== given || !isShort || !databaseName.test(given)) return given;
  const spelled = nameWords.map((word) => shortForms.get(word) ?? word).join(' ');
  return spelled.charAt(0).toUpperCase() + spelled.slice(1);
}

function kindOf({ role, additive, subtype, cardinality }: ProfiledColumn): ColumnKind {
  if (role === 'amount') return !additive ? 'average' : subtype === 'currency' ? 'money' : 'sum';
  if (role === 'time') return subtype === 'date' ? 'day' : 'moment';
  if (role === 'category') return cardinality !== null && cardinality <= fewValues ? 'fewCategories' : 'category';
  return role;
}

/** Maximum number of characters of a formula in a description. */
const maxFormula = 300;

/**
 * Writes a formula with names instead of ids, and without its quoted texts, which may be values of rows. A column that the
 * caller does not see has no name.
 */
function formulaInNames(expression: string, names: ReadonlyMap<string, string>): string {
  const withoutTexts = expression.replaceAll(/'[^']*'/gu, "'…'");
  const text = withoutTexts.replaceAll(/\{([^{}]*)\}/gu, (_, id: string) => names.get(id.trim().toLowerCase()) ?? '…');
  return text.length > maxFormula ? `${text.slice(0, maxFormula)}…` : text;
}

/**
 * Describes a dataset, its columns and formulas in one language, from names, types and the number of distinct values. An
 * existing description in that language is returned unchanged. Generated texts contain no values of rows, because callers
 * with a row filter read them too.
 */
export function describe(
  dataset: ChartDataset,
  formulas: readonly DatasetFormula[],
  language: DescriptionLanguage,
): DatasetDescription {
  const { columns } = profile(dataset);
  const names = new Map(columns.map((column) => [column.id.toLowerCase(), nameOf(column, language)]));
  const namesOf = (isOne: (column: ProfiledColumn) => boolean): readonly string[] =>
    columns.filter(isOne).map(({ id }) => names.get(id.toLowerCase()) ?? '');
  const parts = {
    numbers: namesOf(({ role }) => role === 'amount'),
    groups: namesOf(({ role }) => role === 'category' || role === 'place' || role === 'title'),
    times: namesOf(({ role }) => role === 'time'),
  };
  return {
    id: dataset.id,
    description: dataset.description[language] ?? sentenceOfDataset(textIn(dataset.name, language), parts, language),
    columns: columns.map((column) => ({
      id: column.id,
      description:
        column.description[language] ??
        sentenceOfColumn(names.get(column.id.toLowerCase()) ?? '', kindOf(column), language),
    })),
    formulas: formulas.map(({ id, name, expression }) => ({
      id,
      description: sentenceOfFormula(textIn(name, language), formulaInNames(expression, names), language),
    })),
  };
}
