import { isList, isObject, type Json } from '../../json.ts';
import { ChangeError, changeFault } from './fault.ts';
import type { Change, Operation } from './operation.ts';

type Check = (value: Json | undefined) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isAnchor: Check = (value) => value === null || isText(value);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const isPath: Check = (value) => isList(value) && value.every((name) => typeof name === 'string');
const isSpacing: Check = (value) => hasExactly(value, { before: isText, behind: isText });

/** True for an object whose members pass their checks and that has no others. */
function hasExactly(value: Json | undefined, checks: Readonly<Record<string, Check>>): boolean {
  return (
    value !== undefined &&
    isObject(value) &&
    Object.keys(value).every((name) => Object.hasOwn(checks, name)) &&
    Object.entries(checks).every(([name, check]) => check(Object.hasOwn(value, name) ? value[name] : undefined))
  );
}

/** By kind of operation: the checks of its members. */
const memberChecks: Readonly<Record<Operation['kind'], Readonly<Record<string, Check>>>> = {
  set: {
    part: isText,
    path: isPath,
    text: isText,
    after: orAbsent(isAnchor),
    name: orAbsent(isText),
    spacing: orAbsent(isSpacing),
  },
  unset: { part: isText, path: isPath, gap: orAbsent(isText) },
  insert: { parent: isText, list: isText, after: isAnchor, text: isText, spacing: orAbsent(isSpacing) },
  remove: { part: isText, gap: orAbsent(isText) },
  move: {
    part: isText,
    parent: isText,
    list: isText,
    after: isAnchor,
    gap: orAbsent(isText),
    spacing: orAbsent(isSpacing),
  },
};

const kinds: ReadonlyMap<Json, Readonly<Record<string, Check>>> = new Map(Object.entries(memberChecks));

function isOperation(value: unknown): value is Operation {
  if (!isObject(value)) return false;
  const { kind = null, ...members } = value;
  const checks = kinds.get(kind);
  return checks !== undefined && hasExactly(members, checks);
}

/** Reads a change that was sent or stored. Raises ChangeError with each operation that is none. */
export function readChange(value: Json): Change {
  if (!isList(value)) throw new ChangeError([changeFault('operation_unreadable', '', null, 'a change must be a list')]);
  const operations = value.filter((operation): operation is Json & Operation => isOperation(operation));
  if (operations.length === value.length) return operations;
  throw new ChangeError(
    [...value.entries()].flatMap(([index, operation]) =>
      isOperation(operation) ? [] : [changeFault('operation_unreadable', '', index)],
    ),
  );
}
