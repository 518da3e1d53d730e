import type { Fault, Json } from '@inlay/contract';

/** Rejects blank text. */
export function filled(value: Json, at: string, fault: Fault): void {
  if (typeof value === 'string' && value.trim() === '') fault(at, 'must not be empty');
}
