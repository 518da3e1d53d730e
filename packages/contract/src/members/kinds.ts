import { isColor } from '../color.ts';
import { isList, isObject, type Json } from '../json.ts';
import type { ListOf, MemberKind, Members, PlainKind } from './member.ts';

type KindRule = readonly [fits: (value: Json) => boolean, what: string];

const plainKinds: Readonly<Record<PlainKind, KindRule>> = {
  any: [() => true, ''],
  text: [(value) => typeof value === 'string', 'a text'],
  number: [(value) => typeof value === 'number', 'a number'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  words: [(value) => typeof value === 'string' || isObject(value), 'a text, or one per language'],
  color: [(value) => typeof value === 'string' && isColor(value), 'a CSS colour'],
  quantity: [(value) => typeof value === 'number' || typeof value === 'string', 'a number or a length'],
};

export const isPlainKind = (kind: MemberKind): kind is PlainKind => typeof kind === 'string';
export const isListKind = (kind: Members | ListOf): kind is ListOf => 'each' in kind;

const ruleOf = (kind: MemberKind): KindRule =>
  isPlainKind(kind) ? plainKinds[kind] : isListKind(kind) ? [isList, 'a list'] : [isObject, 'an object'];

/** Returns the fault of a value that is not of a kind, such as `must be a text`; null if the value is of that kind. */
export function kindFault(kind: MemberKind, value: Json): string | null {
  const [fits, what] = ruleOf(kind);
  return fits(value) ? null : `must be ${what}`;
}
