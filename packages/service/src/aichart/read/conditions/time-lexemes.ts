import type { Word } from '../../vocabulary/words.ts';
import type { Language } from '../../vocabulary/question-languages.ts';
import { indexed, lexemesOf, type Lexemes } from './lexemes.ts';
import { lexiconOf } from './lexicon.ts';
import { numberRules } from './rules/numbers.ts';
import { partRules } from './rules/parts.ts';
import { periodRules } from './rules/periods.ts';
import { relativeRules } from './rules/relative.ts';
import { withNumbers, withReadings, type ReadingContext } from './rules/rule.ts';

const numbers = indexed(numberRules);
const readings = indexed([...relativeRules, ...periodRules, ...partRules]);

/** The words of a question with all that they may say about time. */
export interface TimeWords {
  readonly words: readonly Word[];
  readonly lexemes: Lexemes;
  readonly context: ReadingContext;
  readonly capitalMonths: boolean;
}

/** Reads words first as numbers, then as spans of time without prepositions. */
export function timeWordsOf(words: readonly Word[], language: Language, today: string, weekStart: number): TimeWords {
  const lexicon = lexiconOf(language);
  const context = { today, weekStart, monthFirst: lexicon.monthFirst };
  const lexemes = withReadings(withNumbers(lexemesOf(words, lexicon), numbers), readings, context);
  return { words, lexemes, context, capitalMonths: lexicon.capitalMonths };
}
