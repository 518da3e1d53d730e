import type { DashboardModel } from '../../model/model.ts';
import { filled } from '../../../wording/filled.ts';
import { carryOut } from '../apply.ts';
import { PartNames } from './names.ts';
import type { Change } from '../operation.ts';
import { statementOf, type Statement } from './statement.ts';
import { changeWordsFor, type ChangeWords } from './words.ts';

/** Sentences that have one for several items. */
const ofMany: Readonly<Partial<Record<keyof ChangeWords, keyof ChangeWords>>> = {
  moved: 'manyMoved',
  added: 'manyAdded',
  removed: 'manyRemoved',
};

const hasItem = (statement: Statement): statement is Statement & { readonly item: NonNullable<Statement['item']> } =>
  statement.item !== null;

/** Returns one sentence for several statements with different sentences. */
function summary(statements: readonly Statement[], words: ChangeWords, locale: string): string {
  const aboutItems = statements.filter(hasItem);
  if (aboutItems.length < statements.length) {
    const areFilters = statements.every(({ sentence }) => sentence.startsWith('filter'));
    return areFilters ? words.filtersChanged : words.dashboardChanged;
  }
  const items = new Map(aboutItems.map(({ item }) => [item.id, item.name]));
  const [firstStatement] = statements;
  const areAlike = statements.every(({ sentence }) => sentence === firstStatement?.sentence);
  const many = areAlike && firstStatement !== undefined ? ofMany[firstStatement.sentence] : undefined;
  return items.size === 1
    ? filled(words.changed, { name: [...items.values()].at(-1) ?? '' })
    : filled(words[many ?? 'manyChanged'], { n: new Intl.NumberFormat(locale).format(items.size) });
}

/**
 * Returns a sentence about a change, such as `Moved Revenue`, in the language of the locale; in English if there is no
 * translation. `columnName` returns the name of a column whose entry or filter has no label; empty if it is not known.
 * Raises ChangeError if the change does not apply to the model.
 */
export function describe(
  change: Change,
  model: DashboardModel,
  locale: string,
  columnName: (columnId: string) => string = () => '',
): string {
  const words = changeWordsFor(locale);
  const names = new PartNames(words, locale, columnName);
  const statements: Statement[] = [];
  carryOut(model, change, (turn) => statements.push(statementOf(turn, names)));
  const sentences = new Set(statements.map(({ sentence, values }) => filled(words[sentence], values)));
  const [firstSentence = words.unchanged] = sentences;
  return sentences.size <= 1 ? firstSentence : summary(statements, words, locale);
}
