import { isTimeZone, timeZoneFault, zoneOf, type Zone } from '@inlay/contract';
import { QueryProblem } from '../../problem.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Reads an IANA zone; raises QueryProblem `timezone_unknown`. */
export function zoneNamed(name: string, at: string): Zone {
  const zone = zoneOf(name);
  if (zone === null) throw new QueryProblem('timezone_unknown', at, timeZoneFault);
  return zone;
}

/** Canonical names of the zones that changed their clocks in the middle of a UTC quarter of an hour since 1970. */
const withinQuarters = [
  'Africa/Monrovia',
  'America/Goose_Bay',
  'America/Moncton',
  'America/St_Johns',
  'Antarctica/Casey',
  'Asia/Gaza',
  'Asia/Hebron',
  'Pacific/Guam',
  'Pacific/Kiritimati',
  'Pacific/Saipan',
];

/** True if the offset of a zone is constant within every UTC quarter of an hour since 1970. */
export function hasWholeQuarters(name: string): boolean {
  return (
    isTimeZone(name) &&
    !withinQuarters.includes(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone)
  );
}

/**
 * Number of minutes after the UTC hour at which hours of the zone begin; null if this number has changed since 1970.
 */
export function minutesPastHour(zone: Zone): number | null {
  if (zone.isUtc) return 0;
  const minutes = new Set<number>();
  for (let unixMs = 0; unixMs < 2_208_988_800_000; unixMs += 182 * dayMs) {
    minutes.add(((((zone.toLocal(unixMs) - unixMs) / minuteMs) % 60) + 60) % 60);
  }
  const [only] = minutes;
  return minutes.size === 1 && only !== undefined ? only : null;
}
