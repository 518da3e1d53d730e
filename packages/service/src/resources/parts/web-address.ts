import type { Fault, Json } from '@inlay/contract';
import ipaddr from 'ipaddr.js';

/** A web address without user name or password. */
export function webAddress(value: Json, at: string, fault: Fault): void {
  if (typeof value !== 'string') return;
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const isWeb =
    parsed !== undefined && /^https?:$/u.test(parsed.protocol) && parsed.username === '' && parsed.password === '';
  if (!isWeb) fault(at, 'must be an https address without user name or password');
}

/**
 * Whether an address is https and may be public, as far as its text tells: a name is looked up only when a connection is
 * made, and guarded again there.
 */
export function isPublicAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
  if (protocol !== 'https:' || /(?:^|\.)(?:localhost|local|internal)$/u.test(host)) return false;
  return ipaddr.isValid(host) ? ipaddr.process(host).range() === 'unicast' : host.includes('.');
}
