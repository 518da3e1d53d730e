import type { ComputedValue, Quantity } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { isByOrPer, opensGroup } from '../vocabulary/groups.ts';
import { faintWords, unitWords } from '../vocabulary/lexicon.ts';
import { rateOpeners } from '../vocabulary/rates.ts';
import { longFormsOf, shortForms } from '../../columns/short-forms.ts';
import { areSynonyms } from '../vocabulary/concepts.ts';
import type { Word } from '../vocabulary/words.ts';
import type { Mention } from './find-mentions.ts';
import type { WordRange } from './phrase.ts';

/** A measure that a question describes by more than the name of a column, and the words that describe it. */
export interface MeasureClause {
  readonly quantity: Quantity;
  readonly taken: WordRange;
}

/** Returns the values of a column that mean "yes"; an empty list if the column has none or they are unknown. */
export type AffirmativeValues = (column: number) => readonly string[];

/** Each pattern is a list of alternatives, whose words follow each other. */
const patternsOf = (texts: string): readonly (readonly string[])[] =>
  texts.split('|').map((text) => text.trim().split(' '));

const over = patternsOf('per | / | divided by | for each unit of | relative to');
const asShareOf = patternsOf(
  'as % of | as a % of | as percentage of | as a percentage of | as percent of | as a share of | as share of | as a fraction of | as part of',
);
const minus = patternsOf('minus | less | after deducting');
const running = patternsOf(
  'running total of | running total | running sum of | cumulative | cumulated | cumulative total of',
);
const rateAfter = patternsOf('rate | percentage | % | share | ratio | quota');
const baskets = patternsOf(
  'basket value | basket size | basket | cart | order value | order amount | order | receipt | panier | winkelmand | warenkorb | ' +
    'carrito | bestelwaarde | bestellwert | bon | ticket',
);
/** Words in the name of the column that tells one order from another. */
const basketWords = new Set(
  'order basket cart receipt transaction invoice bestelling bestellung commande pedido bon'.split(' '),
);
const percentileWords = new Set('percentile percentiles percentiel centile percentil perzentil quantile'.split(' '));
/** Largest number of words between "percentile" and the amount. */
const maxGap = 3;
const counts = patternsOf('number of | how many | count of | numbers of');
/** Least number of letters that two words of one stem share. */
const minPrefix = 5;
/** True for words such as "cancelled" and "cancellation", or "geslaagd" and "slaag". */
function isOfOneStem(word: string, text: string): boolean {
  if (word === text) return true;
  let shared = 0;
  while (shared < text.length && word[shared] === text[shared]) shared += 1;
  return shared > minPrefix || (text.length >= minPrefix && word.includes(text));
}

/** Words between the rate and its flag, as in "percentage of visits with audio guide". */
const joining = new Set([
  'the',
  'all',
  'with',
  'that',
  'are',
  'were',
  'is',
  'being',
  'who',
  'have',
  'had',
  'of',
  'a',
  'an',
]);

/** How strongly a word has to name a column to be no measure of several ones. */
const nameStrength = 0.8;

/** Finds the measure of a question that combines columns: ratios, differences, rates and running totals. */
export class MeasureFinder {
  readonly #profile: Profile;
  readonly #words: readonly Word[];
  readonly #mentions: readonly Mention[];
  readonly #affirmative: AffirmativeValues;

  constructor(profile: Profile, words: readonly Word[], mentions: readonly Mention[], affirmative: AffirmativeValues) {
    this.#profile = profile;
    this.#words = words;
    this.#mentions = mentions;
    this.#affirmative = affirmative;
  }

  /** Returns the first measure that the words describe; null if there is none. */
  find(): MeasureClause | null {
    for (const mention of this.#mentions) {
      const clause =
        this.#combined(mention) ??
        this.#perMember(mention) ??
        this.#running(mention) ??
        this.#rate(mention) ??
        this.#distinct(mention);
      if (clause !== null) return clause;
    }
    return (
      this.#percentile() ??
      this.#rowsPerMember() ??
      this.#rateByStem() ??
      this.#unitPerUnit() ??
      this.#inUnit() ??
      this.#averageBasket() ??
      this.#profit()
    );
  }

  /** Reads "margin" and "profit" as revenue minus cost where no column has that name. */
  #profit(): MeasureClause | null {
    const isNamed = (place: number): boolean =>
      this.#mentions.some(
        ({ start, end, options }) => place >= start && place < end && (options[0]?.strength ?? 0) >= nameStrength,
      );
    const at = this.#words.findIndex(({ text }, place) => areSynonyms(text, 'profit') && !isNamed(place));
    const [of, to] = [this.#amountOf('revenue'), this.#amountOf('cost')];
    if (at < 0 || of === null || to === null) return null;
    const computed: ComputedValue = {
      kind: 'difference',
      of: { column: of, aggregation: 'sum' },
      to: { column: to, aggregation: 'sum' },
    };
    return { quantity: { column: of, aggregation: null, computed }, taken: { start: at, end: at + 1 } };
  }

  /** Returns the only amount whose name means something, besides faint words; null if there is none, or several. */
  #amountOf(meaning: string): number | null {
    const isOf = (word: string): boolean =>
      !faintWords.has(word) &&
      [word, ...longFormsOf(word)].some((text) => text === meaning || areSynonyms(text, meaning));
    const found = this.#profile.columns.flatMap(({ role, additive, nameWords }, column) =>
      role === 'amount' && additive && nameWords.some((word) => isOf(word)) ? [column] : [],
    );
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  /** Reads "average basket" and "average order value" where an order may have several rows. */
  #averageBasket(): MeasureClause | null {
    for (const [at, { text }] of this.#words.entries()) {
      const end = text === 'average' ? this.#follows(at + 1, baskets) : null;
      if (end === null) continue;
      const member = this.#profile.columns.findIndex(
        ({ role, nameWords }) =>
          role === 'identifier' && nameWords.some((word) => basketWords.has(shortForms.get(word) ?? word)),
      );
      const amount = this.#mentions.map((mention) => this.#furtherAmount(mention)).find((column) => column !== null);
      const of = amount ?? this.#profile.ranked().amounts.find((column) => this.#profile.columns[column]?.additive);
      if (member < 0 || of === undefined) return null;
      const computed: ComputedValue = {
        kind: 'ratio',
        of: { column: of, aggregation: 'sum' },
        to: { column: member, aggregation: 'distinctcount' },
        isShare: false,
      };
      return { quantity: { column: of, aggregation: null, computed }, taken: { start: at, end } };
    }
    return null;
  }

  /** Reads "tonnes per hectare" where two amounts have these units. */
  #unitPerUnit(): MeasureClause | null {
    for (const at of this.#words.keys()) {
      const of = this.#amountOfUnit(at);
      const end = of === null ? null : this.#follows(at + 1, over);
      const to = end === null ? null : this.#amountOfUnit(end);
      if (of === null || end === null || to === null || of === to) continue;
      const quantities = {
        of: this.#summed({ column: of, aggregation: null }),
        to: this.#summed({ column: to, aggregation: null }),
      };
      const computed: ComputedValue = { kind: 'ratio', ...quantities, isShare: false };
      return { quantity: { column: of, aggregation: null, computed }, taken: { start: at, end: end + 1 } };
    }
    return null;
  }

  /** Reads "harvest in tonnes" where an amount has this unit. */
  #inUnit(): MeasureClause | null {
    for (const [at, { text }] of this.#words.entries()) {
      const column = text === 'in' ? this.#amountOfUnit(at + 1) : null;
      if (column !== null) return { quantity: { column, aggregation: null }, taken: { start: at, end: at + 2 } };
    }
    return null;
  }

  /** Returns the amount that a word names by its unit; null if it names none. */
  #amountOfUnit(at: number): number | null {
    const unit = unitWords.get(this.#unitText(at));
    const column = this.#profile.columns.findIndex(
      ({ role, additive, unit: written, nameWords }) =>
        role === 'amount' &&
        additive &&
        unit !== undefined &&
        [written, ...nameWords].some((text) => unitWords.get(text) === unit),
    );
    return column < 0 ? null : column;
  }

  /** Reads "number of distinct cows" and "unique customers". */
  #distinct(mention: Mention): MeasureClause | null {
    const column = mention.options[0]?.column ?? -1;
    const { type } = this.#profile.columns[column] ?? {};
    const before = this.#text(mention.start - 1);
    if ((type !== 'hierarchy' && type !== 'numeric') || !['distinct', 'unique', 'different'].includes(before))
      return null;
    // Without another group, different ones are the groups that are counted.
    if (![0, 1, 2].some((ahead) => this.#opens(mention.end + ahead))) return null;
    const counting = this.#precedes(mention.start - 1, counts);
    const isAsked = counting !== null || (before === 'unique' && mention.start === 1);
    return isAsked
      ? { quantity: { column, aggregation: 'distinctcount' }, taken: { start: counting ?? 0, end: mention.end } }
      : null;
  }

  /** Reads "90th percentile of salary", "salary p90" and "percentil 90 del salario". */
  #percentile(): MeasureClause | null {
    for (const [at, { text }] of this.#words.entries()) {
      const start = percentileWords.has(text) || (text === 'p' && this.#isPart(at)) ? at : -1;
      if (start < 0) continue;
      const places = [at + 1, at - 1, at - 2].filter(
        (place) => this.#words[place]?.kind === 'number' || this.#isShareAt(place),
      );
      const place = places[0];
      const percent = Number(this.#text(place ?? -1));
      const amount = this.#amountBeside(at);
      if (place === undefined || !(percent > 0 && percent < 100) || amount === null) continue;
      const range = { start: Math.min(at, place, amount.start), end: Math.max(at + 1, place + 1, amount.end) };
      return {
        quantity: { column: amount.column, aggregation: null, computed: { kind: 'percentile', percent } },
        taken: range,
      };
    }
    return null;
  }

  /** True for the number in `p90`, which is a part of a word. A code such as P2 is no percentile. */
  #isShareAt(at: number): boolean {
    return /^\d{2}$/u.test(this.#text(at)) && this.#isPart(at);
  }

  #isPart(at: number): boolean {
    const within = this.#words[at]?.within;
    return within !== undefined && within !== null;
  }

  /** Returns the amount that is named directly after a word or before it. */
  #amountBeside(at: number): { readonly column: number; readonly start: number; readonly end: number } | null {
    const near = [
      ...this.#mentions.filter(({ start }) => start > at && start - at <= maxGap),
      ...this.#mentions.filter(({ end }) => end <= at && at - end <= maxGap).toReversed(),
    ];
    const found = near.flatMap((mention) => {
      const column = this.#amount(mention);
      return column === null ? [] : [{ column, start: mention.start, end: mention.end }];
    });
    return found[0] ?? null;
  }

  /** Reads "tickets per customer for every product" in a dataset of tickets. */
  #rowsPerMember(): MeasureClause | null {
    for (const member of this.#mentions) {
      const at = member.start - 2;
      const column = member.options[0]?.column ?? -1;
      if (at < 0 || !this.#isEntityAt(at) || this.#text(at + 1) !== 'per') continue;
      if (this.#profile.columns[column]?.type !== 'hierarchy' || !this.#opens(member.end)) continue;
      const computed: ComputedValue = {
        kind: 'ratio',
        of: { column: null, aggregation: 'count' },
        to: { column, aggregation: 'distinctcount' },
        isShare: false,
      };
      return { quantity: { column: null, aggregation: 'count', computed }, taken: { start: at, end: member.end } };
    }
    return null;
  }

  /** Reads "readmission rate" where a column of yes and no is called `readmitted`. */
  #rateByStem(): MeasureClause | null {
    for (const [at, { text }] of this.#words.entries()) {
      const end = this.#follows(at + 1, rateAfter) ?? this.#follows(at + 2, rateAfter);
      if (end === null || joining.has(text)) continue;
      const column = this.#profile.columns.findIndex(
        ({ nameWords }, index) =>
          nameWords.some((word) => isOfOneStem(word, text)) && this.#affirmative(index).length > 0,
      );
      if (column < 0) continue;
      const computed: ComputedValue = { kind: 'rate', values: this.#affirmative(column) };
      return { quantity: { column, aggregation: null, computed }, taken: { start: at, end } };
    }
    return null;
  }

  /** Reads "cost per km", "rooms sold / rooms available", "paid as a share of fee" and "turnover minus cost". */
  #combined(mention: Mention): MeasureClause | null {
    const of = this.#amount(mention) ?? this.#furtherAmount(mention);
    if (of === null) return null;
    for (const [patterns, kind] of [
      [asShareOf, 'share'],
      [over, 'ratio'],
      [minus, 'difference'],
    ] as const) {
      const end = this.#follows(mention.end, patterns) ?? (kind === 'ratio' ? this.#followsByOrPer(mention.end) : null);
      if (end === null) continue;
      const from = this.#text(end) === 'the' ? end + 1 : end;
      // One word may stand before the name, as in "% of order amount".
      const other = this.#amountAt(from) ?? (kind === 'share' ? this.#amountAt(from + 1) : null);
      if (other === null || other.column === of) continue;
      const quantities = { of: { column: of, aggregation: null }, to: { column: other.column, aggregation: null } };
      const sums = { of: this.#summed(quantities.of), to: this.#summed(quantities.to) };
      return {
        quantity: {
          column: of,
          aggregation: null,
          computed: kind === 'difference' ? { kind, ...sums } : { kind: 'ratio', ...sums, isShare: kind === 'share' },
        },
        taken: { start: this.#start(mention), end: other.end },
      };
    }
    return null;
  }

  /** Reads "average spend per receipt by payment": an amount for each member, while the chart has another group. */
  #perMember(mention: Mention): MeasureClause | null {
    const of = this.#amount(mention);
    const isRows = of === null && this.#isEntity(mention);
    if ((of === null && !isRows) || this.#text(mention.end) !== 'per') return null;
    const member = this.#mentions.find(({ start }) => start === mention.end + 1);
    const column = member?.options[0]?.column ?? -1;
    const isOfRow = this.#profile.entity.has(this.#words[mention.end + 1]?.stem ?? '');
    if (of !== null && isOfRow && member === undefined)
      return {
        quantity: { column: of, aggregation: 'average' },
        taken: { start: this.#start(mention), end: mention.end + 2 },
      };
    if (member === undefined || this.#profile.columns[column]?.type !== 'hierarchy') return null;
    if (this.#affirmative(column).length > 0) return null;
    if (!this.#opens(member.end)) return null;
    const counted: Quantity = { column, aggregation: 'distinctcount' };
    const summed: Quantity = of === null ? { column: null, aggregation: 'count' } : { column: of, aggregation: 'sum' };
    return {
      quantity: {
        column: of,
        aggregation: of === null ? 'count' : null,
        computed: { kind: 'ratio', of: summed, to: counted, isShare: false },
      },
      taken: { start: this.#start(mention), end: member.end },
    };
  }

  #running(mention: Mention): MeasureClause | null {
    const column = this.#amount(mention);
    const start = this.#precedes(mention.start, running);
    // "Facturación acumulada" has the adjective behind the noun.
    const end = start === null ? this.#follows(mention.end, running) : mention.end;
    if (column === null || end === null) return null;
    return { quantity: { column, aggregation: 'cumulativesum' }, taken: { start: start ?? mention.start, end } };
  }

  /** Reads "cancellation rate", "% late" and "share of visits with audio guide". */
  #rate(mention: Mention): MeasureClause | null {
    const column = mention.options[0]?.column ?? -1;
    if (this.#profile.columns[column]?.type !== 'hierarchy') return null;
    const values = this.#affirmative(column);
    if (values.length === 0) return null;
    const quantity: Quantity = { column, aggregation: null, computed: { kind: 'rate', values } };
    const end = this.#follows(mention.end, rateAfter);
    if (end !== null) return { quantity, taken: { start: mention.start, end } };
    let from = mention.start;
    while (from > 0 && (joining.has(this.#text(from - 1)) || this.#isEntityAt(from - 1))) {
      const start = this.#precedes(from, rateOpeners);
      if (start !== null) return { quantity, taken: { start, end: this.#rateEnd(mention) } };
      from -= 1;
    }
    // In "percentage of visits with audio guide", one word names what is counted.
    if (from < mention.start && ['with', 'that', 'who'].includes(this.#text(from))) from -= 1;
    const start = this.#precedes(from, rateOpeners);
    return start === null ? null : { quantity, taken: { start, end: this.#rateEnd(mention) } };
  }

  /** Returns the end of a rate, after words for rows, as in "% late deliveries". */
  #rateEnd({ end }: Mention): number {
    return this.#isEntityAt(end) ? end + 1 : end;
  }

  #isEntity({ start, end }: Mention): boolean {
    return this.#words.slice(start, end).every(({ stem }) => this.#profile.entity.has(stem));
  }

  #isEntityAt(at: number): boolean {
    return this.#profile.entity.has(this.#words[at]?.stem ?? '');
  }

  /** True if a group follows, as after "by" and "for each". */
  #opens(at: number): boolean {
    return opensGroup(this.#text(at)) || (this.#text(at) === 'for' && opensGroup(this.#text(at + 1)));
  }

  #text(at: number): string {
    return this.#words[at]?.text ?? '';
  }

  /** Returns the amount that a mention means; null if it means something else. */
  #amount({ options }: Mention): number | null {
    const [first] = options;
    const { role, isFormula } = this.#profile.columns[first?.column ?? -1] ?? {};
    if (role !== 'amount' || isFormula === true) return null;
    // Of columns that fit equally, the one that can be added up is divided.
    const equal = options.filter(({ strength }) => strength >= (first?.strength ?? 0) * 0.8);
    return (
      equal.find(({ column }) => this.#profile.columns[column]?.additive === true)?.column ?? first?.column ?? null
    );
  }

  /** Returns an amount that a mention may mean, too: only amounts are divided, as in "price per kWh". */
  #furtherAmount({ options }: Mention): number | null {
    const further = options.find(({ column }) => {
      const { role, isFormula } = this.#profile.columns[column] ?? {};
      return role === 'amount' && isFormula !== true;
    });
    return further?.column ?? null;
  }

  /** Returns the amount that is mentioned at a word, by its name or by its unit. */
  #amountAt(at: number): { readonly column: number; readonly end: number } | null {
    const mention = this.#mentions.find(({ start }) => start === at);
    const column = mention === undefined ? null : this.#amount(mention);
    if (mention !== undefined && column !== null) return { column, end: mention.end };
    const unit = unitWords.get(this.#unitText(at));
    const ofUnit = this.#profile.columns.findIndex(
      ({ role, additive, nameWords, unit: written }) =>
        role === 'amount' &&
        additive &&
        unit !== undefined &&
        [...nameWords, written].some((word) => unitWords.get(word) === unit),
    );
    return ofUnit < 0 ? null : { column: ofUnit, end: at + 1 };
  }

  /** Returns a word as a unit is written: `kWh` is one word. */
  #unitText(at: number): string {
    return this.#words[at]?.within ?? this.#text(at);
  }

  /** Parts of a ratio are added up before they are divided. */
  #summed({ column }: Quantity): Quantity {
    return { column, aggregation: 'sum' };
  }

  /** Returns where a measure starts, with the aggregation before it. */
  #start({ start }: Mention): number {
    const before = this.#text(start - 1) === 'of' ? start - 2 : start - 1;
    return ['average', 'total', 'mean', 'sum'].includes(this.#text(before)) ? before : start;
  }

  /** Returns the end of a pattern that follows at a word; null if none does. */
  #follows(at: number, patterns: readonly (readonly string[])[]): number | null {
    const match = patterns.find((pattern) => pattern.every((text, index) => this.#text(at + index) === text));
    return match === undefined ? null : at + match.length;
  }

  /** Returns the end of a word for both "by" and "per", which divides where an amount follows; null if there is none. */
  #followsByOrPer(at: number): number | null {
    return isByOrPer(this.#words[at]) ? at + 1 : null;
  }

  /** Returns the start of a pattern that ends before a word; null if none does. */
  #precedes(end: number, patterns: readonly (readonly string[])[]): number | null {
    const match = patterns.find((pattern) =>
      pattern.every((text, index) => this.#text(end - pattern.length + index) === text),
    );
    return match === undefined ? null : end - match.length;
  }
}
