import type { Json } from '../json.ts';

/** Kinds of plain values. `words` is a text, or one text per language. `quantity` is a number or a length. */
export type PlainKind = 'text' | 'number' | 'boolean' | 'words' | 'color' | 'quantity' | 'any';
/** The kind of value that a member has. */
export type MemberKind = PlainKind | Members | ListOf;

/** A list of objects or of plain values. */
export interface ListOf {
  readonly each: Members | 'text' | 'number' | 'color' | 'any';
}

/** Rules about the value of a member. */
export interface MemberRules {
  /** All values that the member may have. */
  readonly values?: readonly Json[];
  /** Default value. */
  readonly default?: Json;
  readonly required?: true;
  /** Members of the same object beside which the member is not required. */
  readonly unless?: readonly string[];
  /** If set, the value must be a whole number that is not below this one. */
  readonly whole?: number;
  /** If true, a value of the wrong kind is refused. Otherwise it only causes a warning. */
  readonly checked?: true;
}

/** A member of an object. */
export interface Member extends MemberRules {
  readonly kind: MemberKind;
  readonly description: string;
}

/** The members of an object, by name. If `free`, further members may have any name. */
export interface Members {
  readonly members: Readonly<Record<string, Member>>;
  readonly free?: true;
}

export interface MemberOf<Kind extends MemberKind> {
  readonly kind: Kind;
  readonly description: string;
}

/** Declares a member. The type of the value follows from the declaration (`ValueOf`). */
export function member<const Kind extends MemberKind>(kind: Kind, description: string): MemberOf<Kind>;
export function member<const Kind extends MemberKind, const Rules extends MemberRules>(
  kind: Kind,
  description: string,
  rules: Rules,
): MemberOf<Kind> & Rules;
export function member(kind: MemberKind, description: string, rules: MemberRules = {}): Member {
  return { kind, description, ...rules };
}

/** Declares the members of an object. */
export const of = <const All extends Readonly<Record<string, Member>>>(members: All): { readonly members: All } => ({
  members,
});

/** The kind of a text, or one text per language. */
export const words = 'words';
