import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Mark } from '../charts/frame/mark.ts';
import type { Step } from '@inlay/contract';
import { stepInto } from '../marks.ts';
import type { Words } from '../locale/words.ts';

export interface Head {
  readonly name: string;
  /** Description of the item; may be empty. */
  readonly description: string;
  /** Heading level of the title. */
  readonly level: 2 | 3;
  readonly words: Words;
  readonly chosen: Mark | null;
  readonly path: readonly Step[];
  /** True if the item is a filter and has a selection. */
  readonly isSet: boolean;
  readonly isDrawn: boolean;
  readonly asTable: boolean;
  readonly hasMenu: boolean;
}

export interface HeadActions {
  readonly choose: (mark: Mark, opened: boolean) => void;
  readonly up: () => void;
  readonly clear: () => void;
  /** Switches between chart and table. */
  readonly turn: () => void;
  readonly menu: (event: Event) => void;
}

/** Renders the selection of an item with a button that clears it, and a button that drills down if that is possible. */
function choiceView(mark: Mark, words: Words, choose: HeadActions['choose']): TemplateResult {
  const text = mark.cells.map(({ field, cell }) => field.text(cell)).join(' › ');
  const onClick = (opened: boolean) => (): void => choose(mark, opened);
  return html`<button type="button" class="chip" aria-label=${`${words.clear}: ${text}`} @click=${onClick(false)}>
      <span aria-hidden="true">✕</span> ${text}</button
    >${
      stepInto(mark) === null
        ? nothing
        : html`<button
            type="button"
            aria-label=${`${words.drillDown}: ${text}`}
            title=${words.drillDown}
            @click=${onClick(true)}
          >
            <span aria-hidden="true">↓</span>
          </button>`
    }`;
}

function upView(path: readonly Step[], words: Words, drillUp: () => void): TemplateResult {
  const text = path.map((step) => step.text).join(' › ');
  return html`<button type="button" aria-label=${`${words.drillUp}: ${text}`} title=${words.drillUp} @click=${drillUp}>
    <span aria-hidden="true">↑</span> ${text}
  </button>`;
}

const icon = (path: string): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${svg`<path d=${path}></path>`}</svg>`;
const tableIcon = icon('M2 3.5h12v9H2zM2 6.5h12M2 9.5h12M6.5 3.5v9');
const menuIcon = html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
  ${[3, 8, 13].map((y) => svg`<circle cx="8" cy=${y} r="0.6"></circle>`)}
</svg>`;
const chartIcon = icon('M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5v-6M13.5 13.5v-11');

/** Opens the menu when its button receives an arrow key. */
function opens(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' || !(event.currentTarget instanceof HTMLElement)) return;
  event.preventDefault();
  event.currentTarget.click();
}

export function headView(
  { name, description, level, words, chosen, path, isSet, isDrawn, asTable, hasMenu }: Head,
  actions: HeadActions,
): TemplateResult {
  const table = asTable ? words.showChart : words.showTable;
  return html`<header>
    ${level === 2 ? html`<h2 title=${name}>${name}</h2>` : html`<h3 title=${name}>${name}</h3>`}
    ${description === '' ? nothing : html`<span class="about" role="note" tabindex="0" aria-label=${description} title=${description}>?</span>`}
    ${chosen === null ? nothing : choiceView(chosen, words, actions.choose)}
    ${path.length === 0 ? nothing : upView(path, words, actions.up)}
    ${
      isSet
        ? html`<button type="button" aria-label=${`${words.clear}: ${name}`} @click=${actions.clear}>
            ${words.clear}
          </button>`
        : nothing
    }
    ${
      isDrawn
        ? html`<button type="button" class="quiet" aria-label=${table} title=${table} @click=${actions.turn}>
            ${asTable ? chartIcon : tableIcon}
          </button>`
        : nothing
    }
    ${
      hasMenu
        ? html`<button
            type="button"
            class="quiet more"
            aria-haspopup="menu"
            aria-expanded="false"
            aria-label=${`${words.menu}: ${name}`}
            title=${words.menu}
            @click=${actions.menu}
            @keydown=${opens}
          >
            ${menuIcon}
          </button>`
        : nothing
    }
  </header>`;
}
