import { isObject, listOr, member, sameJson, type Json } from '../../../json.ts';
import type { DashboardModel } from '../../model/model.ts';
import { partRule, type Part, type PartKind } from '../../model/part.ts';
import { carryOut, type Turn } from '../apply.ts';
import { changeClasses, classesOfParts, type ChangeClass, type MemberClasses } from './change-class.ts';
import type { Change, MoveOperation } from '../operation.ts';

/** Class of undeclared members. They count as data, so that limited editors cannot change them. */
const unknownClass = 'data';

const strongest = (classes: readonly ChangeClass[]): ChangeClass =>
  changeClasses.findLast((name) => classes.includes(name)) ?? changeClasses[0];

/** Returns the classes of everything inside a part, and of the part itself. */
function classesWithin(kind: PartKind, value: Json): readonly ChangeClass[] {
  const { self, members } = classesOfParts[kind];
  return [self, ...classesBetween(kind, members, {}, value)];
}

/** Returns the classes of the members that differ between two values. */
function classesBetween(kind: PartKind, classes: MemberClasses, before: Json, after: Json): readonly ChangeClass[] {
  if (!isObject(before) || !isObject(after)) return [unknownClass];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [one, other] = [member(before, name), member(after, name)];
    return one !== undefined && other !== undefined && sameJson(one, other)
      ? []
      : memberClasses(kind, classes, name, one, other);
  });
}

/** Returns the classes of the change of one member; a value is undefined where there is no such member. */
function memberClasses(
  kind: PartKind,
  classes: MemberClasses,
  name: string,
  before: Json | undefined,
  after: Json | undefined,
): readonly ChangeClass[] {
  const declared = Object.hasOwn(classes, name) ? classes[name] : undefined;
  if (declared === undefined) return [unknownClass];
  if (typeof declared === 'object') return classesBetween(kind, declared, before ?? {}, after ?? {});
  if (declared !== 'parts') return [declared];
  const innerKind = partRule(kind).lists[name];
  if (innerKind === undefined) return [unknownClass];
  const { self } = classesOfParts[innerKind];
  return [self, ...[...listOr(before), ...listOr(after)].flatMap((part) => classesWithin(innerKind, part))];
}

function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, name) => (inner !== undefined && isObject(inner) ? member(inner, name) : undefined),
    value,
  );
}

/** True if a move only changes the order of items. Without ids, the order decides which item a filter or reader means. */
function isArrangement(model: DashboardModel, part: Part, { parent, list }: MoveOperation): boolean {
  const view = model.find(parent);
  const siblings = view?.parts.filter(({ kind }) => kind === 'item') ?? [];
  return (
    list === 'items' &&
    siblings.includes(part) &&
    !siblings.some(({ isDerived, isRepeated }) => isDerived || isRepeated)
  );
}

/** Returns the class of an operation. */
export function classOf({ operation, before, model: after }: Turn): ChangeClass {
  switch (operation.kind) {
    case 'set':
    case 'unset': {
      const part = before.find(operation.part);
      if (part === null) return unknownClass;
      const changed = part.kind === 'contents' ? after.contents : after.partAt(part.path)?.value;
      const own = part.kind === 'contents' ? before.contents : part.value;
      let classes: MemberClasses | undefined = classesOfParts[part.kind].members;
      for (const [depth, name] of operation.path.entries()) {
        const path = operation.path.slice(0, depth + 1);
        const declared: MemberClasses[string] | undefined = Object.hasOwn(classes, name) ? classes[name] : undefined;
        if (typeof declared !== 'object')
          return strongest(memberClasses(part.kind, classes, name, valueAt(own, path), valueAt(changed, path)));
        classes = declared;
      }
      return strongest(
        classesBetween(part.kind, classes, valueAt(own, operation.path) ?? {}, valueAt(changed, operation.path) ?? {}),
      );
    }
    case 'insert': {
      const parent = before.find(operation.parent);
      const kind = parent === null ? undefined : partRule(parent.kind).lists[operation.list];
      return kind === undefined ? unknownClass : strongest(classesWithin(kind, JSON.parse(operation.text)));
    }
    case 'remove': {
      const part = before.find(operation.part);
      return part === null ? unknownClass : strongest(classesWithin(part.kind, part.value));
    }
    case 'move': {
      const part = before.find(operation.part);
      if (part === null) return unknownClass;
      return isArrangement(before, part, operation) ? 'layout' : strongest(classesWithin(part.kind, part.value));
    }
  }
}

/**
 * Returns the class of each operation of a change. An operation that affects members of several classes has the
 * strictest one. Undeclared members are `data`. Raises ChangeError if the change cannot be applied.
 */
export function classify(model: DashboardModel, change: Change): readonly ChangeClass[] {
  const classes: ChangeClass[] = [];
  carryOut(model, change, (turn) => classes.push(classOf(turn)));
  return classes;
}
