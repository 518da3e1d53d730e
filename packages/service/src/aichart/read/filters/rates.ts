import type { ComputedValue, Quantity } from '../../plan.ts';
import type { Profile } from '../../profile.ts';
import { opensGroup } from '../../vocabulary/groups.ts';
import { rateOpeners } from '../../vocabulary/rates.ts';
import type { Word } from '../../vocabulary/words.ts';
import type { Mention } from '../find-mentions.ts';
import type { AffirmativeValues } from '../measures.ts';
import type { WordRange } from '../phrase.ts';
import { isContentWord, type NamedFlag } from './flag-names.ts';
import { excludingBefore } from './flags.ts';

/** A rate that a question asks for, such as "% of orders refunded". `taken` are the words for it, without "orders". */
export interface RateClause {
  readonly quantity: Quantity;
  readonly taken: readonly WordRange[];
  /** All words of the phrase, from "% of" on. */
  readonly range: WordRange;
}

/** Words for "with", in all languages of questions. */
const having = new Set('with having met avec mit con'.split(' '));

/** An amount that words name. */
interface NamedAmount extends WordRange {
  readonly column: number;
}

/** Finds shares whose words stand apart, as in "% of delivery orders refunded", "% billable hours" and "share of the fee paid". */
class RateReader {
  readonly #profile: Profile;
  readonly #words: readonly Word[];
  readonly #mentions: readonly Mention[];
  readonly #flags: readonly NamedFlag[];
  readonly #affirmative: AffirmativeValues;

  constructor(
    profile: Profile,
    words: readonly Word[],
    mentions: readonly Mention[],
    flags: readonly NamedFlag[],
    affirmative: AffirmativeValues,
  ) {
    this.#profile = profile;
    this.#words = words;
    this.#mentions = mentions;
    this.#flags = flags;
    this.#affirmative = affirmative;
  }

  find(): RateClause | null {
    for (const start of this.#words.keys()) {
      const opener = this.#openerAt(start);
      if (opener === null) continue;
      const range = { start, end: this.#clauseEnd(opener.end) };
      return this.#ofTwoAmounts(opener, range) ?? this.#ofFlag(opener, range);
    }
    return null;
  }

  #openerAt(start: number): WordRange | null {
    const texts = rateOpeners.find((words) => words.every((text, at) => this.#words[start + at]?.text === text));
    // "Rate" may be the name of an amount.
    const isName = this.#mentions.some((mention) => start >= mention.start && start < mention.end);
    return texts === undefined || isName ? null : { start, end: start + texts.length };
  }

  /** Returns the end of the words that a share is of: where groups, a list or a sentence follow. */
  #clauseEnd(from: number): number {
    const end = this.#words.findIndex(
      ({ kind, text }, at) => at >= from && (kind === 'mark' || text === 'and' || opensGroup(text)),
    );
    return end < 0 ? this.#words.length : end;
  }

  /** Reads "share of the tuition fee that is paid", where the other amount is a column, too. */
  #ofTwoAmounts(opener: WordRange, { start, end }: WordRange): RateClause | null {
    const [whole, part, ...others] = this.#mentions.filter((one) => one.start >= opener.end && one.end <= end);
    if (whole === undefined || part === undefined || others.length > 0 || whole.end === part.start) return null;
    if (!this.#isJoined(whole.end, part.start)) return null;
    const [of] = this.#amountsOf(part);
    const to = this.#amountsOf(whole).find((column) => column !== of);
    if (of === undefined || to === undefined) return null;
    const computed: ComputedValue = {
      kind: 'ratio',
      of: { column: of, aggregation: 'sum' },
      to: { column: to, aggregation: 'sum' },
      isShare: true,
    };
    const range = { start, end };
    return { quantity: { column: of, aggregation: null, computed }, taken: [range], range };
  }

  #ofFlag(opener: WordRange, range: WordRange): RateClause | null {
    const flag = this.#flags.findLast(({ start, end }) => start >= opener.end && end <= range.end);
    if (flag === undefined) return null;
    const column = flag.options[0]?.column ?? -1;
    const amount = this.#amountBeside(flag);
    const excludedFrom = excludingBefore(this.#profile, this.#words, flag);
    const isExcluded = (excludedFrom !== null) !== flag.isNegated;
    const computed: ComputedValue = {
      kind: 'rate',
      values: this.#affirmative(column),
      ...(amount === null ? {} : { of: amount.column }),
      ...(isExcluded ? { isExcluded } : {}),
    };
    // In "percentage of visits with audio guide", the words between name what is counted.
    const isOfRows = this.#has(opener.end, flag.start);
    const stated = { start: isOfRows ? opener.end : (excludedFrom ?? flag.start), end: flag.end };
    const taken = [opener, stated, ...(amount === null ? [] : [amount])];
    return { quantity: { column, aggregation: null, computed }, taken, range };
  }

  /** Returns the amount that a column of yes and no is said of, as in "billable hours" and "hours that are billable". */
  #amountBeside({ start, end }: WordRange): NamedAmount | null {
    const beside = this.#mentions.filter(
      (one) => one.start === end || (one.end <= start && this.#isJoined(one.end, start) && !this.#has(one.end, start)),
    );
    const found = beside.flatMap((mention) => {
      const [column] = this.#amountsOf(mention);
      return column === undefined ? [] : [{ column, start: mention.start, end: mention.end }];
    });
    return found[0] ?? null;
  }

  /** True for "with" between two places: visits with audio guide are rows, also where a column counts visitors. */
  #has(from: number, to: number): boolean {
    return this.#words.slice(from, to).some(({ text }) => having.has(text));
  }

  /** True if no word between two places names anything, such as "that is". */
  #isJoined(from: number, to: number): boolean {
    return !this.#words
      .slice(from, to)
      .some((word) => word.kind !== 'word' || isContentWord(word) || this.#profile.entity.has(word.stem));
  }

  /** Returns the amounts that can be added up and that a mention may mean. */
  #amountsOf({ options }: Mention): readonly number[] {
    return options.flatMap(({ column }) => {
      const { role, additive, isFormula } = this.#profile.columns[column] ?? {};
      return role === 'amount' && additive === true && isFormula !== true ? [column] : [];
    });
  }
}

/** Finds the share that a question asks for where the words for it stand apart; null if it asks for none. */
export const findRate = (
  profile: Profile,
  words: readonly Word[],
  mentions: readonly Mention[],
  flags: readonly NamedFlag[],
  affirmative: AffirmativeValues,
): RateClause | null => new RateReader(profile, words, mentions, flags, affirmative).find();
