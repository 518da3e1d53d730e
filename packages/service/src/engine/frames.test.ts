import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { header, kinds, parsed, readFrames } from './frames.ts';

const frame = (kind: number, job: number, payload: Buffer): Buffer =>
  Buffer.concat([header(kind, job, payload.length), payload]);

test.for([1, 3, 8, 9, 10, 50, 1000, 100_000])(
  'what a child says is the same when it comes in pieces of %i bytes',
  (size) => {
    const rows = Buffer.from('[1,2,3],'.repeat(40));
    const said = [
      frame(kinds.ready, 0, Buffer.alloc(0)),
      frame(kinds.chunk, 1, rows),
      frame(kinds.progress, 2, Buffer.from('{"rows":7}')),
      frame(kinds.chunk, 2, Buffer.alloc(0)),
      frame(kinds.chunk, 1, rows),
      frame(kinds.end, 1, Buffer.from('{"op":"check"}')),
    ];
    const socket = new Socket();
    const heard: string[] = [];
    const answer: Buffer[] = [];
    readFrames(socket, ({ kind, job, payload }) => {
      if (kind === kinds.chunk) answer.push(Buffer.from(payload));
      else heard.push(`${kind} ${job} ${JSON.stringify(parsed(payload)) ?? ''} after ${Buffer.concat(answer).length}`);
    });
    const all = Buffer.concat(said);
    for (let at = 0; at < all.length; at += size) socket.emit('data', all.subarray(at, at + size));
    socket.destroy();
    expect(heard).toEqual([
      `${kinds.ready} 0  after 0`,
      `${kinds.progress} 2 {"rows":7} after 320`,
      `${kinds.end} 1 {"op":"check"} after 640`,
    ]);
    expect(Buffer.concat(answer).equals(Buffer.concat([rows, rows]))).toBe(true);
  },
);
