import type { ItemType } from '../charts.ts';
import type { Json } from '../json.ts';

/** What a member of a dashboard's contents holds. */
export type MemberKind = 'text' | 'number' | 'boolean' | 'words' | 'color' | 'quantity' | 'any' | Members | ListOf;

/** A list of objects or of plain values. */
export interface ListOf {
  readonly each: Members | 'text' | 'number' | 'color' | 'any';
}

/** One member: what it holds, what it does, and its value where none is given. */
export interface Member {
  readonly kind: MemberKind;
  readonly description: string;
  /** The closed set of its values. */
  readonly values?: readonly Json[];
  readonly default?: Json;
  readonly required?: true;
  /** A number must be whole, and no less. */
  readonly whole?: number;
  /** The types of item that have it; all where none are named. */
  readonly of?: readonly ItemType[];
}

/** The members of an object, by name. `free`: further members are other people's and never named. */
export interface Members {
  readonly members: Readonly<Record<string, Member>>;
  readonly free?: true;
}

/** Declares a member. */
export const member = (
  kind: MemberKind,
  description: string,
  more: Omit<Member, 'kind' | 'description'> = {},
): Member => ({
  kind,
  description,
  ...more,
});
/** The members of an object. */
export const of = (members: Readonly<Record<string, Member>>): Members => ({ members });
/** A text, or one per language. */
export const words = 'words';
