import type { Json } from '@inlay/contract';
import { html, nothing, type TemplateResult } from 'lit';
import type { Control, Look } from '../../charts/drawing/chart.ts';
import { conditionOfChoice, conditionOfRange } from '../../marks.ts';
import type { FilterSelection } from '../../filter-selection.ts';
import type { Condition } from '../../filters.ts';

/** What other items are narrowed by. */
function conditionOf(control: Control, chosen: FilterSelection): Condition | null {
  if (control.field === null) return null;
  if (control.kind === 'range') return conditionOfRange(control.field, control.datetime, chosen.from, chosen.to);
  const cells: readonly Json[] = control.options.filter(({ key }) => chosen.keys.includes(key)).map(({ cell }) => cell);
  return conditionOfChoice(control.field, cells);
}

type Change = (chosen: FilterSelection) => void;

function choiceView(
  control: Extract<Control, { kind: 'choice' }>,
  chosen: FilterSelection,
  look: Pick<Look, 'words'>,
  name: string,
  change: Change,
): TemplateResult {
  const wanted = chosen.search.toLocaleLowerCase();
  const shown = control.options.filter(({ text }) => wanted === '' || text.toLocaleLowerCase().includes(wanted));
  const toggle = (key: string, on: boolean): void => {
    const others = control.many ? chosen.keys.filter((one) => one !== key) : [];
    change({ ...chosen, keys: on ? [...others, key] : others });
  };
  return html`
    ${
      control.options.length > 8
        ? html`<input
            type="search"
            aria-label=${look.words.search}
            placeholder=${look.words.search}
            .value=${chosen.search}
            @input=${(event: InputEvent) => change({ ...chosen, search: valueOf(event) })}
          />`
        : nothing
    }
    <ul class="choice" aria-label=${name}>
      ${shown.slice(0, 500).map(
        ({ key, text, measure, share }) =>
          html`<li>
            <label>
              ${share === null ? nothing : html`<span class="share" .style=${`width:${(share * 100).toFixed(1)}%`}></span>`}
              <input
                type="checkbox"
                .checked=${chosen.keys.includes(key)}
                ?disabled=${control.field !== null && control.field.part !== null}
                @change=${(event: Event) => toggle(key, event.target instanceof HTMLInputElement && event.target.checked)}
              />
              <span class="text">${text}</span
              >${measure === null ? nothing : html`<span class="number">${measure}</span>`}
            </label>
          </li>`,
      )}
    </ul>
    ${shown.length > 500 ? html`<p class="note">${look.words.truncated}</p>` : nothing}
  `;
}

const valueOf = (event: Event): string => (event.target instanceof HTMLInputElement ? event.target.value : '');
const dayMs = 86_400_000;
const day = (at: number | null): string => (at === null ? '' : new Date(at).toISOString().slice(0, 10));

function rangeView(
  control: Extract<Control, { kind: 'range' }>,
  chosen: FilterSelection,
  look: Pick<Look, 'words' | 'formats'>,
  change: Change,
): TemplateResult {
  const { least, most, datetime } = control;
  const read = (text: string, end: boolean): number | null => {
    if (text === '') return null;
    const at = datetime ? Date.parse(`${text}T00:00:00.000Z`) + (end ? dayMs - 1 : 0) : Number(text);
    return Number.isFinite(at) ? at : null;
  };
  const written = (at: number | null): string => (datetime ? day(at) : at === null ? '' : String(at));
  const bound = (end: boolean): TemplateResult => {
    const label = end ? look.words.to : look.words.from;
    const held = end ? chosen.to : chosen.from;
    return html`<label
      >${label}
      <input
        type=${datetime ? 'date' : 'number'}
        step="any"
        min=${written(least)}
        max=${written(most)}
        placeholder=${written(end ? most : least)}
        .value=${written(held)}
        @change=${(event: Event) => change({ ...chosen, [end ? 'to' : 'from']: read(valueOf(event), end) })}
      />
    </label>`;
  };
  const at = (end: boolean): number | null => (end ? chosen.to : chosen.from) ?? (end ? most : least);
  const thumb = (end: boolean): TemplateResult =>
    html`<input
      type="range"
      aria-label=${end ? look.words.to : look.words.from}
      min=${least ?? 0}
      max=${most ?? 0}
      step="any"
      .value=${String(at(end))}
      aria-valuetext=${look.formats.number(at(end) ?? 0)}
      @change=${(event: Event) => change({ ...chosen, [end ? 'to' : 'from']: Number(valueOf(event)) })}
    />`;
  const slide = (from: number, to: number): TemplateResult => {
    const share = (value: number): number => Math.min(1, Math.max(0, (value - from) / (to - from))) * 100;
    const ends = `${share(at(false) ?? from)}% ${100 - share(at(true) ?? to)}%`;
    return html`<div class="slide">
      <span></span><span class="span" .style=${`inset-inline:${ends}`}></span>${thumb(false)}${thumb(true)}
    </div>`;
  };
  const slides = !datetime && least !== null && most !== null && least < most;
  return html`<div class="range">${bound(false)}${bound(true)}${slides ? slide(least, most) : nothing}</div>
    <p class="note"><bdi>${control.leastText}</bdi> – <bdi>${control.mostText}</bdi></p>`;
}

/** A filter in the page; `change` is told what a viewer sets, and what other items are then narrowed by: undefined where they stay as they are. */
export const controlView = (
  control: Control,
  chosen: FilterSelection,
  look: Pick<Look, 'words' | 'formats'>,
  name: string,
  told: (chosen: FilterSelection, condition: Condition | null | undefined) => void,
): TemplateResult => {
  const change: Change = (next) => {
    // Words to search by change what is shown, and not what is chosen.
    const unshown = chosen.unshown && next.search !== chosen.search;
    told({ ...next, unshown }, unshown ? undefined : conditionOf(control, next));
  };
  return control.kind === 'range'
    ? rangeView(control, chosen, look, change)
    : choiceView(control, chosen, look, name, change);
};
