import { html, nothing, type TemplateResult } from 'lit';
import type { Legend, LegendEntry } from '../../charts/frame/chart.ts';
import type { Words } from '../../locale/words.ts';

/** If a legend has more entries, it gets a search field. */
const searchedAbove = 12;

export interface LegendState {
  readonly hidden: ReadonlySet<string>;
  readonly search: string;
}

const patternOf = ({ pattern }: LegendEntry): string => (pattern === null ? '' : ` pattern p${pattern % 6}`);

/** Renders a legend. A click on an entry hides or shows its marks. */
function legendView(
  { entries }: Legend,
  state: LegendState,
  words: Words,
  onChange: (state: LegendState) => void,
): TemplateResult {
  const { hidden, search } = state;
  const query = search.toLocaleLowerCase();
  const toggled = (name: string): ReadonlySet<string> =>
    new Set(hidden.has(name) ? [...hidden].filter((hiddenName) => hiddenName !== name) : [...hidden, name]);
  const find = ({ target }: Event): void =>
    onChange({ hidden, search: target instanceof HTMLInputElement ? target.value : '' });
  return html`<div class="legend">
    ${
      entries.length > searchedAbove
        ? html`<input
            type="search"
            aria-label=${words.search}
            placeholder=${words.search}
            .value=${search}
            @input=${find}
          />`
        : nothing
    }
    <ul>
      ${entries
        .filter(({ text }) => query === '' || text.toLocaleLowerCase().includes(query))
        .slice(0, 200)
        .map(
          (entry) =>
            html`<li>
              <button
                type="button"
                aria-pressed=${String(!hidden.has(entry.name))}
                title=${entry.text}
                @click=${() => onChange({ hidden: toggled(entry.name), search })}
              >
                <span class=${`swatch${patternOf(entry)}`} .style=${`--color:${entry.color}`}></span
                ><span class="text">${entry.text}</span
                >${entry.note === '' ? nothing : html`<span class="value">${entry.note}</span>`}
              </button>
            </li>`,
        )}
    </ul>
  </div>`;
}

/** Renders a chart's drawing area with its legend. */
export const chartView = (
  legend: Legend | null,
  label: string,
  state: LegendState,
  words: Words,
  onChange: (state: LegendState) => void,
): TemplateResult =>
  html`<div class="chart">
    <div class=${`layout ${legend?.place ?? ''}`}>
      ${legend === null ? nothing : legendView(legend, state, words, onChange)}
      <div class="plot"><div class="canvas" role="img" aria-label=${label}></div></div>
    </div>
  </div>`;
