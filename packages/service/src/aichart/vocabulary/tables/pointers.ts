/** A phrase that refers to a column by its topic. */
interface Pointer {
  readonly pattern: RegExp;
  /** The topic: a word of a column name, or what has the same meaning. */
  readonly means: string;
  /** Units of columns that the phrase refers to as well, as in `wait_minutes` for "how long". */
  readonly units: readonly string[];
  /** How certainly it refers to such a column. */
  readonly strength: number;
}

const pointer = (pattern: RegExp, means: string, units = '', strength = 0.75): Pointer => ({
  pattern,
  means,
  units: units === '' ? [] : units.split(' '),
  strength,
});

/** Units of time, as `unitWords` writes them. */
const timeUnits = 's min h day';

/** The pointers of English. Those of other languages are translated first; see `../phrases.ts`. */
export const pointers: readonly Pointer[] = [
  pointer(/\b(?:male and female|female and male|men and women|boys and girls|males and females)\b/gu, 'gender'),
  pointer(/\bhow old\b/gu, 'age'),
  pointer(/\b(?:youngest|oldest|older|younger)\b/gu, 'age'),
  pointer(/\b(?:how much|how expensive|costs?|cheapest|most expensive|least expensive)\b/gu, 'price'),
  pointer(/\b(?:how long|how quickly|how soon|longest|shortest)\b/gu, 'duration', timeUnits),
  pointer(/\b(?:tallest|how tall)\b/gu, 'height'),
  pointer(/\b(?:how big|how large)\b/gu, 'area', 'm2 ha'),
  pointer(/\b(?:how far|farthest|furthest)\b/gu, 'distance', 'km mile'),
  pointer(/\b(?:heaviest|lightest|how heavy)\b/gu, 'weight', 'kg t'),
  pointer(/\b(?:hottest|warmest|coldest|coolest|how hot|how warm|how cold)\b/gu, 'temperature'),
  pointer(/\b(?:fastest|slowest|how fast)\b/gu, 'speed'),
  // "How fast were tickets solved" asks for a duration.
  pointer(/\b(?:fastest|slowest|how fast)\b/gu, 'duration', timeUnits, 0.6),
  pointer(/\bhow late\b/gu, 'delay'),
  pointer(/\b(?:richest|poorest)\b/gu, 'income'),
];
