import type { Fault, Json } from '@inlay/contract';

/** A name of the IANA time zone database. */
export function timeZone(value: Json, at: string, fault: Fault): void {
  if (typeof value !== 'string') return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
  } catch {
    fault(at, 'must be an IANA time zone such as "Europe/Brussels"');
  }
}
