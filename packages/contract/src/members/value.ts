import type { Json, JsonObject } from '../json.ts';
import type { Member, MemberKind } from './member.ts';

/** A text, or one text per language. */
export type Words = string | Readonly<Record<string, string>>;

interface PlainValues {
  readonly text: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly words: Words;
  readonly color: string;
  readonly quantity: number | string;
  readonly any: Json;
}

type ValueOfKind<Kind extends MemberKind> = Kind extends keyof PlainValues
  ? PlainValues[Kind]
  : Kind extends { readonly free: true }
    ? JsonObject
    : Kind extends { readonly members: infer All extends Readonly<Record<string, Member>> }
      ? ObjectOf<All>
      : Kind extends { readonly each: infer Each extends MemberKind }
        ? readonly ValueOfKind<Each>[]
        : never;

/** The type of the value of a declared member. */
export type ValueOf<One extends Member> = One extends { readonly values: readonly (infer Value)[] }
  ? Value
  : ValueOfKind<One['kind']>;

type RequiredNames<All extends Readonly<Record<string, Member>>> = {
  [Name in keyof All]: All[Name] extends { readonly required: true } ? Name : never;
}[keyof All];

/** The type of an object with declared members. */
export type ObjectOf<All extends Readonly<Record<string, Member>>> = {
  readonly [Name in RequiredNames<All>]: ValueOf<All[Name]>;
} & { readonly [Name in Exclude<keyof All, RequiredNames<All>>]?: ValueOf<All[Name]> };
