import type { ScreenMode } from '@inlay/contract';
import type { Change, Part } from '@inlay/contract/change';
import { LitElement, type PropertyDeclarations } from 'lit';
import type { Catalogue } from '../data/catalogue.ts';
import { itemPart } from '../edit/changes/view-items.ts';
import type { EditSession } from '../edit/edit-session.ts';
import { itemWordsFor, type ItemWords } from '../words/item-words.ts';
import { TextsController } from '../words/texts-controller.ts';
import type { StudioWords } from '../words/languages/en.ts';
import { studioTexts } from '../words/words.ts';
import { panelStyles } from './styles.ts';

/** What the panels have in common: what they show, and the session on which they carry out edits. */
export abstract class Panel extends LitElement {
  static override properties: PropertyDeclarations = {
    session: { attribute: false },
    catalogue: { attribute: false },
    itemId: { attribute: 'item-id' },
    screen: {},
    locale: {},
    timezone: {},
    editMode: { attribute: 'edit-mode' },
  };
  static override styles = panelStyles;

  /** The dashboard that is edited. */
  declare session: EditSession | null;
  /** The datasets and columns to choose from. */
  declare catalogue: Catalogue | null;
  /** Id of the item that is shown; empty for panels about the whole dashboard. */
  declare itemId: string;
  /** `desktop`, `tablet` or `mobile`. */
  declare screen: ScreenMode;
  /** Language of the panel. */
  declare locale: string;
  /** IANA time zone; by default that of the dashboard. */
  declare timezone: string;
  /** `limited` (only what changes the look) or `full`. */
  declare editMode: string;

  readonly #texts = new TextsController(this, studioTexts);
  #followed: EditSession | null = null;

  constructor() {
    super();
    this.session = null;
    this.catalogue = null;
    this.itemId = '';
    this.screen = 'desktop';
    this.locale = 'en';
    this.timezone = '';
    this.editMode = 'full';
  }

  override willUpdate(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    if (changedProperties.has('session')) this.#follow(this.session);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#follow(null);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#follow(this.session);
  }

  #follow(session: EditSession | null): void {
    this.#followed?.removeEventListener('change', this.#changed);
    this.#followed = session;
    session?.addEventListener('change', this.#changed);
  }

  readonly #changed = (): void => this.requestUpdate();

  protected get words(): StudioWords {
    return this.#texts.in(this.locale);
  }

  protected get itemWords(): ItemWords {
    return itemWordsFor(this.locale);
  }

  /** The item in the contents; null if there is none. */
  protected get item(): Part | null {
    return this.session === null ? null : itemPart(this.session.model, this.screen, this.itemId);
  }

  protected edit(change: Change): void {
    this.session?.edit(change);
  }
}

/** Returns the text of the control that sent an event. */
export const valueOf = ({ target }: Event): string =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
    ? target.value
    : '';
