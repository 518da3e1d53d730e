import { html, nothing, type TemplateResult } from 'lit';
import type { Mark } from '../../charts/drawing/chart.ts';
import { stepInto, type Step } from '../../drill.ts';
import type { Words } from '../../locale/words.ts';

/** What stands above an item. */
export interface Head {
  readonly name: string;
  /** Level of the heading that it is. */
  readonly level: 2 | 3;
  readonly words: Words;
  readonly chosen: Mark | null;
  readonly path: readonly Step[];
  /** A filter in which something is chosen. */
  readonly isSet: boolean;
  readonly isDrawn: boolean;
  readonly asTable: boolean;
}

/** What its buttons do. */
export interface HeadActions {
  readonly choose: (mark: Mark, open: boolean) => void;
  readonly up: () => void;
  readonly clear: () => void;
  /** From the chart to the table behind it, and back. */
  readonly turn: () => void;
}

/** What is chosen in an item: to take it back, and to go a level down where there is one. */
function choiceView(mark: Mark, words: Words, choose: HeadActions['choose']): TemplateResult {
  const text = mark.cells.map(({ field, cell }) => field.text(cell)).join(' › ');
  const again = (open: boolean) => (): void => choose(mark, open);
  return html`<button type="button" class="chip" aria-label=${`${words.clear}: ${text}`} @click=${again(false)}>
      <span aria-hidden="true">✕</span> ${text}</button
    >${
      stepInto(mark) === null
        ? nothing
        : html`<button
            type="button"
            aria-label=${`${words.drillDown}: ${text}`}
            title=${words.drillDown}
            @click=${again(true)}
          >
            <span aria-hidden="true">↓</span>
          </button>`
    }`;
}

function upView(path: readonly Step[], words: Words, up: () => void): TemplateResult {
  const text = path.map((step) => step.text).join(' › ');
  return html`<button type="button" aria-label=${`${words.drillUp}: ${text}`} title=${words.drillUp} @click=${up}>
    <span aria-hidden="true">↑</span> ${text}
  </button>`;
}

/** The title of an item and the buttons beside it. */
export function headView(
  { name, level, words, chosen, path, isSet, isDrawn, asTable }: Head,
  actions: HeadActions,
): TemplateResult {
  const table = asTable ? words.showChart : words.showTable;
  return html`<header>
    ${level === 2 ? html`<h2 title=${name}>${name}</h2>` : html`<h3 title=${name}>${name}</h3>`}
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
        ? html`<button type="button" aria-label=${table} title=${table} @click=${actions.turn}>
            <span aria-hidden="true">${asTable ? '◔' : '▤'}</span>
          </button>`
        : nothing
    }
  </header>`;
}
