import ipaddr from 'ipaddr.js';

/**
 * Returns the address by which a sender is counted. Of an IPv6 address only the first 64 bits count, since a host
 * controls that whole network. An IPv4-mapped IPv6 address counts as IPv4. Other text is returned unchanged.
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
