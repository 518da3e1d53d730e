import { filterTerms } from '../../../filter/terms.ts';
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

  constructor(words: ChangeWords, locale: string) {
    this.words = words;
    this.#locale = locale;
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
    return inLanguage(entry['label'], this.#locale) || this.words.column;
  }

  view({ screenModus }: JsonObject): string {
    if (screenModus === 'desktop' || screenModus === 'tablet' || screenModus === 'mobile')
      return this.words[screenModus];
    return filledText(screenModus) ?? '';
  }

  /** Returns the name of the column that a filter tests: its label, or the heading of the column in a slot. */
  filterColumn(filter: JsonObject, { root }: DashboardModel): string {
    const { columnId } = filterTerms(filter);
    const ownLabel = inLanguage(objectOr(filter['properties'])['label'], this.#locale);
    const entries = withInner(root).filter(({ kind }) => kind === 'entry');
    const shown = entries.find(
      ({ value }) => columnId !== undefined && (value['columnId'] ?? value['column']) === columnId,
    );
    return ownLabel || (shown === undefined ? this.words.column : this.entry(shown.value));
  }

  /** The same for a group of one filter; null if it has several. */
  groupColumn(group: JsonObject, model: DashboardModel): string | null {
    const [filter, ...others]: readonly Json[] = listOr(group['filters']);
    const isSingle = filter !== undefined && others.length === 0 && listOr(group['subGroups']).length === 0;
    return isSingle ? this.filterColumn(objectOr(filter), model) : null;
  }
}
