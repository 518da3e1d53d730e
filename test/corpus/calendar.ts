/** Periods and zones for the plain evaluator, by the calendar of JavaScript; it shares no code with the compiler. */
const dayMs = 86_400_000;
const quarterMs = 900_000;

/** Offset of a zone at an instant, kept by quarters of an hour: no zone changes its offset in between. */
export const offsets = (zone: string): ((ms: number) => number) => {
  if (zone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const known = new Map<number, number>();
  return (ms) => {
    const quarter = Math.floor(ms / quarterMs) * quarterMs;
    const found = known.get(quarter) ?? Date.parse(`${format.format(quarter).replace(' ', 'T')}Z`) - quarter;
    known.set(quarter, found);
    return found;
  };
};

/** A zone with what is known of it. */
export interface Zone {
  readonly name: string;
  readonly offset: (ms: number) => number;
}
export const zoneOf = (name: string): Zone => ({ name, offset: offsets(name) });
export const utc = zoneOf('UTC');

/** Returns the wall clock of an instant, as milliseconds as if the zone were UTC. */
export const toLocal = (ms: number, zone: Zone): number => ms + zone.offset(ms);

/** Returns the first instant with that wall clock; where there is none, the first after. */
export const toUtc = (local: number, zone: Zone): number => {
  if (zone.name === 'UTC') return local;
  const [before, after] = [local - zone.offset(local - dayMs), local - zone.offset(local + dayMs)].toSorted(
    (one, other) => one - other,
  );
  const exact = [before, after].find((ms) => ms !== undefined && toLocal(ms, zone) === local);
  if (exact !== undefined) return exact;
  for (let ms = Math.floor((local - dayMs) / quarterMs) * quarterMs; ; ms += quarterMs) {
    if (toLocal(ms, zone) >= local) return ms;
  }
};

const months = (level: number): number => [0, 12, 3, 1][level] ?? 0;
const lengths: Readonly<Record<number, number>> = { 4: 7 * dayMs, 5: dayMs, 6: 3_600_000, 7: 60_000, 8: 1000, 9: 1 };

const startOfLocal = (local: number, level: number, weekstart: number): number => {
  const date = new Date(local);
  if (level <= 3) {
    const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
    const first = Math.floor(month / months(level)) * months(level);
    return Date.UTC(Math.floor(first / 12), first % 12, 1);
  }
  // 29 December 1969 was a Monday.
  const origin = level === 4 ? (weekstart - 1 - 3) * dayMs : 0;
  const length = lengths[level] ?? 1;
  return Math.floor((local - origin) / length) * length + origin;
};

/** Returns the instant at which the period begins in which another lies. */
export const startOf = (ms: number, level: number, zone: Zone, weekstart: number): number => {
  const local = toLocal(ms, zone);
  const start = startOfLocal(local, level, weekstart);
  return level >= 6 ? ms - (local - start) : toUtc(start, zone);
};

const yearOf = (local: number): number => new Date(local).getUTCFullYear();
const dayOf = (local: number): number => Math.floor((local - Date.UTC(yearOf(local), 0, 1)) / dayMs) + 1;

/** The part of a wall clock that is answered, by its name on the wire. */
const parts: Readonly<Record<string, (local: number, weekstart: number) => number>> = {
  weekday: (local) => ((new Date(local).getUTCDay() + 6) % 7) + 1,
  month: (local) => new Date(local).getUTCMonth() + 1,
  quarter: (local) => Math.floor(new Date(local).getUTCMonth() / 3) + 1,
  // A week belongs to the year that has four of its days.
  week: (local, weekstart) => Math.ceil(dayOf(startOfLocal(local, 4, weekstart) + 3 * dayMs) / 7),
  day_in_month: (local) => new Date(local).getUTCDate(),
  day_in_year: (local) => dayOf(local),
  hour_in_day: (local) => new Date(local).getUTCHours(),
  minute_in_hour: (local) => new Date(local).getUTCMinutes(),
};

/** Returns a part of an instant, and its place in the order of such parts. */
export const partOf = (
  ms: number,
  part: string,
  zone: Zone,
  weekstart: number,
): { readonly place: number; readonly shown: number } => {
  const name = part.replace(/_(?:name|number)$/, '');
  const shown = parts[name]?.(toLocal(ms, zone), weekstart) ?? Number.NaN;
  return { shown, place: name === 'weekday' ? (shown + 7 - weekstart) % 7 : shown };
};

/** Returns the instant this many periods away by the calendar of the zone. */
export const move = (ms: number, level: number, count: number, zone: Zone): number => {
  if (level >= 6) return ms + count * (lengths[level] ?? 1);
  const local = toLocal(ms, zone);
  if (level >= 4) return toUtc(local + count * (lengths[level] ?? 1), zone);
  const date = new Date(local);
  const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count * months(level), 1));
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(date.getUTCDate(), last));
  return toUtc(target.getTime() + (((local % dayMs) + dayMs) % dayMs), zone);
};
