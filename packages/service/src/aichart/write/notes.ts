import { nameOf } from '../decide/arrange.ts';
import type { Plan } from '../decide/hypothesis.ts';
import { stopWords } from '../vocabulary/lexicon.ts';
import type { Profile } from '../profile.ts';
import type { QuestionReading } from '../read/reading.ts';
import type { WordRange } from '../read/phrase.ts';
import { quote, unapplied } from '../read/unapplied.ts';

/**
 * Explains the assumptions behind an answer in a few sentences; null if there were none. The sentences quote only
 * column names and cleaned words of the question.
 */
export function notes(profile: Profile, reading: QuestionReading, plan: Plan | null, goesOn: boolean): string | null {
  if (plan === null) return null;
  const sentences: string[] = [...plan.assumed];
  const usedColumns = new Set(
    [...plan.groups, ...(plan.legend === null ? [] : [plan.legend])].map(({ column }) => column),
  );
  for (const { column } of [...plan.quantities, ...(plan.across === null ? [] : [plan.across])])
    if (column !== null) usedColumns.add(column);
  const spokenMentions = reading.mentions.filter(({ filtered, ordering }) => !filtered && !ordering);
  if (
    spokenMentions.length === 0 &&
    !reading.counts &&
    reading.grain === null &&
    !goesOn &&
    reading.chart.kind === null
  ) {
    sentences.push('No column fits the question; this chart says most about the dataset.');
  }
  for (const { options } of spokenMentions) {
    const [firstOption, secondOption] = options;
    if (
      firstOption === undefined ||
      secondOption === undefined ||
      firstOption.strength >= 0.97 ||
      secondOption.strength < firstOption.strength * 0.9
    )
      continue;
    if (usedColumns.has(firstOption.column))
      sentences.push(
        `${nameOf(profile, firstOption.column)} was taken; ${nameOf(profile, secondOption.column)} fits the words too.`,
      );
    break;
  }
  const time = plan.groups.find(({ column }) => profile.columns[column]?.type === 'datetime');
  const times = profile.columns.filter(({ type }) => type === 'datetime').length;
  const isMentioned = (column: number): boolean =>
    reading.mentions.some(({ options }) => options.some((option) => option.column === column));
  if (time !== undefined && times > 1 && !isMentioned(time.column) && (reading.hints.get(time.column) ?? 0) === 0) {
    sentences.push(`${nameOf(profile, time.column)} was taken as the date.`);
  }
  const conditions = reading.mentions.filter(
    ({ filtered, options }) => filtered && options[0] !== undefined && !usedColumns.has(options[0].column),
  );
  const statedRanges = mergeRanges(reading.filters).filter(
    (range) =>
      reading.words
        .slice(range.start, range.end)
        .some(({ kind, capital }) => kind === 'number' || kind === 'quoted' || capital === true) ||
      conditions.some(({ start, end }) => start < range.end && range.start < end),
  );
  if (statedRanges.length > 0) {
    const columnNames = [...new Set(conditions.map(({ options }) => nameOf(profile, options[0]?.column ?? -1)))];
    const onColumns = columnNames.length > 0 ? ` on ${columnNames.join(' and ')}` : '';
    const quotes = statedRanges.map((range) => `“${quote(reading.words, range)}”`).join(', ');
    sentences.push(`A condition${onColumns} is not part of a chart: add it as a filter (${quotes}).`);
  }
  const ignored = unapplied(profile, reading).map((range) => `“${quote(reading.words, range)}”`);
  if (ignored.length > 0)
    sentences.push(
      `${[...new Set(ignored)].slice(0, 4).join(', ')} was left out: it names no column. If it is a value, add it as a filter.`,
    );
  const hasUnknownGroup = unknownGroup(reading);
  if (hasUnknownGroup && spokenMentions.length > 0)
    sentences.push('Something the question groups by is no column of this dataset.');
  return sentences.length === 0 ? null : [...new Set(sentences)].join(' ');
}

/** Merges ranges of words that overlap or are adjacent. */
function mergeRanges(ranges: readonly WordRange[]): readonly WordRange[] {
  const result: WordRange[] = [];
  for (const range of ranges.toSorted((left, right) => left.start - right.start)) {
    const lastRange = result.at(-1);
    if (lastRange !== undefined && range.start <= lastRange.end)
      result[result.length - 1] = { start: lastRange.start, end: Math.max(lastRange.end, range.end) };
    else result.push(range);
  }
  return result;
}

/** True if a word after "by" or "per" matches nothing in the dataset. */
function unknownGroup(reading: QuestionReading): boolean {
  return reading.words.some((word, at) => {
    const wordBefore = reading.words[at - 1]?.text;
    if (word.kind !== 'word' || (wordBefore !== 'by' && wordBefore !== 'per') || stopWords.has(word.text)) return false;
    const within = (range: { start: number; end: number }): boolean => at >= range.start - 1 && at < range.end + 2;
    const knownRanges = [
      ...reading.mentions,
      ...reading.filters,
      ...reading.chart.taken,
      ...(reading.sort === null ? [] : [reading.sort.taken]),
      ...(reading.grain === null ? [] : [reading.grain.unit]),
    ];
    return !knownRanges.some(within);
  });
}
