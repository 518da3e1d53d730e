const secondsOf = {
  s: 1,
  second: 1,
  sec: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
  w: 604_800,
  week: 604_800,
  month: 2_592_000,
  y: 31_536_000,
  year: 31_536_000,
} as const;
const isUnit = (word: string): word is keyof typeof secondsOf => Object.hasOwn(secondsOf, word);

/**
 * Returns the seconds of a duration such as "24 hours", "10 minutes" or "30 s"; null if the text is no duration. A
 * month has 30 days.
 */
export function durationSeconds(text: string): number | null {
  const [, count, word = ''] = /^\s*(\d{1,9})\s*([a-z]+)\s*$/iu.exec(text) ?? [];
  if (count === undefined) return null;
  const lowerWord = word.toLowerCase();
  const unit = isUnit(lowerWord) ? lowerWord : lowerWord.replace(/s$/u, '');
  return isUnit(unit) ? Number(count) * secondsOf[unit] : null;
}
