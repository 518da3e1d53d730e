import { declarationOf, isFilterType, type FilterType, type DataItemType } from '@inlay/contract';
import { hasRole } from './families.ts';
import type { Assumption, Plan } from '../plan.ts';
import { preferredFilters } from './preferences.ts';
import type { Profile } from '../profile.ts';
import type { QuestionReading } from '../read/reading.ts';
import { takesAway } from '../vocabulary/negation.ts';
import type { Word } from '../vocabulary/words.ts';

const filterWords = new Set('filter filters filtre filtres filtern filtro filtros'.split(' '));

/** True for the words of a message that takes filters away. */
export const isRemovalWord = (text: string): boolean => takesAway(text) || filterWords.has(text);

/** True if a message adds values to those of the chart before, as in "also Portugal" and "and Spain". */
export const addsValues = (words: readonly Word[]): boolean =>
  words.some(({ text }) => /^(?:also|and|too|add|plus|include)$/u.test(text)) &&
  !words.some(({ text }) => text === 'only');

/** True if a message takes filters away, as in "drop that filter", in any language of questions. */
export const removesFilters = (typedWords: readonly Word[]): boolean =>
  typedWords.some(({ text }) => takesAway(text)) && typedWords.some(({ text }) => filterWords.has(text));

/** True if the words ask for a filter instead of a chart: "filter on region", "add a date filter". */
export const asksForFilter = (reading: QuestionReading): boolean => {
  const { kind } = reading.chart;
  if (kind?.kind === 'type') return isFilterType(kind.type);
  const text = reading.words.map((word) => word.text).join(' ');
  if (/\bfilters?$/u.test(text) && reading.words.length <= 5) return true;
  return /^(?:please )?(?:(?:add|make|create|give|show|want|need|i want|i need)(?: me)? (?:a |an )?)?filter(?:s|ing)? (?:on|for|by|with|per)\b/u.test(
    text,
  );
};

const isTextFilter = (filter: FilterType): boolean => {
  const declaration = declarationOf(filter);
  return declaration.kind === 'filter' && declaration.filtersBy === 'text';
};

function fits(filter: FilterType, type: string): boolean {
  if (hasRole(filter, 'range')) return type === 'numeric' || type === 'datetime';
  if (hasRole(filter, 'period')) return type === 'datetime';
  return type === 'hierarchy' || (type === 'datetime' && !isTextFilter(filter));
}

/**
 * Returns the usual filter type of a column: a calendar for times, a slider for numbers, and a list for other columns.
 */
function naturally(profile: Profile, column: number): FilterType {
  const profiledColumn = profile.columns[column];
  if (profiledColumn?.type === 'datetime') return preferredFilters.times;
  if (profiledColumn?.type === 'numeric') return preferredFilters.numbers;
  return profiledColumn?.cardinality !== null &&
    profiledColumn?.cardinality !== undefined &&
    profiledColumn.cardinality <= 6
    ? preferredFilters.fewTexts
    : preferredFilters.manyTexts;
}

function columnsSaid(profile: Profile, reading: QuestionReading): readonly number[] {
  const spokenColumns = reading.mentions.flatMap(({ options: [firstOption] }) =>
    firstOption === undefined ? [] : [firstOption.column],
  );
  const hinted = [...reading.hints].filter(([, strength]) => strength > 0.3).sort((left, right) => right[1] - left[1]);
  const candidates = spokenColumns.length > 0 ? spokenColumns : hinted.slice(0, 1).map(([column]) => column);
  return [...new Set(candidates)].filter((column) => {
    const { type, isFormula } = profile.columns[column] ?? {};
    return type !== 'spatial' && isFormula !== true;
  });
}

/**
 * Returns at most three filters that a question can mean, the best first. Without a question (`reading` is null),
 * returns the usual filters to start with. Returns an empty list if no column fits the requested type.
 */
export function chooseFilter(
  profile: Profile,
  reading: QuestionReading | null,
  requestedType: FilterType | null,
): readonly Plan[] {
  const { times, categories, amounts } = profile.ranked();
  const kind = reading?.chart.kind;
  const type = requestedType ?? (kind?.kind === 'type' ? asFilter(kind.type) : null);
  const spokenColumns = reading === null ? [] : columnsSaid(profile, reading);
  const usableColumns = spokenColumns.filter(
    (column) => type === null || fits(type, profile.columns[column]?.type ?? ''),
  );
  const usualColumns = [times[0], categories[0], categories[1], amounts[0]].filter((column) => column !== undefined);
  const order = type !== null && hasRole(type, 'range') ? usualColumns.toReversed() : usualColumns;
  const spareColumns = order.filter((column) => type === null || fits(type, profile.columns[column]?.type ?? ''));
  const [firstColumn] = usableColumns.length > 0 ? usableColumns : spareColumns;
  if (firstColumn === undefined) return [];
  const assumed: readonly Assumption[] =
    usableColumns.length > 0 || reading === null ? [] : [{ kind: 'column', column: firstColumn }];
  const make = (madeType: FilterType, columns: readonly number[], reason: string): Plan => ({
    type: madeType,
    groups: columns.map((column) => ({ column, grain: null })),
    legend: null,
    quantities: [],
    across: null,
    sort: null,
    limit: null,
    conditions: [],
    assumed,
    reasons: [{ rule: reason, weight: 1 }],
  });
  const filterType = type ?? naturally(profile, firstColumn);
  const filterColumns =
    usableColumns.length > 1
      ? usableColumns.filter((column) => fits(filterType, profile.columns[column]?.type ?? ''))
      : [firstColumn];
  const plans = [
    make(
      filterType,
      filterColumns,
      type === null ? 'the filter its values are chosen by best' : 'the filter asked for',
    ),
  ];
  if (type !== null) return plans;
  const { fewTexts, manyTexts } = preferredFilters;
  if (filterType === manyTexts) plans.push(make(fewTexts, filterColumns, 'all values in sight'));
  if (filterType === fewTexts) plans.push(make(manyTexts, filterColumns, 'values in a list'));
  if (usableColumns.length === 0)
    plans.push(
      ...spareColumns
        .slice(1, 3)
        .map((column) => make(naturally(profile, column), [column], 'another column to choose by')),
    );
  return plans.slice(0, 3);
}

const asFilter = (type: DataItemType): FilterType | null => (isFilterType(type) ? type : null);
