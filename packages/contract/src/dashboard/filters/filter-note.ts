import { periodAt } from '../../calendar/period.ts';
import { toDateUnits } from '../../filter/operators.ts';
import { filterTerms, joinedIn } from '../../filter/terms.ts';
import type { Item } from '../../item/item.ts';
import { isList, isObject, listOr, objectIn, textOr, type Json, type JsonObject } from '../../json.ts';
import { fold, inLanguage } from '../../multilingual.ts';
import { readFilter } from './filter.ts';

/** Texts of conditions; `{}` is a placeholder. Units stand in the nominative. */
export interface NoteWords {
  readonly not: string;
  readonly or: string;
  readonly and: string;
  readonly empty: string;
  /** Name of the number of rows. */
  readonly rows: string;
  readonly contains: string;
  readonly startsWith: string;
  readonly endsWith: string;
  readonly since: string;
  readonly after: string;
  readonly before: string;
  readonly until: string;
  readonly quarters: string;
  /** Periods relative to now, such as the last 3 months until now. */
  readonly past: string;
  readonly completed: string;
  readonly available: string;
  readonly next: string;
  readonly nextFull: string;
  readonly toDate: string;
  readonly olderThan: string;
}

/** How the conditions of an item are written for a viewer. */
export interface NoteLanguage {
  readonly locale: string;
  readonly words: NoteWords;
  readonly number: (value: number) => string;
  /** Writes a time or a date in ISO 8601 at a level, from 1 for its year; without one, as precise as it is. */
  readonly date: (iso: string, level: number | null) => string;
}

/** A text of a condition. Signs such as `> 250` follow the name of their column, other texts a colon. */
interface Phrase {
  readonly text: string;
  readonly kind: 'sign' | 'words' | 'value';
}

const dayMs = 86_400_000;
const maxMembers = 3;
const filled = (pattern: string, text: string): string => pattern.replace('{}', () => text);
const isDay = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.length >= 10 && value[4] === '-' && !Number.isNaN(Date.parse(value));
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const signs: Readonly<Record<string, string>> = { '>': '>', '>=': '≥', '<': '<', '<=': '≤' };
const bounds = { '>': 'after', '>=': 'since', '<': 'before', '<=': 'until' } as const;
const units = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;
type Unit = (typeof units)[number];

/** By operator without value: the unit of the period until now. */
const toDates: ReadonlyMap<string, Unit> = new Map(Object.entries(toDateUnits));

/** Writes the conditions of one item. */
class NoteWriter {
  readonly #language: NoteLanguage;
  readonly #item: Item;

  constructor(item: Item, language: NoteLanguage) {
    this.#item = item;
    this.#language = language;
  }

  /** Returns the value of a condition without its column, and the whole text. Null if there is nothing to write. */
  chip(condition: Json): { readonly value: string; readonly text: string } | null {
    const joined = joinedIn(condition);
    if (joined === null) return this.#test(condition);
    const chips = joined.of.map((inner) => ({ chip: this.chip(inner), isJoined: joinedIn(inner) !== null }));
    const texts = chips.map(({ chip, isJoined }) => {
      const text = chip?.text ?? '…';
      return isJoined && joined.of.length > 1 ? `(${text})` : text;
    });
    const text = texts.join(` ${this.#language.words[joined.join]} `);
    return chips.some(({ chip }) => chip !== null) ? { value: text, text } : null;
  }

  #test(condition: Json): { readonly value: string; readonly text: string } | null {
    const filter = readFilter(condition);
    if (filter === null || !isObject(condition)) return null;
    const isSetByViewer = isObject(filter.value) && typeof filter.value['parameter'] === 'string';
    const operator = filter.expression.replaceAll('?', '').trim();
    const phrase = isSetByViewer ? null : this.#phrase(operator, filter.value, filter.level);
    if (phrase === null) return null;
    const label = this.#label(condition);
    if (label === '')
      return { value: phrase.text, text: phrase.kind === 'words' ? capitalized(phrase.text) : phrase.text };
    return {
      value: phrase.text,
      text: phrase.kind === 'sign' ? `${label} ${phrase.text}` : `${label}: ${phrase.text}`,
    };
  }

  /**
   * Returns the name of the column as the item shows it, or as it stands with the filter. The label of a number is no
   * such name, as it may say how the number is aggregated.
   */
  #label(condition: JsonObject): string {
    const { locale, words } = this.#language;
    const { columnId } = filterTerms(condition);
    const shown = this.#item.slots
      .flatMap(({ content }) => content)
      .find((entry) => entry.columnId === columnId && entry.type !== 'numeric');
    const label = inLanguage(shown?.label ?? objectIn(condition, 'properties')['label'], locale);
    return label === '' && columnId === '*' ? words.rows : label;
  }

  #phrase(operator: string, value: Json | undefined, level: number | null): Phrase | null {
    const { words } = this.#language;
    const isNegated = operator.startsWith('not ');
    const plainOperator = isNegated ? operator.slice(4) : operator;
    const sign = signs[operator];
    const texts = { like: words.contains, 'starts with': words.startsWith, 'ends with': words.endsWith };
    const pattern = Object.entries(texts).find(([name]) => name === plainOperator)?.[1];
    if (pattern !== undefined) {
      const text = filled(pattern, this.#member(value, null).replaceAll('%', '…'));
      return { text: isNegated ? filled(words.not, text) : text, kind: 'words' };
    }
    if (operator === 'is null') return { text: words.empty, kind: 'value' };
    if (operator === 'is not null') return { text: filled(words.not, words.empty), kind: 'words' };
    if (['=', '!=', 'in'].includes(plainOperator)) return this.#members(value, level, isNegated || operator === '!=');
    if (operator === 'between') return this.#between(listOr(value), level);
    if (sign !== undefined) return this.#bound(operator, sign, value, level);
    const text = this.#relative(operator, value);
    return text === null ? null : { text, kind: 'words' };
  }

  #members(value: Json | undefined, level: number | null, isNegated: boolean): Phrase {
    const { words, number } = this.#language;
    const members = isList(value) ? value : [value ?? null];
    const [first] = members;
    if (members.length === 1 && typeof first === 'number')
      return { text: `${isNegated ? '≠' : '='} ${number(first)}`, kind: 'sign' };
    const shown = members.slice(0, members.length > maxMembers ? maxMembers - 1 : maxMembers);
    const rest = members.length - shown.length;
    const list = shown.map((member) => this.#member(member, level)).join(', ') + (rest > 0 ? ` +${number(rest)}` : '');
    return isNegated ? { text: filled(words.not, list), kind: 'words' } : { text: list, kind: 'value' };
  }

  #member(value: Json | undefined, level: number | null): string {
    const { words, number, date } = this.#language;
    const plain = isObject(value) ? value['id'] : value;
    if (typeof plain === 'number') return number(plain);
    if (typeof plain === 'boolean') return String(plain);
    if (typeof plain !== 'string' || plain === '') return words.empty;
    return isDay(plain) ? date(plain, level) : plain;
  }

  /** Writes two bounds. The days of a whole year, quarter or month are named by it. */
  #between([from, to]: readonly Json[], level: number | null): Phrase {
    const [texts, { date }] = [[from, to].map((bound) => this.#member(bound, level)), this.#language];
    const period = isDay(from) && isDay(to) && level === null ? wholePeriod(from, to) : null;
    if (period !== null && isDay(from)) return { text: date(from.slice(0, 10), period), kind: 'value' };
    return { text: texts[0] === texts[1] ? String(texts[0]) : texts.join(' – '), kind: 'value' };
  }

  #bound(operator: string, sign: string, value: Json | undefined, level: number | null): Phrase {
    const bound = Object.entries(bounds).find(([name]) => name === operator)?.[1];
    return isDay(value) && bound !== undefined
      ? { text: filled(this.#language.words[bound], this.#member(value, level)), kind: 'words' }
      : { text: `${sign} ${this.#member(value, level)}`, kind: 'sign' };
  }

  /** Writes a period relative to now. `ago` of 1 month is "last month". */
  #relative(operator: string, value: Json | undefined): string | null {
    const { words } = this.#language;
    const period = isObject(value) ? value : {};
    const quantity = typeof period['quantity'] === 'number' ? period['quantity'] : 1;
    const unit = toDates.get(operator) ?? unitOf(period['unit'] ?? (operator === 'to_date' ? 'year' : undefined));
    if (unit === undefined) return null;
    const length = this.#length(quantity, unit);
    switch (operator) {
      case 'ago':
        return this.#shifted(-quantity, unit);
      case 'last_completed':
        return quantity === 1 ? this.#shifted(-1, unit) : filled(words.completed, length);
      case 'next_full':
        return quantity === 1 ? this.#shifted(1, unit) : filled(words.nextFull, length);
      case 'last_now':
        return filled(words.past, length);
      case 'next_now':
        return filled(words.next, length);
      case 'last_available':
        return filled(words.available, length);
      case 'more_than_ago':
        return filled(words.olderThan, length);
      default:
        return filled(words.toDate, quantity === 1 ? this.#shifted(0, unit) : length);
    }
  }

  #shifted(by: number, unit: Unit): string {
    return new Intl.RelativeTimeFormat(this.#language.locale, { numeric: 'auto' }).format(by, unit);
  }

  #length(quantity: number, unit: Unit): string {
    const { locale, words, number } = this.#language;
    // `Intl` has no unit for quarters.
    if (unit !== 'quarter')
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(quantity);
    const [one = '', many = one] = words.quarters.split('|');
    return filled(quantity === 1 ? one : many, number(quantity));
  }
}

const unitOf = (unit: Json | undefined): Unit | undefined =>
  units.find((name, index) => name === unit || index + 1 === unit);

/** Returns the level of the year, quarter or month that two dates without time begin and end; null if there is none. */
function wholePeriod(from: string, to: string): number | null {
  if (from.length > 10 || to.length > 10) return null;
  const [start, end] = [Date.parse(from), Date.parse(to) + dayMs];
  const level = [1, 2, 3].find((candidate) => {
    const period = periodAt(start, candidate, 0);
    return period?.start === start && period.end === end;
  });
  return level ?? null;
}

const isOfWord = (character: string | undefined): boolean =>
  character !== undefined &&
  (character.toLowerCase() !== character.toUpperCase() || (character >= '0' && character <= '9'));

/** True if a text contains a phrase as whole words, in any case and with or without accents. */
function names(text: string, phrase: string): boolean {
  const [folded, wanted] = [fold(text), fold(phrase)];
  for (let at = folded.indexOf(wanted); at !== -1 && wanted !== ''; at = folded.indexOf(wanted, at + 1))
    if (!isOfWord(folded[at - 1]) && !isOfWord(folded[at + wanted.length])) return true;
  return false;
}

/**
 * Returns the filters of an item as short texts such as `2023`, `Country: Portugal` and `Revenue > 250`, in the language
 * of the viewer. Leaves out what the title already says, and values that viewers set with a control. Empty if
 * `options.filterNote` is false.
 */
export function filterNote(item: Item, language: NoteLanguage): readonly string[] {
  if (item.options['filterNote'] === false) return [];
  const writer = new NoteWriter(item, language);
  const title = textOr(inLanguage(item.title, language.locale), '');
  return item.filters.flatMap((condition) => {
    const chip = writer.chip(condition);
    return chip === null || names(title, chip.value) ? [] : [chip.text];
  });
}
