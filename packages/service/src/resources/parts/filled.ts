import type { Fault, Json } from '@inlay/contract';

export function filled(value: Json, at: string, fault: Fault): void {
  if (typeof value === 'string' && value.trim() === '') fault(at, 'must not be empty');
}
