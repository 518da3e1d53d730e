import { unknownWord, type Json, type JsonObject } from '@inlay/contract';
import type { Faults } from '../../problems/problem.ts';
import type { Association } from '../../resource/define.ts';
import { checkField } from '../../declare/properties.ts';

/** Flags and properties of an associate request. */
export interface LinkProperties {
  /** The sent flags. The highest flag that is true determines the level of the link. */
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
