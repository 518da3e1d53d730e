import { namedValues } from '../read/filters/values.ts';
import type { Profile } from '../profile.ts';
import { quote } from '../read/unread.ts';
import { recentMessages, textsToLookUp, wordsIn, type Conversation } from '../understand.ts';
import type { FoundValue, FoundValues } from '../values/found-values.ts';
import { maxWords, wordsOf } from '../vocabulary/words.ts';
import { idsIn, isId, keyOf, KnownWords, maxRun, tokensOf, type Token } from './known-words.ts';

/** A value of rows that a conversation names, and the sign that stands for it in what a provider is sent. */
export interface SignedValue {
  readonly sign: string;
  /** The words that name it, cleaned for quotes. */
  readonly quote: string;
  readonly found: readonly FoundValue[];
  /** False for words that usually mean something else, but are equal to a value. */
  readonly isNamed: boolean;
}

/** A conversation as a provider gets it: with signs in place of the values that were found in it. */
export interface SentConversation {
  readonly question: string;
  readonly earlier: readonly string[];
  /** The values by their sign. */
  readonly values: ReadonlyMap<string, SignedValue>;
}

/** The messages before a question that are sent, and as much of the question as is. */
function messagesOf({ question, history }: Conversation): {
  readonly earlier: readonly string[];
  readonly asked: string;
} {
  const asked = question ?? '';
  return { earlier: recentMessages(history), asked: asked.slice(0, tokensOf(asked)[maxWords]?.start ?? asked.length) };
}

/** Returns the texts of a conversation that are values only if they equal one. */
function copiedTexts(known: KnownWords, conversation: Conversation): readonly string[] {
  const { earlier, asked } = messagesOf(conversation);
  return [
    ...[...earlier, asked].flatMap((message) => known.runsIn(message)),
    ...earlier.flatMap((message) => known.singlesIn(message)),
  ];
}

/** What to look up before a conversation is sent. */
export interface TextsToSign {
  readonly texts: readonly string[];
  /** Texts that are values only if they equal one. */
  readonly equalTexts: readonly string[];
}

/**
 * Returns the texts to look up before a conversation is sent: those that may name values, and what clients may have
 * copied from answers into the messages.
 */
export function textsToSign(profile: Profile, conversation: Conversation): TextsToSign {
  const { earlier, asked } = messagesOf(conversation);
  const texts = [...textsToLookUp(profile.dataset, conversation), ...[...earlier, asked].flatMap(idsIn)];
  return { texts: [...new Set(texts)], equalTexts: [...new Set(copiedTexts(new KnownWords(profile), conversation))] };
}

/** Returns tokens as signs are found by: without spaces, since `3B` and `r24` are split differently in lower case. */
const signKeyOf = (tokens: readonly Token[]): string => keyOf(tokens).replaceAll(' ', '');

/** Gives each value of a conversation a sign. */
class ValueSigns {
  readonly #byKey = new Map<string, SignedValue>();

  /** `written` are the words as the conversation has them; `isNamed` as in `SignedValue`. */
  add(text: string, written: string, found: readonly FoundValue[], isNamed: boolean): void {
    const key = signKeyOf(tokensOf(text));
    if (key === '' || this.#byKey.has(key)) return;
    this.#byKey.set(key, { sign: `<v${this.#byKey.size + 1}>`, quote: written, found, isNamed });
  }

  bySign(): ReadonlyMap<string, SignedValue> {
    return new Map([...this.#byKey.values()].map((value) => [value.sign, value]));
  }

  /**
   * Replaces values by their signs, the longest first, and words that `isKept` refuses by an ellipsis; also each word after
   * `longestRun` others, so that nothing is sent whole that was too long to be looked up.
   */
  replaced(text: string, isKept: (token: Token) => boolean, longestRun = Infinity): string {
    const tokens = tokensOf(text);
    let result = '';
    let copiedTo = 0;
    let runLength = 0;
    for (let at = 0; at < tokens.length;) {
      const run = this.#runAt(tokens, at);
      const [first] = run;
      const last = run.at(-1);
      if (first === undefined || last === undefined) break;
      const value = this.#byKey.get(signKeyOf(run))?.sign;
      const sign = value ?? (isKept(first) && runLength < longestRun ? null : '…');
      runLength = sign === null ? runLength + 1 : 0;
      if (sign !== null) {
        result += text.slice(copiedTo, first.start) + sign;
        copiedTo = last.end;
      }
      at += run.length;
    }
    return result + text.slice(copiedTo);
  }

  /** Returns the longest value that starts at a token, or the token alone. */
  #runAt(tokens: readonly Token[], at: number): readonly Token[] {
    for (let length = Math.min(2 * maxRun, tokens.length - at); length > 1; length -= 1) {
      const run = tokens.slice(at, at + length);
      if (this.#byKey.has(signKeyOf(run))) return run;
    }
    return tokens.slice(at, at + 1);
  }
}

/**
 * Returns a conversation as it may be sent. Values that the lookup found become signs. The question is otherwise sent as
 * typed. Of the messages before, which clients may have copied from answers, only known words are sent.
 * specification/ai-charts#what-is-sent-and-what-is-not
 */
export function sentConversation(profile: Profile, conversation: Conversation, found: FoundValues): SentConversation {
  const { earlier, asked } = messagesOf(conversation);
  const signs = new ValueSigns();
  const known = new KnownWords(profile);
  for (const message of [...earlier, asked]) {
    const { words, mentions, language } = wordsIn(profile, message, conversation.today);
    for (const named of namedValues(profile, words, mentions, language, found))
      signs.add(named.text, quote(words, named), [named.found, ...named.members], !named.isGroup);
  }
  for (const text of [...copiedTexts(known, conversation), ...[...earlier, asked].flatMap(idsIn)]) {
    const members = (found.byText.get(text) ?? []).filter(({ distance }) => distance === 0 || isId(text));
    if (members.length > 0) signs.add(text, text, members, false);
  }
  const isKept = (token: Token): boolean => known.has(token);
  // The reader counts marks as words, so that it may read less of a long question than is sent.
  const isCut = wordsOf(asked).length === maxWords;
  return {
    question: signs.replaced(asked, isCut ? isKept : () => true),
    earlier: earlier.map((message) => signs.replaced(message, isKept, maxRun)),
    values: signs.bySign(),
  };
}
