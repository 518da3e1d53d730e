import { editDistance, foldedText, typosAllowed } from './folded-text.ts';

/** A member of a column: its id as a filter takes it, and the texts that it is shown as. */
export interface ColumnMember {
  readonly id: string;
  readonly texts: readonly string[];
}

/** A member that a text names. */
export interface MemberMatch {
  readonly member: ColumnMember;
  /** 0 if the texts are equal after folding, otherwise the number of typos; 1 for a part of the member. */
  readonly distance: number;
}

/** Maximum number of members that one text names in a column. Further members say nothing. */
const maxMatches = 5;
/** Shorter parts ("of", "x") name nothing. */
const minPartLetters = 3;

/** Bytes that an entry takes besides its texts: maps, objects and headers of strings. */
const entryBytes = 320;

const bucketOf = (folded: string): string => `${folded.charAt(0)}${folded.length}`;

/** Finds members of one column by text. specification/ai-charts#values */
export class MemberIndex {
  readonly #byText = new Map<string, ColumnMember[]>();
  /** By first word: the folded texts that start with it or have it further on. */
  readonly #byWord = new Map<string, string[]>();
  /** By first letter and length. A typo in the first letter is not looked for. */
  readonly #buckets = new Map<string, string[]>();
  /** Estimated size in memory. */
  readonly bytes: number;

  constructor(members: Iterable<ColumnMember>) {
    let bytes = 0;
    for (const member of members) {
      for (const folded of new Set([member.id, ...member.texts].map(foldedText))) {
        if (folded === '') continue;
        bytes += entryBytes + 2 * (member.id.length + 3 * folded.length);
        this.#add(folded, member);
      }
    }
    this.bytes = bytes;
  }

  #add(folded: string, member: ColumnMember): void {
    const sameMembers = this.#byText.get(folded);
    if (sameMembers !== undefined) {
      sameMembers.push(member);
      return;
    }
    this.#byText.set(folded, [member]);
    const append = (map: Map<string, string[]>, key: string): void => {
      const texts = map.get(key);
      if (texts === undefined) map.set(key, [folded]);
      else texts.push(folded);
    };
    append(this.#buckets, bucketOf(folded));
    const words = new Set(folded.split(' '));
    if (words.size > 1) for (const word of words) append(this.#byWord, word);
  }

  /** Returns the members that a text names, nearest first: equal ones, else the only one with this part, else typos. */
  find(text: string): readonly MemberMatch[] {
    const equalMatches = this.findEqual(text);
    if (equalMatches.length > 0) return equalMatches;
    const folded = foldedText(text);
    const part = this.#withPart(folded);
    return part === null ? this.#withTypos(folded) : [{ member: part, distance: 1 }];
  }

  /** Returns the members that are equal to a text after folding. */
  findEqual(text: string): readonly MemberMatch[] {
    const members = this.#byText.get(foldedText(text)) ?? [];
    return members.slice(0, maxMatches).map((member) => ({ member, distance: 0 }));
  }

  /** Returns the only member that has these whole words, one after the other; null if none or several have them. */
  #withPart(folded: string): ColumnMember | null {
    if (folded.length < minPartLetters) return null;
    const [firstWord = ''] = folded.split(' ');
    const found = new Set<ColumnMember>();
    for (const text of this.#byWord.get(firstWord) ?? []) {
      if (!` ${text} `.includes(` ${folded} `)) continue;
      for (const member of this.#byText.get(text) ?? []) found.add(member);
      if (found.size > 1) return null;
    }
    return found.values().next().value ?? null;
  }

  #withTypos(folded: string): readonly MemberMatch[] {
    const most = typosAllowed(folded.length);
    const matches: MemberMatch[] = [];
    for (let length = folded.length - most; most > 0 && length <= folded.length + most; length += 1) {
      for (const text of this.#buckets.get(`${folded.charAt(0)}${length}`) ?? []) {
        const distance = editDistance(folded, text, most);
        if (distance <= most) for (const member of this.#byText.get(text) ?? []) matches.push({ member, distance });
      }
    }
    const nearest = Math.min(...matches.map(({ distance }) => distance));
    return matches.filter(({ distance }) => distance === nearest).slice(0, maxMatches);
  }
}
