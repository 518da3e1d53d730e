import {
  type Item,
  type Json,
  type JsonObject,
  choiceOn,
  rangeOn,
  textOn,
  isSet,
  type FilterSelection,
  type Condition,
} from '@inlay/contract';
import { html, nothing, type TemplateResult } from 'lit';
import type { Control, SizedContext, ParameterChart } from '../../charts/frame/chart.ts';
import { chosenText } from '../../chosen-text.ts';
import type { RenderContext } from '../render-context.ts';
import { valueOf, type ControlPart } from '../controls/index.ts';

export { defineControls } from '../controls/index.ts';

/** Returns the condition that a selection sets for the other items; null if it sets none. */
function conditionOf(control: Control, selection: FilterSelection): Condition | null {
  if (control.field === null) return null;
  if (control.kind === 'range') {
    const condition = rangeOn(control.field.placed.content, control.datetime, selection.from, selection.to);
    const { comparison } = control;
    return condition === null || comparison === undefined
      ? condition
      : { ...condition, compareWith: selection.compareWith ?? comparison };
  }
  if (control.kind === 'text') return textOn(control.field.placed.content, selection.text);
  const keys = new Set(selection.keys);
  const cells: readonly Json[] = control.options.filter(({ key }) => keys.has(key)).map(({ cell }) => cell);
  return choiceOn(control.field.placed.content, cells);
}

const toggled = ({ control, chosen, change }: ControlPart<'choice'>, key: string, isOn: boolean): void => {
  const others = control.many ? chosen.keys.filter((chosenKey) => chosenKey !== key) : [];
  change({ ...chosen, keys: isOn ? [...others, key] : others });
};

/** False if the column is a part of a time, because no filter can match a part of a time. */
const isUsable = ({ control }: ControlPart<'choice'>): boolean => (control.field?.part ?? null) === null;

/** Renders the members as a row of buttons. */
const buttonsView = (part: ControlPart<'choice'>): TemplateResult =>
  html`<div class="buttons" role="group" aria-label=${part.name}>
    ${part.control.options.slice(0, 100).map(({ key, text }) => {
      const isChosen = part.chosen.keys.includes(key);
      return html`<button
        type="button"
        aria-pressed=${String(isChosen)}
        ?disabled=${!isUsable(part)}
        @click=${() => toggled(part, key, !isChosen)}
      >
        ${text}
      </button>`;
    })}
  </div>`;

/** Renders the members as a column of checkboxes, or of radio buttons if only one can be selected. */
function listView(part: ControlPart<'choice'>): TemplateResult {
  const { control, chosen, context, name, change } = part;
  const query = chosen.search.toLocaleLowerCase();
  const options = control.options.filter(({ text }) => query === '' || text.toLocaleLowerCase().includes(query));
  return html`
    ${
      control.options.length > 8
        ? html`<input
            type="search"
            aria-label=${context.words.search}
            placeholder=${context.words.search}
            .value=${chosen.search}
            @input=${(event: InputEvent) => change({ ...chosen, search: valueOf(event) })}
          />`
        : nothing
    }
    <ul class="choice" aria-label=${name}>
      ${options.slice(0, 500).map(
        ({ key, text, measure, share }) =>
          html`<li>
            <label>
              ${share === null ? nothing : html`<span class="share" .style=${`width:${(share * 100).toFixed(1)}%`}></span>`}
              <input
                type=${control.many ? 'checkbox' : 'radio'}
                name=${control.many ? nothing : 'choice'}
                .checked=${chosen.keys.includes(key)}
                ?disabled=${!isUsable(part)}
                @change=${(event: Event) => toggled(part, key, event.target instanceof HTMLInputElement && event.target.checked)}
              />
              <span class="text">${text}</span
              >${measure === null ? nothing : html`<span class="number">${measure}</span>`}
            </label>
          </li>`,
      )}
    </ul>
    ${options.length > 500 ? html`<p class="note">${context.words.truncated}</p>` : nothing}
  `;
}

function rangeView({ control, chosen, context, name, change }: ControlPart<'range'>): TemplateResult {
  const { least, most } = control;
  const numberText = (at: number | null): string => (at === null ? '' : String(at));
  const numberIn = (text: string): number | null =>
    text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
  if (control.isSingle)
    return html`<input
      class="field"
      type="number"
      step="any"
      aria-label=${name}
      placeholder=${control.leastText}
      .value=${numberText(chosen.from)}
      @change=${(event: Event) => {
        const number = numberIn(valueOf(event));
        change({ ...chosen, from: number, to: number });
      }}
    />`;
  const field = (end: 'from' | 'to'): TemplateResult =>
    html`<input
      type="number"
      step="any"
      aria-label=${context.words[end]}
      title=${context.words[end]}
      min=${numberText(least)}
      max=${numberText(most)}
      placeholder=${end === 'to' ? control.maxText : control.leastText}
      .value=${numberText(chosen[end])}
      @change=${(event: Event) => change({ ...chosen, [end]: numberIn(valueOf(event)) })}
    />`;
  const at = (end: 'from' | 'to'): number | null => chosen[end] ?? (end === 'to' ? most : least);
  const thumb = (end: 'from' | 'to'): TemplateResult =>
    html`<input
      type="range"
      aria-label=${context.words[end]}
      min=${least ?? 0}
      max=${most ?? 0}
      step="any"
      .value=${String(at(end))}
      aria-valuetext=${control.field?.text(at(end)) ?? ''}
      @change=${(event: Event) => change({ ...chosen, [end]: Number(valueOf(event)) })}
    />`;
  const slide = (from: number, to: number): TemplateResult => {
    const share = (value: number): number => Math.min(1, Math.max(0, (value - from) / (to - from))) * 100;
    const ends = `${share(at('from') ?? from)}% ${100 - share(at('to') ?? to)}%`;
    return html`<div class="slide">
      <span></span><span class="span" .style=${`inset-inline:${ends}`}></span>${thumb('from')}${thumb('to')}
    </div>`;
  };
  return html`<div class="range">
    ${field('from')}${least !== null && most !== null && least < most ? slide(least, most) : html`<span>–</span>`}${field('to')}
  </div>`;
}

function viewOf(control: Control, part: Omit<ControlPart<Control['kind']>, 'control'>): TemplateResult {
  if (control.isFixed === true || part.context.isReadOnly === true)
    return html`<output aria-label=${part.name}>${chosenText(control, part.chosen, part.context, 40)}</output>`;
  if (control.kind === 'text') return html`<inlay-search .filter=${{ ...part, control }}></inlay-search>`;
  if (control.kind === 'range')
    return control.datetime
      ? html`<inlay-dates .filter=${{ ...part, control }}></inlay-dates>`
      : rangeView({ ...part, control });
  if (control.view === 'dropdown') return html`<inlay-dropdown .filter=${{ ...part, control }}></inlay-dropdown>`;
  return control.view === 'buttons' ? buttonsView({ ...part, control }) : listView({ ...part, control });
}

/**
 * Renders a filter. `onChange` receives a new selection and the condition for the other items. If that condition is
 * undefined, the filters of the other items do not change.
 */
export const controlView = (
  control: Control,
  selection: FilterSelection,
  context: Pick<SizedContext, 'words' | 'formats' | 'rightToLeft' | 'isReadOnly'>,
  name: string,
  onChange: (selection: FilterSelection, condition: Condition | null | undefined) => void,
): TemplateResult => {
  const change = (nextSelection: FilterSelection): void => {
    // Searching changes the list of options, not the selection.
    const isSearch = nextSelection.search !== selection.search;
    onChange(
      { ...nextSelection, unshown: selection.unshown && isSearch },
      isSearch ? undefined : conditionOf(control, nextSelection),
    );
  };
  return viewOf(control, { chosen: selection, context, name, change });
};

interface ParameterCard {
  readonly item: Item;
  readonly contents: JsonObject | null;
  readonly control: FilterSelection;
}

/** Renders a parameter control. `onChange` receives a new selection and the resulting parameter values. */
export function parameterView(
  chart: ParameterChart,
  { item, contents, control }: ParameterCard,
  renderContext: RenderContext,
  name: string,
  onChange: (selection: FilterSelection, condition: null, parameters: JsonObject) => void,
): TemplateResult {
  const setting = chart.parameter(item, contents, { ...renderContext, widthPx: 0, heightPx: 0 });
  if (setting === null) return html`<div class="state" role="status">${renderContext.words.noItem}</div>`;
  const initialSelection = isSet(control) ? control : setting.chosen;
  const change = (nextSelection: FilterSelection): void =>
    onChange(nextSelection, null, setting.valuesOf(nextSelection));
  return viewOf(setting.control, {
    chosen: initialSelection,
    context: renderContext,
    name: name || setting.name,
    change,
  });
}
