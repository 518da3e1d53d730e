import { move, startOf, type Level, type Zone } from './zone.ts';

/** A span from `from` to before `until`, in milliseconds since 1970. A null end is unlimited. */
export interface Span {
  readonly from: number | null;
  readonly until: number | null;
}

export interface Clock {
  readonly nowMs: number;
  readonly zone: Zone;
  readonly weekstart: number;
}

/**
 * Returns the span of a relative date. `last_available` is not included, because it depends on the data. `last_now`:
 * from `quantity` units ago until now. `to_date`: from the start of the current unit, or of the unit `quantity` − 1
 * units before it, until now. `last_completed`: the `quantity` complete units before the current one. `next_now`: from
 * now until `quantity` units later. `next_full`: the `quantity` complete units after the current one. `ago`: the
 * complete unit that lies `quantity` units before the current one. `more_than_ago`: everything earlier than `quantity`
 * units ago.
 */
export function relativeSpan(expression: string, level: Level, quantity: number, clock: Clock): Span {
  const { nowMs, zone, weekstart } = clock;
  const unit = (count: number): number => move(startOf(nowMs, level, zone, weekstart), level, count, zone);
  const momentAt = (count: number): number => move(nowMs, level, count, zone);
  switch (expression) {
    case 'last_now':
      return { from: momentAt(-quantity), until: nowMs + 1 };
    case 'to_date':
      return { from: unit(1 - Math.max(quantity, 1)), until: nowMs + 1 };
    case 'last_completed':
      return { from: unit(-quantity), until: unit(0) };
    case 'next_now':
      return { from: nowMs, until: momentAt(quantity) + 1 };
    case 'next_full':
      return { from: unit(1), until: unit(1 + quantity) };
    case 'ago':
      return { from: unit(-quantity), until: unit(1 - quantity) };
    default:
      return { from: null, until: momentAt(-quantity) };
  }
}
