import type { Connection } from 'mysql2/promise';
import { offsets } from './calendar.ts';

const quarterMs = 900_000;
const stepMs = 10 * 86_400_000;

/**
 * Returns the moments at which the offset of a zone changes, to the quarter of an hour, and the offset from then on.
 */
const transitions = (zone: string): readonly { readonly at: number; readonly offset: number }[] => {
  const offset = offsets(zone);
  const found = [{ at: 0, offset: offset(0) }];
  for (let ms = stepMs; ms < Date.UTC(2037, 11, 31); ms += stepMs) {
    if (offset(ms) === offset(ms - stepMs)) continue;
    let [before, after] = [ms - stepMs, ms];
    while (after - before > quarterMs) {
      const middle = before + Math.floor((after - before) / 2 / quarterMs) * quarterMs;
      if (offset(middle) === offset(ms)) after = middle;
      else before = middle;
    }
    found.push({ at: after, offset: offset(ms) });
  }
  return found;
};

/** Fills the time zone tables, as `mariadb-tzinfo-to-sql` does, with the zones named. */
export const loadZones = async (connection: Connection, zones: readonly string[]): Promise<void> => {
  for (const [index, zone] of zones.entries()) {
    const id = index + 1;
    const changes = transitions(zone);
    const kinds = [...new Set(changes.map(({ offset }) => offset))];
    await connection.query('insert into mysql.time_zone values (?, ?)', [id, 'N']);
    await connection.query('insert into mysql.time_zone_name values (?, ?)', [zone, id]);
    await connection.query('insert into mysql.time_zone_transition_type values ?', [
      kinds.map((offset, kind) => [id, kind, offset / 1000, kind, zone.slice(0, 8)]),
    ]);
    await connection.query('insert into mysql.time_zone_transition values ?', [
      changes.map(({ at, offset }) => [id, at / 1000, kinds.indexOf(offset)]),
    ]);
  }
};
