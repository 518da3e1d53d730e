import type { Fault, Json } from '@inlay/contract';

/** A web address without user name or password. */
export function webAddress(value: Json, at: string, fault: Fault): void {
  if (typeof value !== 'string') return;
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const isWeb =
    parsed !== undefined && /^https?:$/u.test(parsed.protocol) && parsed.username === '' && parsed.password === '';
  if (!isWeb) fault(at, 'must be an https address without user name or password');
}
