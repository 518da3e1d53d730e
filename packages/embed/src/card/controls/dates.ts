import { comparisonKinds, isSet, dayOf } from '@inlay/contract';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { chosenText, rangeText } from '../../chosen-text.ts';
import { controlWordsFor } from '../../locale/control-words.ts';
import { dayTextOf, firstWeekday } from '../../locale/days/day-text.ts';
import { presetNames, presetRange, type DayRange } from '../../locale/days/presets.ts';
import { monthView } from './calendar.ts';
import { valueOf, type ControlPart } from './part.ts';
import { Popup } from './popup.ts';

/** `<inlay-dates>`: picks a day or a range of days by preset, calendar or text field. */
export class InlayDates extends Popup {
  static override properties: PropertyDeclarations = {
    ...Popup.properties,
    filter: { attribute: false },
    active: { state: true },
    pending: { state: true },
    faulty: { state: true },
  };

  declare filter: ControlPart<'range'>;
  /** The day with keyboard focus, as midnight in UTC. */
  declare protected active: number;
  /** First day of a range whose last day is not yet selected; null if no range is being selected. */
  declare protected pending: number | null;
  /** The field whose text is not a date; null if both texts are dates. */
  declare protected faulty: 'from' | 'to' | null;
  protected override readonly maxPx = 560;
  #nowMs = 0;
  #focuses = false;

  constructor() {
    super();
    this.active = 0;
    this.pending = null;
    this.faulty = null;
  }

  protected override buttonContent(): { readonly name: string; readonly text: string; readonly note: string } {
    const { control, chosen, context, name } = this.filter;
    const note = isSet(chosen) ? '' : rangeText(control, this.#extent(), context);
    return { name, text: chosenText(control, chosen, context, 1), note };
  }

  protected override rightToLeft(): boolean {
    return this.filter.context.rightToLeft;
  }

  protected override opens(): void {
    const { chosen, context } = this.filter;
    this.#nowMs = Date.now();
    this.pending = null;
    this.faulty = null;
    const today = dayOf(this.#nowMs, context.formats.timeZone);
    this.active = chosen.to ?? chosen.from ?? Math.min(today, this.#extent().to ?? today);
  }

  protected override first(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.days [tabindex="0"]');
  }

  override updated(): void {
    if (this.#focuses) this.first()?.focus({ preventScroll: true });
    this.#focuses = false;
  }

  /** Returns the range of available days. */
  #extent(): DayRange {
    const { control, context } = this.filter;
    const { timeZone } = (control.field ?? context).formats;
    const day = (at: number | null): number | null => (at === null ? null : dayOf(at, timeZone));
    return { from: day(control.least), to: day(control.most) };
  }

  #set({ from, to }: DayRange): void {
    const { chosen, change } = this.filter;
    this.pending = null;
    this.faulty = null;
    const isTurned = from !== null && to !== null && from > to;
    change({ ...chosen, from: isTurned ? to : from, to: isTurned ? from : to });
  }

  #choose(day: number): void {
    this.active = day;
    if (this.pending === null && this.filter.control.isSingle !== true) {
      this.pending = day;
      this.#focuses = true;
      return;
    }
    this.#set({ from: this.pending ?? day, to: day });
    this.close();
  }

  #typed(end: 'from' | 'to', text: string): void {
    const { chosen, context } = this.filter;
    const day = text.trim() === '' ? null : dayTextOf(context.formats.locale).read(text);
    this.faulty = text.trim() !== '' && day === null ? end : null;
    if (this.faulty !== null) return;
    if (day !== null) this.active = day;
    const isSingle = this.filter.control.isSingle === true;
    this.#set(isSingle ? { from: day, to: day } : { from: chosen.from, to: chosen.to, [end]: day });
  }

  #periods(): TemplateResult {
    const { chosen, context } = this.filter;
    const words = controlWordsFor(context.formats.locale);
    return html`<div class="periods" role="group" aria-label=${words.periods}>
      ${presetNames.map((name) => {
        const range = presetRange(name, this.#nowMs, context.formats.timeZone);
        const isChosen = !chosen.unshown && range.from === chosen.from && range.to === chosen.to;
        const choose = (): void => {
          this.#set(presetRange(name, Date.now(), context.formats.timeZone));
          this.close();
        };
        return html`<button type="button" aria-pressed=${String(isChosen)} @click=${choose}>${words[name]}</button>`;
      })}
    </div>`;
  }

  /** Renders the choice of a comparison period. */
  #comparison(): TemplateResult | typeof nothing {
    const { control, chosen, context, change } = this.filter;
    const { comparison } = control;
    if (comparison === undefined) return nothing;
    const words = controlWordsFor(context.formats.locale);
    const chosenKind = chosen.compareWith ?? comparison;
    return html`<div class="compared" role="group" aria-label=${words.compareWith}>
      <span aria-hidden="true">${words.compareWith}</span>
      ${comparisonKinds.map(
        (kind) =>
          html`<button
            type="button"
            aria-pressed=${String(kind === chosenKind)}
            @click=${() => change({ ...chosen, compareWith: kind })}
          >
            ${words[kind]}
          </button>`,
      )}
    </div>`;
  }

  #field(end: 'from' | 'to'): TemplateResult {
    const { control, chosen, context, name } = this.filter;
    const text = dayTextOf(context.formats.locale);
    const [day, limitDay] = [chosen[end], this.#extent()[end]];
    const isFaulty = this.faulty === end;
    return html`<label
      >${control.isSingle === true ? name : context.words[end]}
      <input
        type="text"
        autocomplete="off"
        aria-invalid=${String(isFaulty)}
        aria-describedby=${isFaulty ? 'faulty' : nothing}
        placeholder=${limitDay === null ? '' : text.write(limitDay)}
        .value=${day === null ? '' : text.write(day)}
        @change=${(event: Event) => this.#typed(end, valueOf(event))}
      />
    </label>`;
  }

  protected override content(): TemplateResult {
    const { control, chosen, context } = this.filter;
    const isSingle = control.isSingle === true;
    const { locale, timeZone } = context.formats;
    const words = controlWordsFor(locale);
    const range = this.pending === null ? chosen : { from: this.pending, to: this.pending };
    const note = this.faulty !== null ? words.noDay : this.pending === null ? '' : words.chooseEnd;
    const month = {
      active: this.active,
      range,
      locale,
      first: firstWeekday(locale),
      rightToLeft: context.rightToLeft,
      today: dayOf(this.#nowMs, timeZone),
    };
    const actions = {
      choose: (day: number) => this.#choose(day),
      move: (day: number) => {
        this.active = day;
        this.#focuses = this.querySelector('.days')?.matches(':focus-within') === true;
      },
    };
    return html`<div class="dates">
      ${isSingle ? nothing : this.#periods()}
      <div class="month">
        <div class="ends">${this.#field('from')}${isSingle ? nothing : this.#field('to')}</div>
        ${monthView(month, words, actions)}
        <p class="note ${this.faulty === null ? '' : 'faulty'}" id="faulty" role="status">${note}</p>
      </div>
      ${this.#comparison()}
    </div>`;
  }
}
