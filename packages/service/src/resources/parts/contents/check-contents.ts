import { filledText, filterTerms, isObject, listOr, objectOr, textOr, type Json } from '@inlay/contract';
import type { Caller } from '../../../access/caller.ts';
import { withItemDefaults } from '../../../dashboards/stored-items/shown-items.ts';
import { isTooLarge } from '../../../dashboards/stored-items/stored-item.ts';
import type { Rule } from '../../../resource/rules.ts';
import { membersOf, type Warning } from '../../../resource/warnings.ts';
import type { Reader } from '../../../store/store.ts';
import { column } from '../../column.ts';
import { formula } from '../../formula.ts';
import { theme } from '../../theme.ts';
import { entriesIn, faultsOfEntry, formulaColumns, type PlacedEntry } from './entries.ts';
import { faultsOfFilter, filtersIn, type PlacedFilter } from './filters.ts';
import { idleFilters } from './reach.ts';
import { knownRecords, type NamedRecords } from './known.ts';
import { unknownThemes } from './themes.ts';

/** More is not checked: no item beyond them opens rows. */
const mostFilters = 5000;
/** Characters of all formulas, and of all filters; planning takes as long as they are many. */
const mostCharacters = 300_000;

/** Those of the first that are not too long together. */
function within<One>(all: readonly One[], lengthOf: (one: One) => number): readonly One[] {
  let left = mostCharacters;
  return all.filter((one) => (left -= lengthOf(one)) >= 0);
}

function namedIn(entries: readonly PlacedEntry[], filters: readonly PlacedFilter[]): NamedRecords {
  const terms = filters.map(({ filter }) => filterTerms(objectOr(filter)));
  const textsOf = (values: readonly (Json | undefined)[]): readonly string[] =>
    values.flatMap((one) => filledText(one) ?? []);
  return {
    datasets: textsOf([...entries.map(({ entry }) => entry['datasetId']), ...terms.map((one) => one.datasetId)]),
    columns: [
      ...textsOf([...entries.map(({ entry }) => entry['columnId']), ...terms.map((one) => one.columnId)]),
      ...entries.flatMap(formulaColumns),
    ],
  };
}

/** What an entry says beside its looks: alike entries are checked once. */
const meaningOf = ({ type, rule, entry: { label: _label, format: _format, id: _id, ...rest } }: PlacedEntry): string =>
  JSON.stringify([type, rule.name, rest]);

/** What queries of items and filters would be refused for. */
async function queryWarnings(reader: Reader, caller: Caller, contents: Json, nowMs: number) {
  const whole = await withItemDefaults(reader, caller, { column, formula }, contents);
  const views = listOr(objectOr(whole)['views']).map(objectOr);
  const placeOf = (index: number): string => `properties.contents.views[${index}]`;
  const entries = views.flatMap(({ items }, index) => entriesIn(items, `${placeOf(index)}.items`));
  const filters = views
    .flatMap(({ filterGroups }, index) => filtersIn(filterGroups, `${placeOf(index)}.filterGroups`))
    .slice(0, mostFilters);
  if (entries.length + filters.length === 0) return [];
  const known = await knownRecords(reader, caller, column, namedIn(entries, filters));
  const checked = new Map<string, readonly Warning[]>();
  const ofEntry = (placed: PlacedEntry): readonly Warning[] => {
    const key = meaningOf(placed);
    const found = checked.get(key) ?? faultsOfEntry({ ...placed, path: '' }, known, nowMs);
    checked.set(key, found);
    return found.map((one) => ({ ...one, path: `${placed.path}${one.path}` }));
  };
  const short = within(entries, ({ entry }) => textOr(entry['formula'], '').length);
  const few = within(filters, ({ filter }) => JSON.stringify(filter).length);
  return [
    ...short.flatMap(ofEntry),
    ...few.flatMap((one) => faultsOfFilter(one, known, nowMs)),
    ...views.flatMap((view, index) => idleFilters(view, placeOf(index), known)),
  ];
}

export const checkQueries: Rule = {
  name: 'check-contents',
  on: ['create', 'update'],
  description:
    'The response to a write of contents warns of filters, formulas and columns that a query would refuse, and of themes that are not there.',
  afterwards: true,
  run: async ({ caller, sent, after, now }, { transaction }) => {
    const contents: Json = after['contents'] ?? null;
    if (caller === null || after['type'] !== 'dashboard' || sent['contents'] === undefined) return undefined;
    if (!isObject(contents) || isTooLarge(contents)) return undefined;
    const warnings = [
      ...(await queryWarnings(transaction, caller, contents, Date.parse(now))),
      ...(await unknownThemes(transaction, caller, theme, contents)),
    ];
    return warnings.length === 0 ? undefined : { shown: membersOf(warnings) };
  },
};
