import { fold } from '@inlay/contract';

/** Words that carry no part of a question, in the languages of the questions. */
const emptyWords: ReadonlySet<string> = new Set(
  [
    'the and per for with each every how many much what which who whose when where are did does has have had was were',
    'our their its this that these those them then than they you your all any over also too but not now show make please pls can was',
    'het een van voor met hoe veel welke welk wie wat waar wordt werd zijn was die dat deze dit alle ook maar nog naar uit over aan der den door',
    'les des une par pour avec combien quel quelle quels quelles est sont dans sur aux ces cette mais tous toutes',
    'der die das den dem ein eine einer und pro fur mit wie viel viele welche welcher welches ist sind wird nach von zum zur aber alle',
    'los las una uno por para con cuantos cuantas que cual cuales como del sus pero todos todas este esta',
  ].flatMap((words) => words.split(' ')),
);

/** Ways to say that nothing in the data answers a question, in the languages of the questions. */
const failures = [
  'no column fits',
  'is no column',
  'no data about',
  'cannot answer',
  'cannot be answered',
  'geen kolom',
  'niet beantwoord',
  'geen antwoord',
  'aucune colonne',
  'pas de reponse',
  'pas repondre',
  'keine spalte',
  'nicht beantworten',
  'keine antwort',
  'ninguna columna',
  'no se puede responder',
  'no puedo responder',
];

const wordsOf = (text: string): readonly string[] => fold(text).split(/[^\p{L}\p{N}]+/u);

const isContent = (word: string): boolean =>
  (/\d/u.test(word) ? word.length > 1 : word.length > 2) && !emptyWords.has(word);

const sharesStem = (left: string, right: string): boolean => {
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  return short === long || (short.length > 3 && long.startsWith(short.slice(0, Math.max(4, short.length - 1))));
};

/** What an answer says about itself. */
export interface Telling {
  readonly message: string;
  /** The names of the drawn columns. */
  readonly drawnNames: readonly string[];
  /** The conditions of the drawn item as text; empty without any. */
  readonly conditions: string;
}

/**
 * True if a message names what was left out of a question: a content word that no drawn column bears in its name. Where
 * numbers or values of the question (`literals` of its SQL) are in no condition, it has to be one of these.
 */
export function namesUnused(question: string, literals: readonly string[], telling: Telling): boolean {
  const { message, drawnNames, conditions } = telling;
  const inMessage = new Set(wordsOf(message));
  const used = drawnNames.flatMap(wordsOf);
  const applied = wordsOf(conditions);
  const values = literals.flatMap(wordsOf);
  const unused = wordsOf(question).filter((word) => isContent(word) && !used.some((other) => sharesStem(word, other)));
  const missing = unused.filter((word) =>
    /\d/u.test(word)
      ? conditions === ''
      : values.some((value) => sharesStem(word, value)) && !applied.some((other) => sharesStem(word, other)),
  );
  // A message may take "Q3" apart.
  const joined = wordsOf(message).join('');
  const isNamed = (word: string): boolean => inMessage.has(word) || (/\d/u.test(word) && joined.includes(word));
  return (missing.length > 0 ? missing : unused).some(isNamed);
}

/** True if a message says that the data do not hold an answer. */
export function saysCannot(message: string): boolean {
  const folded = fold(message);
  return failures.some((words) => folded.includes(words));
}
