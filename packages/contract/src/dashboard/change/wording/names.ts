import { filtersWithin, filterTerms } from '../../../filter/terms.ts';
import { declarationOf, isItemType } from '../../../item-types/index.ts';
import { filledText, listOr, objectOr, type Json, type JsonObject } from '../../../json.ts';
import { inLanguage } from '../../../multilingual.ts';
import type { DashboardModel } from '../../model/model.ts';
import { withInner } from '../../model/part.ts';
import type { ChangeWords } from './words.ts';

/** What people call the parts of a dashboard, in one language. */
export class PartNames {
  readonly words: ChangeWords;
  readonly #locale: string;
  readonly #columnName: (columnId: string) => string;

  constructor(words: ChangeWords, locale: string, columnName: (columnId: string) => string) {
    this.words = words;
    this.#locale = locale;
    this.#columnName = columnName;
  }

  /** Returns the title of an item; empty if it has none. */
  title(item: JsonObject): string {
    return inLanguage(item['title'], this.#locale) || inLanguage(objectOr(item['options'])['title'], this.#locale);
  }

  item(item: JsonObject): string {
    const type = filledText(item['type']) ?? '';
    return this.title(item) || this.words[isItemType(type) ? declarationOf(type).kind : 'content'];
  }

  entry(entry: JsonObject): string {
    const columnId = filledText(entry['columnId']) ?? filledText(entry['column']);
    return inLanguage(entry['label'], this.#locale) || this.#knownColumn(columnId) || this.words.column;
  }

  #knownColumn(columnId: string | null): string {
    return columnId === null ? '' : this.#columnName(columnId);
  }

  view({ screenModus }: JsonObject): string {
    if (screenModus === 'desktop' || screenModus === 'tablet' || screenModus === 'mobile')
      return this.words[screenModus];
    return filledText(screenModus) ?? '';
  }

  /**
   * Returns the name of the column that a filter tests: its label, or the heading of the column in a slot. If the filter
   * joins several tests, returns the names of all their columns.
   */
  filterColumn(filter: JsonObject, model: DashboardModel): string {
    const names = filtersWithin(filter).map((inner) => this.#testedColumn(objectOr(inner.filter), model));
    return [...new Set(names)].join(', ') || this.words.column;
  }

  #testedColumn(filter: JsonObject, { root }: DashboardModel): string {
    const { columnId } = filterTerms(filter);
    const ownLabel = inLanguage(objectOr(filter['properties'])['label'], this.#locale);
    const entries = withInner(root).filter(({ kind }) => kind === 'entry');
    const shown = entries.find(
      ({ value }) => columnId !== undefined && (value['columnId'] ?? value['column']) === columnId,
    );
    const known = shown === undefined ? this.#knownColumn(filledText(columnId)) : this.entry(shown.value);
    return ownLabel || known || this.words.column;
  }

  /** The same for a group of one filter; null if it has several. */
  groupColumn(group: JsonObject, model: DashboardModel): string | null {
    const [filter, ...others]: readonly Json[] = listOr(group['filters']);
    const isSingle = filter !== undefined && others.length === 0 && listOr(group['subGroups']).length === 0;
    return isSingle ? this.filterColumn(objectOr(filter), model) : null;
  }
}
