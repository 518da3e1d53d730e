import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { isOutOfDescriptors } from '../../problems/out-of-descriptors.ts';

/** File descriptors reserved for files, databases and child processes: a quarter of all, but within these bounds. */
const minReserved = 96;
const maxReserved = 1024;
/**
 * Number of connections beyond the limit that are accepted and answered 503. Further connections are closed
 * immediately.
 */
const maxAnswered = 32;
/** How long a connection beyond the limit may take to send its request. */
const refusalMs = 2000;
const logEveryMs = 10_000;
const lookEveryMs = 1000;

/** Returns the file descriptor limit of this process; null if it is unknown or unlimited. */
export function descriptorLimit(): number | null {
  try {
    const [, limit] = /^Max open files\s+(\d+)/mu.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

/** Returns the connection limit for a number of descriptors. */
export const connectionsFor = (descriptors: number): number =>
  descriptors - Math.min(Math.floor(descriptors / 2), Math.max(minReserved, Math.min(descriptors / 4, maxReserved)));

/**
 * Keeps connections from exhausting file descriptors. Connections beyond the limit are answered 503, and further ones
 * are closed. Each of both is logged at most every ten seconds. If the process still runs out of descriptors, the
 * system closes connections silently, and that is logged too.
 */
export class ConnectionLimit {
  readonly #max: number;
  readonly #logger: FastifyBaseLogger;
  readonly #open = new Set<Socket>();
  readonly #beyond = new WeakSet<Socket>();
  readonly #loggedMs = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(server: Server, logger: FastifyBaseLogger, descriptors: number | null) {
    this.#max = descriptors === null ? Infinity : connectionsFor(descriptors);
    this.#logger = logger;
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref();
    if (this.#max === Infinity) return;
    server.maxConnections = this.#max + maxAnswered;
    server.on('connection', (socket: Socket) => this.#add(socket));
    server.on('drop', () => this.#log('connections are closed unanswered: there are too many'));
    server.once('close', () => clearInterval(this.#timer));
  }

  /** True if a connection exceeds the limit and its requests are answered 503. */
  isBeyond(socket: Socket): boolean {
    return this.#beyond.has(socket);
  }

  #add(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    if (this.#open.size <= this.#max) return;
    this.#beyond.add(socket);
    const timer = setTimeout(() => socket.destroy(), refusalMs).unref();
    socket.once('close', () => clearTimeout(timer));
    this.#log('connections are answered 503: there are too many');
  }

  /** Opens a file to test whether any descriptors are left. */
  #look(): void {
    try {
      closeSync(openSync('/dev/null', 'r'));
    } catch (error) {
      if (isOutOfDescriptors(error))
        this.#log('out of file descriptors: connections are closed unanswered, and files and sources cannot be opened');
    }
  }

  #log(message: string): void {
    const nowMs = performance.now();
    if (nowMs - (this.#loggedMs.get(message) ?? -Infinity) < logEveryMs) return;
    this.#loggedMs.set(message, nowMs);
    const connections = { open: this.#open.size, most: this.#max };
    this.#logger.error({ code: 'EMFILE', ...connections }, `${message}; raise the limit of open files (ulimit -n)`);
  }
}
