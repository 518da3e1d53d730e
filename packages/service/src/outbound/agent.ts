import { Agent } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** An HTTP agent with one connection at a time. */
class SingleAgent extends Agent {
  readonly #open: () => Promise<Duplex>;

  constructor(open: () => Promise<Duplex>) {
    super({ keepAlive: true, maxSockets: 1 });
    this.#open = open;
  }

  override createConnection(_options: object, settle?: (error: Error | null, socket: Duplex) => void): undefined {
    this.#open().then(
      (socket) => settle?.(null, socket),
      (error: unknown) => settle?.(error instanceof Error ? error : new Error(String(error)), new Socket()),
    );
  }
}

/**
 * Returns an agent for HTTP clients that send their own requests. Every connection comes from `open`, which connects to
 * a checked address and encrypts if necessary.
 */
export const agentOf = (open: () => Promise<Duplex>): Agent => new SingleAgent(open);
