import { isTimeZone, timeZoneFault, type Fault, type Json } from '@inlay/contract';

/** Rejects names that are not in the IANA time zone database. */
export function timeZone(value: Json, at: string, fault: Fault): void {
  if (typeof value === 'string' && !isTimeZone(value)) fault(at, timeZoneFault);
}
