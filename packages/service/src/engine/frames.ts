import type { Socket } from 'node:net';

/** What the two sides of a child say to each other; the number stands on the wire. */
export const kinds = {
  /** To the child. */
  assign: 1,
  run: 2,
  batch: 3,
  credit: 4,
  cancel: 5,
  /** From the child. */
  ready: 16,
  chunk: 17,
  want: 18,
  progress: 19,
  end: 20,
  fault: 21,
} as const;

export interface Frame {
  readonly kind: number;
  readonly job: number;
  readonly payload: Buffer;
}

const headerBytes = 9;

/** Header of a frame: length of the payload, kind, number of the job. */
export function header(kind: number, job: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes);
  bytes.writeUInt32LE(length, 0);
  bytes.writeUInt8(kind, 4);
  bytes.writeUInt32LE(job, 5);
  return bytes;
}

/** Sends a frame whose payload is JSON; `undefined` sends none. */
export function sendJson(socket: Socket, kind: number, job: number, value: unknown): void {
  const payload = value === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(value));
  socket.write(Buffer.concat([header(kind, job, payload.length), payload]));
}

/** Cuts what arrives into frames; payloads are views of the bytes that came, copied only where a frame came in parts. */
export function readFrames(socket: Socket, take: (frame: Frame) => void): void {
  let parts: Buffer[] = [];
  let have = 0;
  let need = headerBytes;
  socket.on('data', (data: Buffer) => {
    parts.push(data);
    have += data.length;
    if (have < need) return;
    let bytes = parts.length === 1 ? data : Buffer.concat(parts);
    while (bytes.length >= headerBytes) {
      const length = bytes.readUInt32LE(0);
      need = headerBytes + length;
      if (bytes.length < need) break;
      take({ kind: bytes.readUInt8(4), job: bytes.readUInt32LE(5), payload: bytes.subarray(headerBytes, need) });
      bytes = bytes.subarray(need);
      need = headerBytes;
    }
    parts = bytes.length === 0 ? [] : [bytes];
    have = bytes.length;
  });
}

/** The JSON of a payload. */
export const parsed = (payload: Buffer): unknown => (payload.length === 0 ? undefined : JSON.parse(payload.toString()));
