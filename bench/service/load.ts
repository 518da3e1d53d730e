import { connect, type Socket } from 'node:net';

/** What one round of load measured. */
export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Answers that were not 200. */
  readonly failed: number;
}

/** One kept-open HTTP/1.1 connection that sends prepared requests one after the other and reads each answer whole. */
export class Link {
  readonly #socket: Socket;
  #buffered: Buffer = Buffer.alloc(0);
  #done: ((status: number) => void) | undefined;
  /** The status line and headers of the last answer. */
  head = '';
  isOpen = true;

  /** `localAddress`: an address of the loopback network to send from, where not its first. */
  constructor(port: number, localAddress = '127.0.0.1') {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    this.#socket.on('data', (piece) => this.#take(piece));
    this.#socket.on('error', () => this.#end());
    this.#socket.on('close', () => this.#end());
  }

  #end(): void {
    this.isOpen = false;
    this.#done?.(0);
  }

  #take(piece: Buffer): void {
    this.#buffered = this.#buffered.length === 0 ? piece : Buffer.concat([this.#buffered, piece]);
    const end = this.#buffered.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#buffered.toString('latin1', 0, end);
    const length = /content-length: (\d+)/iu.exec(head)?.[1];
    const after = length === undefined ? this.#afterChunks(end) : end + 4 + Number(length);
    if (after < 0 || this.#buffered.length < after) return;
    this.#buffered = this.#buffered.subarray(after);
    this.head = head;
    const status = Number(head.slice(9, 12));
    if (/\r\nconnection: close/iu.test(head)) this.isOpen = false;
    const done = this.#done;
    this.#done = undefined;
    done?.(status);
  }

  /** Where an answer in chunks ends; -1 where it has not yet. */
  #afterChunks(end: number): number {
    const last = this.#buffered.indexOf('\r\n0\r\n\r\n', end);
    return last < 0 ? -1 : last + 7;
  }

  send(request: Buffer): Promise<number> {
    return new Promise((resolve) => {
      if (!this.isOpen) return resolve(0);
      this.#done = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Returns a POST with a JSON body as bytes, ready to send. */
export function post(path: string, body: string, authorization?: string): Buffer {
  const auth = authorization === undefined ? '' : `authorization: ${authorization}\r\n`;
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${auth}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Sends requests over this many connections, one at a time on each, for so long. Latencies in milliseconds. */
export async function load(port: number, inFlight: number, forMs: number, next: () => Buffer): Promise<Measured> {
  const links = Array.from({ length: inFlight }, () => new Link(port));
  const latencies: number[] = [];
  let failed = 0;
  const started = performance.now();
  const until = started + forMs;
  await Promise.all(
    links.map(async (link) => {
      for (let now = performance.now(); now < until; now = performance.now()) {
        const status = await link.send(next());
        latencies.push(performance.now() - now);
        if (status !== 200) failed += 1;
      }
      link.close();
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  latencies.sort((left, right) => left - right);
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), failed };
}
