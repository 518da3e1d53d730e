import { inLanguage, isContentType, isFilterType } from '@inlay/contract';
import type { Chart } from '../../charts/index.ts';
import { valuesOf } from '../../marks.ts';
import { dataOf } from '../shown.ts';
import type { CardEvent } from '../card-events.ts';
import type { CardModel } from '../card-model.ts';
import type { MenuState } from './entries.ts';
import type { ItemMenu } from './menu.ts';

export interface MenuCard extends HTMLElement {
  readonly model: CardModel;
  readonly chart: Chart | null;
  readonly asTable: boolean;
}

export interface MenuActions {
  readonly turn: () => void;
  readonly tell: (event: CardEvent) => void;
  /** Called if the menu's code fails to load. */
  readonly failed: () => void;
}

/** The menu of a card, loaded on demand. */
export class CardMenu {
  readonly #card: MenuCard;
  readonly #actions: MenuActions;
  #menu: ItemMenu | null = null;

  constructor(card: MenuCard, actions: MenuActions) {
    this.#card = card;
    this.#actions = actions;
  }

  /**
   * True if the card has a menu. Cards with rows have one unless an option disables it. Filters and content such as
   * texts have none.
   */
  isThere(): boolean {
    const { model, chart } = this.#card;
    const { item, options, answer } = model;
    return (
      (item.options['menu'] ?? options['menu']) !== false &&
      chart !== null &&
      answer.kind === 'rows' &&
      !isFilterType(item.type) &&
      !isContentType(item.type)
    );
  }

  readonly open = async ({ currentTarget }: Event): Promise<void> => {
    const root = this.#card.shadowRoot;
    // Once the menu is loaded, the browser opens it as the popover of the button.
    if (root === null || !(currentTarget instanceof HTMLButtonElement) || currentTarget.popoverTargetElement !== null)
      return;
    try {
      const { ItemMenu } = await import('./menu.ts');
      this.#menu ??= new ItemMenu(root, () => this.#state());
      this.#menu.open(currentTarget);
    } catch {
      this.#actions.failed();
    }
  };

  #state(): MenuState {
    const { model, chart, asTable } = this.#card;
    const { item, options, isStored, renderContext, answer, path, chosen } = model;
    const { id } = item;
    const { locale } = renderContext.formats;
    const { turn, tell } = this.#actions;
    return {
      item,
      options,
      isStored,
      locale,
      card: this.#card,
      words: renderContext.words,
      rightToLeft: renderContext.rightToLeft,
      name: inLanguage(item.title, locale) || item.type,
      description: inLanguage(item.options['description'], locale),
      asTable: chart?.kind === 'drawn' ? asTable : null,
      path: path.map(({ text }) => text),
      turn,
      data: () => (answer.kind === 'rows' ? dataOf(item, answer, renderContext) : null),
      up: () => tell({ kind: 'up', id }),
      save: (format, failed) => tell({ kind: 'export', id, format, failed }),
      act: (action) => tell({ kind: 'action', told: { id, action, values: valuesOf(chosen ?? { cells: [] }) } }),
    };
  }
}
