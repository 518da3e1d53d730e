import { unknownWord, type Json, type JsonObject } from '@inlay/contract';
import type { Faults } from '../../problems/problem.ts';
import type { Association } from '../../resource/define.ts';
import { checkField } from '../../declare/properties.ts';

/** Flags and properties of an associate request. */
export interface LinkProperties {
  /** The sent flags; the highest one that is true determines the level. */
  readonly flags: Readonly<Record<string, boolean>>;
  readonly set: JsonObject;
}

/**
 * Checks flags and link properties against the association. At least one flag must be sent, since rights have no
 * default. specification/rights#levels
 */
export function checkLink(
  association: Association,
  sent: JsonObject,
  at: string,
  undo: boolean,
  faults: Faults,
): LinkProperties {
  const { levels, properties = {} } = association;
  const flagNames = Object.keys(levels?.flags ?? {});
  const flags: Record<string, boolean> = {};
  const set: Record<string, Json> = {};
  for (const [name, value] of Object.entries(sent)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field !== undefined) set[name] = checkField(field, value, `${at}.${name}`, faults);
    else if (!flagNames.includes(name))
      faults.add(`${at}.${name}`, unknownWord(name, [...flagNames, ...Object.keys(properties)]));
    else if (typeof value === 'boolean') flags[name] = value;
    else if (value !== null) faults.add(`${at}.${name}`, 'must be true or false');
  }
  const needsFlag = levels !== undefined && levels.default === undefined && !undo;
  if (needsFlag && Object.keys(flags).length === 0) faults.add(at, `needs one of: ${flagNames.join(', ')}`);
  return { flags, set };
}

/**
 * Computes the level after an associate: the highest true flag, otherwise the previous level, but below every false
 * flag. Flags not sent are unchanged.
 */
export function levelAfter(
  association: Association,
  before: number | null,
  flags: Readonly<Record<string, boolean>>,
): number | null {
  const { levels } = association;
  if (levels === undefined) return null;
  const known = Object.entries(levels.flags);
  const named = Object.entries(flags);
  if (named.length === 0) return before ?? levels.default ?? null;
  // Levels are cumulative: without read there is no modify.
  const below = known.filter(([name]) => flags[name] === false).map(([, level]) => level - 1);
  const lowered = Math.min(before ?? 0, ...below);
  const raised = known.filter(([name]) => flags[name] === true).map(([, level]) => level);
  const level = Math.max(lowered, ...raised, 0);
  return level === 0 ? (levels.default ?? null) : level;
}
