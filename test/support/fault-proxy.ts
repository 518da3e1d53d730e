import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchForCommit } from './postgres-commit.ts';

/** What goes wrong on the way between a client and its server. */
export type Fault =
  /** Nobody listens; open links are reset. */
  | { readonly kind: 'refuse' }
  /** A link is reset before anything of a request gets through. */
  | { readonly kind: 'reset-before' }
  /** A link is reset once this many more bytes of requests got through. */
  | { readonly kind: 'reset-in'; readonly afterBytes: number }
  /** A link is reset once the first half of a piece of an answer got through. */
  | { readonly kind: 'reset-after' }
  /** Everything is accepted and lost, both ways, on new and open links. */
  | { readonly kind: 'black-hole' }
  /** Each piece of an answer is held back this long. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Each direction of each link lets through this much. */
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  /** PostgreSQL only: a COMMIT reaches the server and is carried out, its answer is lost, the client's link is reset.
   *  Happens to this many links, to all when not given. */
  | { readonly kind: 'cut-after-commit'; readonly times?: number }
  /** Requests get through, answers are lost. */
  | { readonly kind: 'half-open' };

/** A TCP proxy on 127.0.0.1 that can be told to misbehave. */
export interface FaultProxy {
  readonly port: number;
  /** Replaces the fault, for new and open links. */
  set(fault: Fault): Promise<void>;
  /** Behaves again. Links on which bytes were lost are reset, the others go on. */
  clear(): Promise<void>;
  /** How many links are open now. */
  connections(): number;
  /** How many links were reset, or lost bytes, by a fault so far. */
  hits(): number;
  stop(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  readonly hasCommit: (piece: Buffer) => boolean;
  requestBytesUnderFault: number;
  hit: boolean;
  /** Set while the server finishes after its COMMIT: what it still says is dropped. */
  cutting: boolean;
}

const throttleStepMs = 50;

const deliver = async (to: Socket, piece: Buffer): Promise<void> => {
  if (!to.destroyed && !to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
};

/**
 * Starts a proxy in front of a server on 127.0.0.1, at first without a fault.
 *
 * @param targetPort the server's port
 */
export const startFaultProxy = async (targetPort: number): Promise<FaultProxy> => {
  const links = new Set<Link>();
  let fault: Fault | undefined;
  let cuts = 0;
  let hits = 0;
  let port = 0;

  const strike = (link: Link): void => {
    if (!link.hit) hits += 1;
    link.hit = true;
  };
  const reset = (link: Link): void => {
    links.delete(link);
    link.client.resetAndDestroy();
    link.server.resetAndDestroy();
  };
  const strikeDown = (link: Link): void => {
    strike(link);
    reset(link);
  };

  const throttled = async (to: Socket, piece: Buffer): Promise<void> => {
    for (let rest = piece; rest.length > 0 && !to.destroyed;) {
      const step = fault?.kind === 'throttle' ? Math.ceil((fault.bytesPerSecond * throttleStepMs) / 1000) : rest.length;
      await deliver(to, rest.subarray(0, step));
      rest = rest.subarray(step);
      if (fault?.kind === 'throttle') await sleep(throttleStepMs, undefined, { ref: false });
    }
  };

  const request = async (link: Link, piece: Buffer): Promise<void> => {
    const commits = link.hasCommit(piece);
    switch (fault?.kind) {
      case 'reset-before':
        return strikeDown(link);
      case 'reset-in': {
        const allowed = Math.max(0, fault.afterBytes - link.requestBytesUnderFault);
        link.requestBytesUnderFault += piece.length;
        await deliver(link.server, piece.subarray(0, allowed));
        return piece.length >= allowed ? strikeDown(link) : undefined;
      }
      case 'black-hole':
        return strike(link);
      case 'throttle':
        return throttled(link.server, piece);
      case 'cut-after-commit':
        link.cutting = commits && cuts < (fault.times ?? Infinity);
        await deliver(link.server, piece);
        if (!link.cutting) return;
        cuts += 1;
        strike(link);
        // A reset could make the server's kernel drop the COMMIT unread; an orderly end cannot.
        link.server.end();
        return;
      default:
        return deliver(link.server, piece);
    }
  };

  const answer = async (link: Link, piece: Buffer): Promise<void> => {
    if (link.cutting) return;
    switch (fault?.kind) {
      case 'reset-after':
        await deliver(link.client, piece.subarray(0, Math.ceil(piece.length / 2)));
        await sleep(5);
        return strikeDown(link);
      case 'black-hole':
      case 'half-open':
        return strike(link);
      case 'latency':
        await sleep(fault.ms, undefined, { ref: false });
        return deliver(link.client, piece);
      case 'throttle':
        return throttled(link.client, piece);
      default:
        return deliver(link.client, piece);
    }
  };

  const pump = async (link: Link, from: Socket, pass: (link: Link, piece: Buffer) => Promise<void>): Promise<void> => {
    try {
      const pieces: AsyncIterable<Buffer> = from.iterator({ destroyOnReturn: false });
      for await (const piece of pieces) await pass(link, piece);
    } catch {
      return reset(link);
    }
    if (link.cutting) reset(link);
    else (from === link.client ? link.server : link.client).end();
  };

  const accept = (client: Socket): void => {
    const server = connect(targetPort, '127.0.0.1');
    const link = { client, server, hasCommit: watchForCommit(), requestBytesUnderFault: 0, hit: false, cutting: false };
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => client.destroyed && server.destroyed && links.delete(link));
    }
    links.add(link);
    if (fault?.kind === 'reset-before') return strikeDown(link);
    void pump(link, client, request);
    void pump(link, server, answer);
  };

  const listener = createServer({ allowHalfOpen: true }, accept);
  const listen = async (): Promise<void> => {
    if (listener.listening) return;
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
  };
  const unlisten = async (): Promise<void> => {
    if (!listener.listening) return;
    const closed = once(listener, 'close');
    listener.close();
    for (const link of links) reset(link);
    await closed;
  };

  await listen();
  const address = listener.address();
  port = address !== null && typeof address === 'object' ? address.port : 0;

  return {
    port,
    async set(next) {
      fault = next;
      cuts = 0;
      for (const link of links) link.requestBytesUnderFault = 0;
      if (next.kind !== 'refuse') return listen();
      for (const link of links) strike(link);
      return unlisten();
    },
    async clear() {
      fault = undefined;
      for (const link of links) if (link.hit && !link.cutting) reset(link);
      return listen();
    },
    connections: () => links.size,
    hits: () => hits,
    stop: unlisten,
  };
};
