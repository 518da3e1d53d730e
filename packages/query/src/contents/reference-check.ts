import {
  filledText,
  filterTerms,
  listOr,
  objectOr,
  placedGroups,
  textOr,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import { entriesIn, entryWarnings, formulaColumns, type PlacedEntry } from './entries.ts';
import { filterWarnings, filtersIn, type PlacedFilter } from './filters.ts';
import { idleFilters } from './idle-filters.ts';
import type { KnownRecords, ReferenceWarning } from './known-records.ts';

/** Filters beyond this number are not checked. An item with that many filters returns no rows. */
const maxFilters = 5000;
/** Maximum number of characters of all checked formulas, and of all checked filters. Planning them costs time. */
const maxCharacters = 300_000;

/** The ids of datasets and columns that contents reference. */
export interface NamedRecords {
  readonly datasets: readonly string[];
  readonly columns: readonly string[];
}

/** Returns the first entries, as many as have a total length within the limit. */
function within<One>(entries: readonly One[], lengthOf: (one: One) => number): readonly One[] {
  let remaining = maxCharacters;
  return entries.filter((entry) => (remaining -= lengthOf(entry)) >= 0);
}

const textsOf = (values: readonly (Json | undefined)[]): readonly string[] =>
  values.flatMap((value) => filledText(value) ?? []);

/** Returns the same key for equal entries, so that each is checked only once. */
const keyOf = ({
  type,
  rule,
  entry: { label: _label, format: _format, id: _id, ...otherMembers },
}: PlacedEntry): string => JSON.stringify([type, rule.name, otherMembers]);

/** Checks the columns and datasets that contents reference. Pure: the records are passed in. */
export class ReferenceCheck {
  readonly #views: readonly { readonly view: JsonObject; readonly path: string }[];
  readonly #entries: readonly PlacedEntry[];
  readonly #filters: readonly PlacedFilter[];

  /** `path` is the path of the contents in the request. */
  constructor(contents: Json, path: string) {
    this.#views = listOr(objectOr(contents)['views']).map((view, index) => ({
      view: objectOr(view),
      path: `${path}.views[${index}]`,
    }));
    this.#entries = this.#views.flatMap((view) => entriesIn(view.view['items'], `${view.path}.items`));
    this.#filters = this.#views
      .flatMap(({ view, path: at }) =>
        placedGroups(view).map(({ path: inner, group }) => ({ path: `${at}.${inner}`, group })),
      )
      .flatMap((placedGroup) => filtersIn(placedGroup))
      .slice(0, maxFilters);
  }

  /** The records to load for `warnings`; null if contents reference nothing. */
  get named(): NamedRecords | null {
    if (this.#entries.length + this.#filters.length === 0) return null;
    const entries = this.#entries.map(({ entry }) => entry);
    const terms = this.#filters.map(({ filter }) => filterTerms(objectOr(filter)));
    return {
      datasets: textsOf([...entries, ...terms].map(({ datasetId }) => datasetId)),
      columns: [
        ...textsOf([...entries, ...terms].map(({ columnId }) => columnId)),
        ...this.#entries.flatMap(formulaColumns),
      ],
    };
  }

  /**
   * Warns about entries and filters that make queries fail, and about filters without effect.
   * specification/dashboards#warnings
   */
  warnings(records: KnownRecords, nowMs: number): readonly ReferenceWarning[] {
    const warningsByKey = new Map<string, readonly ReferenceWarning[]>();
    const ofEntry = (placedEntry: PlacedEntry): readonly ReferenceWarning[] => {
      const key = keyOf(placedEntry);
      const warnings = warningsByKey.get(key) ?? entryWarnings({ ...placedEntry, path: '' }, records, nowMs);
      warningsByKey.set(key, warnings);
      return warnings.map((warning) => ({ ...warning, path: `${placedEntry.path}${warning.path}` }));
    };
    const entries = within(this.#entries, ({ entry }) => textOr(entry['formula'], '').length);
    const filters = within(this.#filters, ({ filter }) => JSON.stringify(filter).length);
    return [
      ...entries.flatMap(ofEntry),
      ...filters.flatMap((filter) => filterWarnings(filter, records, nowMs)),
      ...this.#views.flatMap(({ view, path }) => idleFilters(view, path, records)),
    ];
  }
}
