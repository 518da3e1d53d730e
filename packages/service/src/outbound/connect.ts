import { lookup } from 'node:dns/promises';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { OutboundProblem, outboundProblem } from './problem.ts';
import { mayReach, type OutboundPolicy } from './policy.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a name to all its addresses; raises an error with a code such as ENOTFOUND. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolve: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' });

/** Policy and resolver of guarded connections. */
export interface Guard {
  readonly policy: OutboundPolicy;
  readonly resolve: Resolve;
}

const forbiddenAddress = (): OutboundProblem =>
  new OutboundProblem('forbidden_address', 'The host has an address that this service may not connect to.');

/**
 * Returns a lookup for a single connection. Every address of the name must be allowed, and the connection uses exactly
 * the checked addresses, so that a second DNS answer (rebinding) has no effect.
 */
function guardedLookup({ policy, resolve }: Guard, port: number, isPlain = false): LookupFunction {
  return (host, options, settle) => {
    const resolveAddresses = async (): Promise<readonly ResolvedAddress[]> => {
      const addresses = await resolve(host);
      if (addresses.length === 0) throw new OutboundProblem('unknown_host', 'The host name has no address.');
      if (!addresses.every(({ address }) => mayReach(address, port, policy, isPlain))) throw forbiddenAddress();
      return addresses;
    };
    resolveAddresses().then(
      (addresses) => {
        const ipFamily = options.family === 4 || options.family === 6 ? options.family : undefined;
        const usableAddresses = addresses.filter(({ family }) => ipFamily === undefined || family === ipFamily);
        const [firstAddress] = usableAddresses;
        if (firstAddress === undefined)
          settle(new OutboundProblem('unknown_host', 'The host name has no address.'), '');
        else if (options.all === true)
          settle(
            null,
            usableAddresses.map(({ address, family }) => ({ address, family })),
          );
        else settle(null, firstAddress.address, firstAddress.family);
      },
      (error: unknown) => settle(outboundProblem(error), ''),
    );
  };
}

export interface ConnectOptions {
  /** Deadline for connecting, in milliseconds. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** True if the traffic is unencrypted. Only listed addresses are then allowed. */
  readonly plain?: boolean;
}

const hostForm = /^[\p{L}\p{N}._:%-]{1,255}$/u;

/**
 * Opens a TCP connection to a checked address. `host` is a name or a bare address (IPv6 with or without brackets).
 * Paths and socket files are refused. Raises OutboundProblem.
 */
export async function guardedConnect(
  guard: Guard,
  host: string,
  port: number,
  options: ConnectOptions,
): Promise<Socket> {
  const bareHost = host.replace(/^\[(.*)\]$/u, '$1');
  if (!hostForm.test(bareHost)) throw new OutboundProblem('url', 'The host is neither a host name nor an address.');
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new OutboundProblem('url', 'The port is not a number from 1 to 65535.');
  // Literal addresses are checked here, because Node does not look them up.
  if (isIP(bareHost) !== 0 && !mayReach(bareHost.split('%', 1)[0] ?? '', port, guard.policy, options.plain))
    throw forbiddenAddress();
  if (options.signal?.aborted === true) throw new OutboundProblem('aborted', 'The call was given up.');
  const socket = connect({ host: bareHost, port, lookup: guardedLookup(guard, port, options.plain), noDelay: true });
  // Without this listener, an error before the first use of the socket would end the process.
  socket.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    const settle = (action: () => void): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', abort);
      socket.off('error', fail);
      action();
    };
    const fail = (error: unknown): void =>
      settle(() => {
        socket.destroy();
        reject(outboundProblem(error));
      });
    const abort = (): void => fail(new OutboundProblem('aborted', 'The call was given up.'));
    const timer = setTimeout(
      () => fail(new OutboundProblem('timeout', 'The host did not answer in time.')),
      Math.max(1, options.deadlineMs),
    );
    options.signal?.addEventListener('abort', abort, { once: true });
    socket.on('error', fail);
    socket.once('connect', () => settle(() => resolve(socket)));
  });
}
