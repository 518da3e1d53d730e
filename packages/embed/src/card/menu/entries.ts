import {
  exportFormats,
  filledText,
  isObject,
  listOr,
  member,
  type ExportFormat,
  type Item,
  type JsonObject,
  inLanguage,
} from '@inlay/contract';
import { menuWordsFor } from '../../locale/menu-words.ts';
import type { Words } from '../../locale/words.ts';
import type { ShownData } from '../shown.ts';
import { tabSeparated } from './tab-separated.ts';

export interface MenuState {
  readonly item: Item;
  /** Options of the item's view. */
  readonly options: JsonObject;
  readonly isStored: boolean;
  readonly name: string;
  readonly description: string;
  /** True if the table is shown instead of the chart; null if the viewer cannot switch between them. */
  readonly asTable: boolean | null;
  /** Names of the members that the viewer drilled into, outermost first. */
  readonly path: readonly string[];
  readonly words: Words;
  readonly locale: string;
  readonly rightToLeft: boolean;
  readonly card: HTMLElement;
  readonly data: () => ShownData | null;
  readonly turn: () => void;
  readonly up: () => void;
  /** Exports a file. Calls `failed` if the export fails. */
  readonly save: (format: ExportFormat, failed: () => void) => void;
  readonly act: (action: string) => void;
}

/** A menu entry. `choose` can show the viewer a message about its outcome by `tell`. */
export interface MenuEntry {
  readonly text: string;
  /** Accessible name. By default it is `text`. */
  readonly label?: string;
  readonly choose: (tell: (text: string) => void) => void;
}

/** Entries of a menu. They are in a row if the group has a heading, otherwise in a column. */
export interface MenuGroup {
  readonly heading: string;
  readonly entries: readonly MenuEntry[];
}

async function copyRows({ data, locale }: MenuState, tell: (text: string) => void): Promise<void> {
  const cardData = data();
  const { copied, copyFailed } = menuWordsFor(locale);
  try {
    if (cardData === null) return;
    await navigator.clipboard.writeText(tabSeparated(cardData.columns, cardData.texts));
    tell(copied);
  } catch {
    tell(copyFailed);
  }
}

/**
 * Returns the export formats that the item sets, or else those that the view sets. By default, all formats are
 * available.
 */
function formatsOf({ item, options, isStored }: MenuState): readonly ExportFormat[] {
  if (!isStored) return [];
  const allowedFormats = member(item.options, 'exports') ?? member(options, 'exports') ?? null;
  return allowedFormats === null
    ? exportFormats
    : exportFormats.filter((format) => listOr(allowedFormats).includes(format));
}

const fullScreenEntry = ({ card, locale }: MenuState): MenuEntry => {
  const { fullScreen, leaveFullScreen } = menuWordsFor(locale);
  return card.matches(':fullscreen')
    ? { text: leaveFullScreen, choose: () => void document.exitFullscreen() }
    : { text: fullScreen, choose: () => void card.requestFullscreen().catch(() => undefined) };
};

/** Entries that the page adds through the option `actions`. */
const actionsOf = ({ item, locale, act }: MenuState): readonly MenuEntry[] =>
  listOr(member(item.options, 'actions')).flatMap((action) => {
    const id = isObject(action) ? filledText(member(action, 'id')) : null;
    return isObject(action) && id !== null
      ? [{ text: inLanguage(member(action, 'label'), locale) || id, choose: () => act(id) }]
      : [];
  });

export function menuGroups(state: MenuState): readonly MenuGroup[] {
  const { asTable, path, words, locale, turn, up, save } = state;
  const { copy, exportAs, exportFailed } = menuWordsFor(locale);
  const entries: readonly (readonly [boolean, () => MenuEntry])[] = [
    [asTable !== null, () => ({ text: asTable === true ? words.showChart : words.showTable, choose: turn })],
    [path.length > 0, () => ({ text: `${words.drillUp}: ${path.join(' › ')}`, choose: up })],
    // Browsers disable the clipboard outside of secure contexts.
    ['clipboard' in navigator, () => ({ text: copy, choose: (tell) => void copyRows(state, tell) })],
    [document.fullscreenEnabled, () => fullScreenEntry(state)],
  ];
  const formats = formatsOf(state).map((format): MenuEntry => {
    const text = format.toUpperCase();
    return { text, label: `${exportAs} ${text}`, choose: (tell) => save(format, () => tell(exportFailed)) };
  });
  return [
    { heading: '', entries: entries.flatMap(([isThere, entry]) => (isThere ? [entry()] : [])) },
    { heading: exportAs, entries: formats },
    { heading: '', entries: actionsOf(state) },
  ].filter((group) => group.entries.length > 0);
}
