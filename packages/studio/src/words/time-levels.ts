/** Levels of a time, from 1, by the names that browsers have for them. */
export const timeLevels = ['year', 'quarter', 'month', 'weekOfYear', 'day', 'hour', 'minute', 'second'] as const;

/** Returns what a level of a time is called. */
export function levelName(locale: string, level: (typeof timeLevels)[number]): string {
  const name = new Intl.DisplayNames(locale, { type: 'dateTimeField' }).of(level) ?? level;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}
