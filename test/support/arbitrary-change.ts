import fc from 'fast-check';
import { apply } from '../../packages/contract/src/dashboard/change/apply.ts';
import { ChangeError } from '../../packages/contract/src/dashboard/change/fault.ts';
import type { Change, Operation } from '../../packages/contract/src/dashboard/change/operation.ts';
import { checkContents } from '../../packages/contract/src/dashboard/check/faults.ts';
import type { DashboardModel } from '../../packages/contract/src/dashboard/model/model.ts';
import { partRule, withInner, type Part } from '../../packages/contract/src/dashboard/model/part.ts';
import { contents, entry, filter, item, jsonText, realContents } from './arbitrary-contents.ts';

/** Numbers from which an operation on any model is made. */
export interface Draw {
  readonly numbers: readonly number[];
  readonly text: string;
}
const draw: fc.Arbitrary<Draw> = fc.record({
  numbers: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
  text: fc.oneof(item, entry, filter, jsonText),
});
/** Generates texts of contents, some of them real. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: contents },
  { weight: 1, arbitrary: fc.constantFrom(...realContents) },
);

const kinds = ['set', 'set', 'unset', 'insert', 'remove', 'move', 'move'] as const;
const names = ['title', 'options', 'id', 'type', 'position', 'items', 'é"\\', '__proto__', '2'];
const pick = <Value>(values: readonly Value[], number = 0): Value | undefined => values[number % values.length];

/** Returns a path into the values of a part, and perhaps a new member at its end. */
function pathIn({ json }: DashboardModel, part: Part, [depth = 0, ...numbers]: readonly number[]): readonly string[] {
  const path: string[] = [];
  for (const number of numbers.slice(0, 1 + (depth % 3))) {
    const keys = json.keys([...part.path, ...path]) ?? [];
    const key = pick([...keys.map(String), ...names.slice(0, 1 + (number % names.length))], number);
    if (key !== undefined) path.push(key);
  }
  return path;
}

/** Returns an operation on a model, which often can be applied. */
function operationOn(model: DashboardModel, { numbers, text }: Draw): Operation {
  const [kindNumber = 0, partNumber, ...rest] = numbers;
  const parts = withInner(model.root);
  const part = pick(parts, partNumber) ?? model.root;
  const kind = pick(kinds, kindNumber) ?? 'set';
  if (kind === 'set') return { kind, part: part.address, path: pathIn(model, part, rest), text };
  if (kind === 'unset') return { kind, part: part.address, path: pathIn(model, part, rest) };
  if (kind === 'remove') return { kind, part: part.address };
  const list = pick(Object.keys(partRule(part.kind).lists), rest[0]) ?? 'items';
  const siblings = part.parts.filter((inner) => inner.kind === partRule(part.kind).lists[list]);
  const after = pick([null, ...siblings.map(({ id }) => id)], rest[1]) ?? null;
  if (kind === 'insert') return { kind, parent: part.address, list, after, text };
  const moved = parts.filter((inner) => inner.kind === partRule(part.kind).lists[list]);
  return { kind, part: pick(moved, rest[2])?.address ?? '', parent: part.address, list, after };
}

/** Returns a change made of the draws that can be applied, one after another. */
export function changeOn(model: DashboardModel, draws: readonly Draw[]): { change: Change; model: DashboardModel } {
  let current = model;
  const change = draws.flatMap((one) => {
    const operation = operationOn(current, one);
    try {
      current = apply(current, [operation]);
      return [operation];
    } catch (error) {
      if (error instanceof ChangeError) return [];
      throw error;
    }
  });
  return { change, model: current };
}
/** Generates what a change is made of. */
export const draws: fc.Arbitrary<readonly Draw[]> = fc.array(draw, { minLength: 1, maxLength: 8 });

/** True for contents that the service stores. */
export const isValid = (model: DashboardModel): boolean => {
  let count = 0;
  checkContents(model.contents, '', () => (count += 1));
  return count === 0;
};
/** Returns the contents in one spelling, with the digits of numbers. */
export const meaningOf = ({ json }: DashboardModel): string => json.meaning([]);
