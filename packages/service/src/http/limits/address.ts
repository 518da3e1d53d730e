import ipaddr from 'ipaddr.js';

/**
 * The address that a sender is counted by: of IPv6 the first 64 bits, since whoever has one address there has all of that
 * network; an IPv4 address mapped into IPv6 as what it is. A text that is no address stays as it is.
 */
export function countedAddress(ip: string | undefined): string {
  // A connection that is gone has none.
  if (ip === undefined) return '';
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const parsed = ipaddr.process(ip);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
