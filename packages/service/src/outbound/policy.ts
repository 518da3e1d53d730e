import ipaddr from 'ipaddr.js';

/** A private network, and a port on which its addresses may be reached. */
export interface AllowedNetwork {
  /** An address and prefix length, such as `10.0.0.0/8`. */
  readonly network: string;
  readonly port: number;
}

/** Addresses that the operator allows in addition to public ones. */
export interface OutboundPolicy {
  /** True if every address is allowed, also by plain http. */
  readonly allowPrivateHosts: boolean;
  readonly allowHosts: readonly AllowedNetwork[];
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True if an address is public and unicast. IPv6 forms that embed an IPv4 address (mapped, compatible, translated,
 * 6to4, Teredo) do not count, since another network decides where they lead.
 */
export function isPublicUnicast(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ipAddress = ipaddr.parse(address);
  if (ipAddress.range() !== 'unicast') return false;
  return ipAddress instanceof ipaddr.IPv4 || ipAddress.match(globalUnicast);
}

/** True if the operator has listed exactly this address and port. */
export function isListed(address: string, port: number, { allowHosts }: OutboundPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ipAddress = ipaddr.process(address);
  return allowHosts.some((host) => {
    const [network, bits] = ipaddr.parseCIDR(host.network);
    return host.port === port && network.kind() === ipAddress.kind() && ipAddress.match(network, bits);
  });
}

/**
 * True if a connection to the address is allowed. Without TLS (`isPlain`), it does not suffice that the address is
 * public.
 */
export function mayReach(address: string, port: number, policy: OutboundPolicy, isPlain = false): boolean {
  if (policy.allowPrivateHosts || isListed(address, port, policy)) return true;
  return !isPlain && isPublicUnicast(address);
}
