import { html, type TemplateResult } from 'lit';
import type { ControlWords } from '../../locale/control-words.ts';
import { moveMonths } from '@inlay/contract';
import { weeksOf } from '../../locale/days/day-text.ts';
import type { DayRange } from '../../locale/days/presets.ts';

const dayMs = 86_400_000;
const utc = { timeZone: 'UTC', calendar: 'gregory' } as const;

/** One month of a calendar; days are midnights in UTC. */
interface Month {
  /** The day with keyboard focus; the calendar shows the month of this day. */
  readonly active: number;
  readonly range: DayRange;
  readonly today: number;
  readonly locale: string;
  /** First day of the week: 0 Sunday, 1 Monday. */
  readonly first: number;
  readonly rightToLeft: boolean;
}

interface MonthActions {
  readonly move: (day: number) => void;
  readonly choose: (day: number) => void;
}

/** Returns the day that a key moves to; null if the key does not navigate. */
function dayAfterKey(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  { active, first, rightToLeft }: Pick<Month, 'active' | 'first' | 'rightToLeft'>,
): number | null {
  const forward = rightToLeft ? -dayMs : dayMs;
  const place = (new Date(active).getUTCDay() - first + 7) % 7;
  const months = shiftKey ? 12 : 1;
  const days: Readonly<Record<string, number>> = {
    ArrowRight: active + forward,
    ArrowLeft: active - forward,
    ArrowDown: active + 7 * dayMs,
    ArrowUp: active - 7 * dayMs,
    Home: active - place * dayMs,
    End: active + (6 - place) * dayMs,
    PageDown: moveMonths(active, months),
    PageUp: moveMonths(active, -months),
  };
  return Object.hasOwn(days, key) ? (days[key] ?? null) : null;
}

const isIn = (day: number, { from, to }: DayRange): boolean =>
  (from !== null || to !== null) && (from === null || day >= from) && (to === null || day <= to);

const arrow = (path: string): TemplateResult =>
  html`<svg viewBox="0 0 12 12" aria-hidden="true" class="arrow"><path d=${path} /></svg>`;
const arrows = {
  previousYear: arrow('M6 2.5 2.5 6 6 9.5M10 2.5 6.5 6 10 9.5'),
  previousMonth: arrow('M7.5 2.5 4 6l3.5 3.5'),
  nextMonth: arrow('M4.5 2.5 8 6 4.5 9.5'),
  nextYear: arrow('M2 2.5 5.5 6 2 9.5M6 2.5 9.5 6 6 9.5'),
} as const;
const months = { previousYear: -12, previousMonth: -1, nextMonth: 1, nextYear: 12 } as const;

function headView({ active, locale }: Month, words: ControlWords, { move }: MonthActions): TemplateResult {
  const monthFormat = new Intl.DateTimeFormat(locale, { ...utc, year: 'numeric', month: 'long' });
  const turn = (name: keyof typeof months): TemplateResult =>
    html`<button
      type="button"
      aria-label=${words[name]}
      title=${words[name]}
      @click=${() => move(moveMonths(active, months[name]))}
    >
      ${arrows[name]}
    </button>`;
  return html`<div class="month-head">
    ${turn('previousYear')}${turn('previousMonth')}
    <span id="month" aria-live="polite">${monthFormat.format(active)}</span>
    ${turn('nextMonth')}${turn('nextYear')}
  </div>`;
}

export function monthView(month: Month, words: ControlWords, actions: MonthActions): TemplateResult {
  const { active, range, today, locale, first } = month;
  const weeks = weeksOf(active, first);
  const shortDay = new Intl.DateTimeFormat(locale, { ...utc, weekday: 'narrow' });
  const longDay = new Intl.DateTimeFormat(locale, { ...utc, weekday: 'long' });
  const wholeDay = new Intl.DateTimeFormat(locale, { ...utc, dateStyle: 'full' });
  const number = new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric' });
  const keyed = (event: KeyboardEvent): void => {
    const day = dayAfterKey(event, month);
    if (day === null) return;
    event.preventDefault();
    actions.move(day);
  };
  const numberOf = (day: number): string =>
    number.formatToParts(day).find(({ type }) => type === 'day')?.value ?? number.format(day);
  const dayView = (day: number): TemplateResult => {
    const isOther = new Date(day).getUTCMonth() !== new Date(active).getUTCMonth();
    const isEnd = day === range.from || day === range.to;
    const classes = `${isOther ? 'other' : ''} ${isIn(day, range) ? 'within' : ''} ${isEnd ? 'end' : ''}`;
    return html`<td role="gridcell" aria-selected=${String(isIn(day, range))} class=${classes}>
      <button
        type="button"
        tabindex=${day === active ? '0' : '-1'}
        aria-label=${wholeDay.format(day)}
        aria-current=${day === today ? 'date' : 'false'}
        @click=${() => actions.choose(day)}
      >
        ${numberOf(day)}
      </button>
    </td>`;
  };
  return html`${headView(month, words, actions)}
    <table role="grid" class="days" aria-labelledby="month" @keydown=${keyed}>
      <thead>
        <tr>
          ${weeks[0]?.map((day) => html`<th scope="col" abbr=${longDay.format(day)}>${shortDay.format(day)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${weeks.map(
          (week) =>
            html`<tr>
              ${week.map(dayView)}
            </tr>`,
        )}
      </tbody>
    </table>`;
}
