import ipaddr from 'ipaddr.js';
import { mayReach, type OutboundPolicy } from './policy.ts';
import { OutboundProblem } from './problem.ts';

/** True for the two standard ports of HTTP, and from 1024 on. Other ports below 1024 belong to other services. */
const isHttpPort = (port: number): boolean => port === 80 || port === 443 || port >= 1024;

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/**
 * Parses an address to call. It must use https (http only if the operator allows private hosts) and an HTTP port, and
 * have no user name or password. Raises OutboundProblem `url`.
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
 * True if the text of an address may be allowed: a public address with https, or an address that the operator lists. A
 * name is resolved, and its addresses are checked, only when a connection is made.
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
