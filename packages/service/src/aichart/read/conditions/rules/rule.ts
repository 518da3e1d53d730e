import {
  matchAt,
  rulesAt,
  type Lexeme,
  type Lexemes,
  type Pattern,
  type RuleIndex,
  type SpanReading,
  type Tag,
} from '../lexemes.ts';

/** What the readings of spans depend on besides the words. */
export interface ReadingContext {
  /** The current day, such as `2024-03-01`. */
  readonly today: string;
  /** The first day of the week: 1 is Monday. */
  readonly weekStart: number;
  readonly monthFirst: boolean;
}

/** A number that several words form, such as the quarter of "third quarter". */
export interface NumberRule {
  readonly tag: Tag;
  readonly pattern: Pattern;
  readonly read: (values: readonly number[]) => number | null;
}

/** A span that several words form. Null if they do not, such as "31 June". */
export interface ReadingRule {
  readonly pattern: Pattern;
  readonly read: (
    values: readonly number[],
    context: ReadingContext,
    readings: readonly SpanReading[],
  ) => SpanReading | null;
}

const merged = (lexemes: Lexemes, found: readonly (readonly Lexeme[])[]): Lexemes =>
  lexemes.map((senses, at) => [...senses, ...(found[at] ?? [])].toSorted((one, other) => other.end - one.end));

/** Adds the numbers that rules find to the senses of the words. */
export const withNumbers = (lexemes: Lexemes, rules: RuleIndex<NumberRule>): Lexemes =>
  merged(
    lexemes,
    lexemes.map((senses, at) =>
      rulesAt(rules, senses).flatMap(({ tag, pattern, read }) => {
        const match = matchAt(pattern, lexemes, at);
        const value = match === null ? null : read(match.values);
        return match === null || value === null ? [] : [{ tag, end: match.end, value, reading: null }];
      }),
    ),
  );

/** Adds the spans that rules find to the senses of the words. */
export const withReadings = (lexemes: Lexemes, rules: RuleIndex<ReadingRule>, context: ReadingContext): Lexemes =>
  merged(
    lexemes,
    lexemes.map((senses, at) =>
      rulesAt(rules, senses).flatMap(({ pattern, read }) => {
        const match = matchAt(pattern, lexemes, at);
        const reading = match === null ? null : read(match.values, context, match.readings);
        return match === null || reading === null
          ? []
          : [{ tag: 'reading' as const, end: match.end, value: null, reading }];
      }),
    ),
  );
