import { html, type TemplateResult } from 'lit';
import type { Content } from '../../charts/frame/chart.ts';

type Tabs = Extract<Content, { kind: 'tabs' }>['tabs'];

/** The selected tab, and how to change it. */
export interface TabActions {
  readonly name: string;
  /** Id of the selected tab. If no tab has this id, the first tab is selected. */
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
}

/** Returns the index of the tab that a key moves to; null if the key does not navigate. */
function placeAfterKey(key: string, place: number, count: number, rightToLeft: boolean): number | null {
  const forward = rightToLeft ? -1 : 1;
  const places: Readonly<Record<string, number>> = {
    ArrowRight: place + forward,
    ArrowLeft: place - forward,
    Home: 0,
    End: count - 1,
  };
  const nextPlace = Object.hasOwn(places, key) ? places[key] : undefined;
  return nextPlace === undefined ? null : (nextPlace + count) % count;
}

export function tabsView(tabs: Tabs, { name, chosen, choose }: TabActions): TemplateResult {
  const openTab = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  const keyed = (event: KeyboardEvent): void => {
    const list = event.currentTarget;
    if (!(list instanceof HTMLElement) || openTab === undefined) return;
    const rightToLeft = getComputedStyle(list).direction === 'rtl';
    const place = placeAfterKey(event.key, tabs.indexOf(openTab), tabs.length, rightToLeft);
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
          aria-selected=${String(tab === openTab)}
          tabindex=${tab === openTab ? '0' : '-1'}
          @click=${() => choose(tab.id)}
        >
          ${tab.title}
        </button>`,
    )}
  </div>`;
}
