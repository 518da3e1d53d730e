/** Returns the wall clock of `timeZone` as a UTC time, so that the UTC formats of d3 show local time. */
export function wallClock(at: Date, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    calendar: 'gregory',
    numberingSystem: 'latn',
    ...({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const),
    ...({ minute: 'numeric', second: 'numeric', fractionalSecondDigits: 3 } as const),
  }).formatToParts(at);
  const part = (type: string): number => Number(parts.find((candidate) => candidate.type === type)?.value ?? 0);
  const ms = part('fractionalSecond');
  return new Date(
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'), ms),
  );
}
