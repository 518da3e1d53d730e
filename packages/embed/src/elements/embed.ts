import {
  type Item,
  type Json,
  type JsonObject,
  parametersOf,
  readCondition,
  writeFilterSets,
  type Condition,
  inLanguage,
} from '@inlay/contract';
import { Failure } from '../transport.ts';
import { loadAppearance, type Appearance } from './appearance.ts';
import { InlayBoard, pageOrigin } from './board.ts';
import type { CardEvents } from './card/card-events.ts';
import type { AccessibleDashboard } from './page/accessible-dashboards.ts';
import { failureOf } from './round.ts';
import type { ShownData } from './shown.ts';

/** What a page may ask of both elements. Whatever is rarely asked is loaded then. */
export abstract class InlayEmbed extends InlayBoard {
  /** Sets filters of the page, in the form of a dashboard's; they narrow each item over their dataset, beside all others. An empty list takes them away. */
  setFilters(filters: readonly Json[]): void {
    this.narrow(pageOrigin, this.#read(filters));
  }

  /** Adds filters to those that the page set before; what is shown only becomes narrower. */
  addFilters(filters: readonly Json[]): void {
    const before = this.sets.find(({ origin }) => origin === pageOrigin)?.conditions ?? [];
    this.narrow(pageOrigin, [...before, ...this.#read(filters)]);
  }

  /** Filters that viewers and the page set, those of the context too, in the form that `setFilters` takes; `properties.itemId` names the item with which one was set, of another element behind `context:`. */
  getFilters(): readonly JsonObject[] {
    return writeFilterSets(this.allSets());
  }

  /** Parameter values set by viewers, in any element of the context, keyed by name with `metadata.`; null where cleared. */
  getParameters(): JsonObject {
    return parametersOf(this.allSets());
  }

  /** Selects values in an item (by default the first): for a mark, the `values` of its `clicked` event (`{label or columnId, value}`); for a filter item, its values. An empty list clears the selection. A `parameter-control` ignores values that it does not offer. Resolves to whether anything is selected. */
  async setSelectedData(data: readonly Json[], itemId?: string): Promise<boolean> {
    const item = this.#item(itemId);
    if (item === undefined) return false;
    const { select } = await import('./page/selection.ts');
    return select(item, this.answers.get(item.id), this.look(), data, this.definition, {
      choose: (mark) => this.choose(item.id, mark),
      start: ({ chosen, conditions, parameters }) => {
        this.states.begin(item.id, chosen);
        this.narrow(item.id, conditions, parameters);
      },
    });
  }

  /** Asks for the rows of every item, or of one, again. */
  refresh(itemId?: string): void {
    this.ask(itemId === undefined ? null : [itemId]);
  }

  /** Loads the definition, the theme and the rows again; what viewers chose and the page set is gone. */
  reload(): Promise<void> {
    return this.load();
  }

  /** What an item shows: names of the columns, the rows as texts, and their values; null where it has no rows. */
  getData(itemId?: string): ShownData | null {
    const item = this.#item(itemId);
    const answer = item === undefined ? undefined : this.answers.get(item.id);
    return item === undefined || answer?.kind !== 'rows' ? null : this.cardFile.dataOf(item, answer, this.look());
  }

  /** What is shown, or one item of it, as it is seen, with the filters that are set and the levels that were opened: `svg`, `png`, `pdf`; of an item also `csv` or `xlsx`. Only what is stored in a dashboard. Raises Failure. */
  async exportData(type: string, itemId?: string): Promise<Blob> {
    const { exportedFile } = await import('./page/exported-file.ts');
    return exportedFile(this.transport(), {
      type,
      dashboardId: this.storedIn(),
      itemId: itemId ?? this.exportedItem(),
      theme: this.theme,
      more: {
        screen_mode: this.screen(),
        locale_id: this.viewerLocale(),
        timezone_id: this.timeZone(),
        filters: this.getFilters(),
        parameters: this.getParameters(),
        steps: this.states.written(),
        patterns: this.patterns,
      },
    });
  }

  /** The dashboards that the token may see: `id`, `slug`, and `name` as a text per language. Raises Failure. */
  async accessibleDashboards(): Promise<readonly AccessibleDashboard[]> {
    const { dashboardsFor } = await import('./page/accessible-dashboards.ts');
    return dashboardsFor(this.transport());
  }

  protected override async save({ id, format, failed }: CardEvents['card-export']): Promise<void> {
    try {
      const file = await this.exportData(format, id);
      const { saveFile } = await import('./page/exported-file.ts');
      saveFile(file, `${inLanguage(this.#item(id)?.title, this.viewerLocale()) || id}.${format}`);
    } catch (error) {
      failed();
      this.tellFailure(id, failureOf(error));
    }
  }

  /** Loads what is shown. */
  protected abstract load(): Promise<void>;
  /** The item that is exported where none is named; null for all of them. */
  protected abstract exportedItem(): string | null;
  /** The screen mode in which it is shown. */
  protected abstract screen(): string;

  /** Whether it shows what is stored in a dashboard. */
  protected isNamed(): boolean {
    return this.dashboardId !== '' || this.dashboardSlug !== '';
  }

  protected loadAppearance(isNamed: boolean): Promise<Appearance> {
    const { dashboardId, dashboardSlug } = this;
    return loadAppearance(
      this.transport(),
      isNamed ? { dashboardId, dashboardSlug } : { dashboardId: '', dashboardSlug: '' },
    );
  }

  #item(itemId: string | undefined): Item | undefined {
    return this.items().find(({ id }) => itemId === undefined || id === itemId);
  }

  /** The filters that can be read. One that cannot is told, since without it more is shown than was wanted. */
  #read(filters: readonly Json[]): readonly Condition[] {
    const read = filters.map(readCondition);
    const wrong = read.flatMap((one, index) => (one === null ? [`filters[${index}]`] : []));
    if (wrong.length > 0)
      this.failure(
        new Failure(
          'filter_invalid',
          400,
          'A filter of the page cannot be read.',
          `${wrong.join(', ')}: {expression, parameters: [{dataset_id, column_id}, value]}`,
        ),
      );
    return read.filter((one) => one !== null);
  }
}
