import { html, type TemplateResult } from 'lit';
import type { Content } from '../../charts/frame/chart.ts';

type Tabs = Extract<Content, { kind: 'tabs' }>['tabs'];

/** Which tab is chosen, and how another one is. */
export interface TabActions {
  readonly name: string;
  /** Id of the chosen tab; the first one is where there is none of it. */
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
}

/** The tab to which a key leads from another one; null where it leads to none. */
function placeAfterKey(key: string, place: number, count: number, rightToLeft: boolean): number | null {
  const forward = rightToLeft ? -1 : 1;
  const places: Readonly<Record<string, number>> = {
    ArrowRight: place + forward,
    ArrowLeft: place - forward,
    Home: 0,
    End: count - 1,
  };
  const found = Object.hasOwn(places, key) ? places[key] : undefined;
  return found === undefined ? null : (found + count) % count;
}

/** Tabs beside each other, of which one is chosen. */
export function tabsView(tabs: Tabs, { name, chosen, choose }: TabActions): TemplateResult {
  const open = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  const keyed = (event: KeyboardEvent): void => {
    const list = event.currentTarget;
    if (!(list instanceof HTMLElement) || open === undefined) return;
    const rightToLeft = getComputedStyle(list).direction === 'rtl';
    const place = placeAfterKey(event.key, tabs.indexOf(open), tabs.length, rightToLeft);
    const tab = place === null ? undefined : tabs[place];
    if (place === null || tab === undefined) return;
    event.preventDefault();
    choose(tab.id);
    list.querySelectorAll<HTMLElement>('[role="tab"]')[place]?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${name || 'Tabs'} @keydown=${keyed}>
    ${tabs.map(
      (tab) =>
        html`<button
          type="button"
          role="tab"
          aria-selected=${String(tab === open)}
          tabindex=${tab === open ? '0' : '-1'}
          @click=${() => choose(tab.id)}
        >
          ${tab.title}
        </button>`,
    )}
  </div>`;
}
