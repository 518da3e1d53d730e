import type { Association } from '../../resource/define.ts';

/**
 * Returns the level of a link after an associate. A flag that is sent as false lowers the previous level below its own;
 * the highest flag that is sent as true raises it. Returns the default level, or null, if no level remains.
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
  // Levels are cumulative: *modify* is impossible without *read*.
  const below = known.filter(([name]) => flags[name] === false).map(([, level]) => level - 1);
  const lowered = Math.min(before ?? 0, ...below);
  const raised = known.filter(([name]) => flags[name] === true).map(([, level]) => level);
  const level = Math.max(lowered, ...raised, 0);
  return level === 0 ? (levels.default ?? null) : level;
}
