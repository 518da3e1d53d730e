import type { Socket } from 'node:net';
import { guardedConnect, systemResolve, type ConnectOptions, type Guard, type Resolve } from './connect.ts';
import { guardedDispatcher, type DispatcherOptions } from './dispatcher.ts';
import { guardedFetch, type FetchOptions, type OutboundAnswer } from './fetch.ts';
import type { OutboundPolicy } from './policy.ts';

import { OutboundProblem } from './problem.ts';

export { OutboundProblem, outboundProblem, type OutboundCause } from './problem.ts';
export type { FetchOptions, OutboundAnswer } from './fetch.ts';
export { agentOf } from './agent.ts';
export { httpClientOver, type HttpClient } from './http-client.ts';
export { mayBeReached } from './url.ts';
export type { AllowedNetwork, OutboundPolicy } from './policy.ts';
export type { ConnectOptions, Resolve } from './connect.ts';
export { secured, tlsOptions, type SecureOptions } from './secure.ts';

/**
 * The only way by which this service calls other hosts: HTTP and sockets. Each connection goes to a checked address.
 */
export interface Outbound {
  /** Sends an HTTP request. Raises OutboundProblem. An answer of any status is returned. */
  fetch(address: string | URL, options: FetchOptions): Promise<OutboundAnswer>;
  /** Opens a TCP connection. Raises OutboundProblem. */
  connect(host: string, port: number, options: ConnectOptions): Promise<Socket>;
  /** Closes kept-alive connections. Calls in flight fail. */
  close(): Promise<void>;
}

export interface OutboundOptions extends DispatcherOptions {
  readonly policy: OutboundPolicy;
  /** Resolves names to addresses; by default, the system's resolver. */
  readonly resolve?: Resolve;
  /** Called with host and port of a connection that the policy has refused. */
  readonly refused?: (place: string) => void;
}

/**
 * Returns an outbound for connections to one host and port, which the operator names and which may be private. It
 * reaches nothing else.
 */
export function outboundTo(onlyHost: string, onlyPort: number): Outbound {
  const outbound = createOutbound({ policy: { allowPrivateHosts: true, allowHosts: [] } });
  const refuse = (): Promise<never> =>
    Promise.reject(new OutboundProblem('forbidden_address', 'Only the cluster may be reached.'));
  return {
    ...outbound,
    fetch: refuse,
    connect: (host, port, options) =>
      host === onlyHost && port === onlyPort ? outbound.connect(host, port, options) : refuse(),
  };
}

/**
 * Returns HTTP calls to one origin, which the operator names and which may be private. They reach nothing else, and
 * redirects are not followed.
 */
export function fetchFrom(onlyOrigin: string): Pick<Outbound, 'fetch'> {
  const outbound = createOutbound({ policy: { allowPrivateHosts: true, allowHosts: [] } });
  return {
    fetch: (address, options) =>
      new URL(address).origin === onlyOrigin
        ? outbound.fetch(address, { ...options, redirects: 0 })
        : Promise.reject(new OutboundProblem('forbidden_address', 'Only the address in the settings may be reached.')),
  };
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'http:' ? '80' : '443');

export function createOutbound({
  policy,
  resolve = systemResolve,
  refused = () => undefined,
  ...options
}: OutboundOptions): Outbound {
  const noting = async <Result>(place: () => string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OutboundProblem && error.cause === 'forbidden_address') refused(place());
      throw error;
    }
  };
  const guard: Guard = { policy, resolve };
  let dispatcher: ReturnType<typeof guardedDispatcher> | undefined;
  return {
    fetch: (address, call) =>
      noting(
        () => `${new URL(address).hostname}:${portOf(new URL(address))}`,
        async () => guardedFetch(await (dispatcher ??= guardedDispatcher(guard, options)), policy, address, call),
      ),
    connect: (host, port, call) =>
      noting(
        () => `${host}:${port}`,
        () => guardedConnect(guard, host, port, call),
      ),
    close: async () => (await dispatcher)?.destroy(),
  };
}
