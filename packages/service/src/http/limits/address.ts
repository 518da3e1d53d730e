import ipaddr from 'ipaddr.js';

/**
 * Returns the address by which a sender is counted: the first 64 bits of IPv6, since a host controls that whole
 * network; IPv4-mapped IPv6 as IPv4. Returns other text unchanged.
 */
export function countedAddress(ip: string | undefined): string {
  // A closed connection has no address.
  if (ip === undefined) return '';
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const ipAddress = ipaddr.process(ip);
  if (!(ipAddress instanceof ipaddr.IPv6)) return ipAddress.toString();
  const network = ipAddress.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
