import type { Association } from '../../resource/define.ts';

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
