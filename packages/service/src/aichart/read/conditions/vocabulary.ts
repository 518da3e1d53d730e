/** Words whose presence is all that they say. */
export type PlainTag =
  | 'the'
  | 'in'
  /** What joins a day to its month, and a month to its year. */
  | 'of'
  /** The preposition of times of day. */
  | 'at'
  | 'since'
  | 'before'
  | 'after'
  | 'until'
  | 'between'
  | 'from'
  | 'to'
  | 'and'
  | 'onwards'
  | 'except'
  | 'every'
  | 'last'
  /** Words for "last" after their noun, and those that a number may precede: "8 dernières semaines". */
  | 'lastAfter'
  | 'lastSeveral'
  | 'past'
  | 'latest'
  | 'available'
  | 'complete'
  | 'beforeLast'
  | 'this'
  | 'thisAfter'
  | 'next'
  | 'nextAfter'
  | 'nextSeveral'
  | 'agoAfter'
  | 'agoBefore'
  | 'older'
  | 'toDate'
  | 'soFar'
  | 'startOf'
  | 'tomorrow'
  | 'now'
  | 'weekend'
  | 'workdays'
  | 'half'
  | 'calendarWeek'
  | 'suffix'
  | 'clock'
  | 'am'
  | 'pm'
  | 'groups'
  | 'versus'
  | 'compare'
  | 'same'
  | 'period'
  | 'yearEarlier'
  | 'beforehand'
  | 'more'
  | 'less'
  | 'least'
  | 'most'
  | 'equal'
  | 'unequal'
  | 'orMore'
  | 'orLess'
  | 'currency'
  | 'percent'
  | 'show'
  /** Words before a number that is a limit or a name. */
  | 'top'
  | 'function';

/** Words that stand for a number: the position in their list, from 1. */
export type RankedTag =
  | 'count'
  | 'ordinal'
  | 'month'
  | 'doubtfulMonth'
  | 'weekday'
  | 'weekdays'
  | 'unit'
  /** Today, yesterday, the day before yesterday. */
  | 'relativeDay'
  /** The four parts of a day, each with its preposition: morning, afternoon, evening, night. */
  | 'dayPart'
  /** Codes such as YTD, by datetime level. */
  | 'toDateCode'
  /** Words such as `Vorjahr`, by datetime level. */
  | 'previousUnit'
  /** Growth over the previous such unit, as in "year over year", by datetime level. */
  | 'growth'
  /** Thousand, million, billion. */
  | 'scale';

/**
 * The words of a language, as people write them. Entries of a list are separated by commas; those of a rank stand for
 * the same number. Words of a list `doubtfulMonth` also mean something else, so they need a preposition or a year.
 */
export interface Vocabulary {
  readonly plain: Readonly<Record<PlainTag, string>>;
  readonly ranked: Readonly<Record<RankedTag, readonly string[]>>;
  /** True if `5/12` is 12 May. */
  readonly monthFirst: boolean;
  /** True if names of months have a capital, so that "May" is the month and "may" the verb. */
  readonly capitalMonths: boolean;
  readonly decimalMark: '.' | ',';
  /** Letters that can precede the number of a quarter, as in `Q3`; `halfCodes` are those of a half year, as in `H1`. */
  readonly quarterCodes: string;
  readonly halfCodes: string;
}
