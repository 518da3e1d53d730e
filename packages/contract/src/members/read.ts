import { isObject, listOr, type Json, type JsonObject } from '../json.ts';
import { isListKind, isPlainKind, kindFault } from './kinds.ts';
import type { Member, MemberKind, Members } from './member.ts';
import type { ValueOf } from './value.ts';

/** The members of an object that have their declared kind. The same applies to the members within them. */
export type ReadMembers<All extends Readonly<Record<string, Member>>> = {
  readonly [Name in keyof All]?: ReadKind<All[Name]>;
};
type ReadKind<One extends Member> = One['kind'] extends {
  readonly members: infer Inner extends Readonly<Record<string, Member>>;
}
  ? One['kind'] extends { readonly free: true }
    ? JsonObject
    : ReadMembers<Inner>
  : One['kind'] extends { readonly each: { readonly members: infer Inner extends Readonly<Record<string, Member>> } }
    ? readonly ReadMembers<Inner>[]
    : ValueOf<One>;

function readKind(kind: MemberKind, value: Json): Json | undefined {
  if (kindFault(kind, value) !== null) return undefined;
  if (isPlainKind(kind)) return value;
  if (!isListKind(kind)) return isObject(value) ? declaredIn(kind, value) : undefined;
  return listOr(value).flatMap((entry) => readKind(kind.each, entry) ?? []);
}

function declaredIn({ members, free }: Members, value: JsonObject): JsonObject {
  if (free === true) return value;
  const readEntries = Object.entries(value).flatMap(([name, member]) => {
    const declaration = Object.hasOwn(members, name) ? members[name] : undefined;
    const readValue = declaration === undefined || member === null ? undefined : readKind(declaration.kind, member);
    const isKnown =
      declaration?.values === undefined || declaration.values.some((knownValue) => knownValue === readValue);
    return readValue === undefined || !isKnown ? [] : [[name, readValue] as const];
  });
  return Object.fromEntries(readEntries);
}

const isRead = <All extends Readonly<Record<string, Member>>>(
  declared: { readonly members: All },
  members: JsonObject,
): members is JsonObject & ReadMembers<All> =>
  Object.keys(members).every((name) => Object.hasOwn(declared.members, name));

/**
 * Reads the members of an object that have their declared kind, with their types. Leaves out unknown members, members
 * of the wrong kind and nulls.
 */
export function readMembers<All extends Readonly<Record<string, Member>>>(
  declared: { readonly members: All },
  value: JsonObject,
): ReadMembers<All> {
  const declaredMembers = declaredIn(declared, value);
  return isRead(declared, declaredMembers) ? declaredMembers : {};
}
