import ipaddr from 'ipaddr.js';
import { mayReach, type OutboundPolicy } from './policy.ts';
import { OutboundProblem } from './problem.ts';

/** Ports below 1024 belong to other services, except the two of HTTP. */
const isHttpPort = (port: number): boolean => port === 80 || port === 443 || port >= 1024;

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/**
 * Parses an address to call: https (http if the operator allows private hosts), no user name or password, an HTTP port.
 * Raises OutboundProblem `url`.
 */
export function checkedUrl(address: string | URL, base: URL | undefined, policy: OutboundPolicy): URL {
  const refuse = (message: string): OutboundProblem => new OutboundProblem('url', message);
  const text = String(address);
  if (!URL.canParse(text, base?.href)) throw refuse('The address is not a web address.');
  const url = new URL(text, base?.href);
  const mayBePlain = policy.allowPrivateHosts || policy.allowHosts.length > 0;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain))
    throw refuse('The address must begin with https.');
  if (url.username !== '' || url.password !== '') throw refuse('The address must not hold a user name or password.');
  if (!policy.allowPrivateHosts && policy.allowHosts.length === 0 && !isHttpPort(portOf(url)))
    throw refuse('The port of the address is not one of the web.');
  url.hash = '';
  return url;
}

const localName = /(?:^|\.)(?:localhost|local|internal)$/u;

/**
 * True if the text of an address can be allowed: a public address with https, or one that the operator lists. Names are
 * resolved, and their addresses checked, on connecting.
 */
export function mayBeReached(address: string, policy: OutboundPolicy): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const isPlain = url.protocol !== 'https:';
  const host = url.hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
  if (ipaddr.isValid(host)) return mayReach(host, portOf(url), policy, isPlain);
  if (policy.allowPrivateHosts || policy.allowHosts.some(({ port }) => port === portOf(url))) return true;
  return !isPlain && !localName.test(host) && host.includes('.');
}
