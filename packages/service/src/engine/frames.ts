import type { Socket } from 'node:net';

/** Frame kinds of the protocol between service and child; the numbers are on the wire. */
export const kinds = {
  /** Service to child. */
  assign: 1,
  run: 2,
  batch: 3,
  credit: 4,
  cancel: 5,
  /** Child to service. */
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

/** Encodes a frame header: payload length, kind, job number. */
export function header(kind: number, job: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes);
  bytes.writeUInt32LE(length, 0);
  bytes.writeUInt8(kind, 4);
  bytes.writeUInt32LE(job, 5);
  return bytes;
}

/**
 * Sends a frame. Frames that are sent in the same turn of the event loop reach the socket together, since each write
 * wakes the other process.
 */
export function sendFrame(
  socket: Socket,
  kind: number,
  job: number,
  payload: readonly Uint8Array[],
  bytes: number,
): void {
  if (socket.writableCorked === 0) {
    socket.cork();
    process.nextTick(() => socket.uncork());
  }
  socket.write(Buffer.concat([header(kind, job, bytes), ...payload]));
}

/** Sends a frame with a JSON payload. The payload is empty if `value` is undefined. */
export function sendJson(socket: Socket, kind: number, job: number, value: unknown): void {
  const payload = value === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(value));
  sendFrame(socket, kind, job, [payload], payload.length);
}

/**
 * Splits incoming bytes into frames. Payloads are views of the received bytes, which are copied only if a frame arrived
 * in several parts. Rows of an answer are passed on in the parts in which they arrived: joining the parts took a
 * quarter of the time of 100,000 rows.
 */
export function readFrames(socket: Socket, take: (frame: Frame) => void): void {
  let parts: Buffer[] = [];
  let bufferedBytes = 0;
  let neededBytes = headerBytes;
  let chunk = { job: 0, left: 0 };
  /**
   * Passes on the frame at the start of the bytes, or the available part of a long frame. Returns the remaining bytes;
   * null if more bytes must arrive first.
   */
  const nextFrame = (bytes: Buffer): Buffer | null => {
    if (chunk.left > 0 && bytes.length > 0) {
      const payload = bytes.subarray(0, chunk.left);
      chunk = { job: chunk.job, left: chunk.left - payload.length };
      take({ kind: kinds.chunk, job: chunk.job, payload });
      return bytes.subarray(payload.length);
    }
    neededBytes = chunk.left > 0 ? 1 : headerBytes;
    if (bytes.length < neededBytes) return null;
    const length = bytes.readUInt32LE(0);
    const kind = bytes.readUInt8(4);
    const job = bytes.readUInt32LE(5);
    if (kind === kinds.chunk) {
      chunk = { job, left: length };
      return bytes.subarray(headerBytes);
    }
    neededBytes += length;
    if (bytes.length < neededBytes) return null;
    take({ kind, job, payload: bytes.subarray(headerBytes, neededBytes) });
    return bytes.subarray(neededBytes);
  };
  socket.on('data', (data: Buffer) => {
    parts.push(data);
    bufferedBytes += data.length;
    if (bufferedBytes < neededBytes) return;
    let bytes = parts.length === 1 ? data : Buffer.concat(parts);
    for (let rest: Buffer | null = bytes; rest !== null; rest = nextFrame(bytes)) bytes = rest;
    parts = bytes.length === 0 ? [] : [bytes];
    bufferedBytes = bytes.length;
  });
}

/** Parses a JSON payload; undefined if the payload is empty. */
export const parsed = (payload: Buffer): unknown => (payload.length === 0 ? undefined : JSON.parse(payload.toString()));
