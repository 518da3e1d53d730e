import { BlockList, isIP } from 'node:net';
import { isList, type Fault, type Json } from '@inlay/contract';

/** Parses an address or a network such as `10.1.0.0/16`; null if invalid. */
function networkOf(
  text: string,
): { readonly address: string; readonly bits: number; readonly family: 'ipv4' | 'ipv6' } | null {
  const [address = '', length, ...rest] = text.trim().split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/u.test(length))) return null;
  const maxBits = version === 4 ? 32 : 128;
  const bits = length === undefined ? maxBits : Number(length);
  return bits > maxBits ? null : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Checks a list of networks. */
export function checkNetworks(value: Json, at: string, fault: Fault): void {
  if (!isList(value) || value.length > 100) return fault(at, 'must be a list of at most 100 addresses or networks');
  value.forEach((entry, index) => {
    if (typeof entry !== 'string' || networkOf(entry) === null)
      fault(`${at}[${index}]`, 'must be an address such as "192.0.2.7" or a network such as "10.1.0.0/16"');
  });
}

/** True if an address is in one of the networks; always false for an empty list. */
export function isWithin(networks: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const network of networks.flatMap((entry) => networkOf(entry) ?? []))
    list.addSubnet(network.address, network.bits, network.family);
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
