import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { header, kinds, readFrames, sendJson, type Frame } from './frames.ts';
import { isDiskFull, isDiskUnwritable } from '../problems/disk-full.ts';
import { startLimited } from './limited-process.ts';
import type { MemoryWatch } from './memory-watch.ts';
import type { Assignment, ChildLimits, ChildRequest } from './messages.ts';

/** Why a child died; `memory_shared`: it took too much while several requests ran in it, so that any of them may be the cause. */
export type ChildDeath = 'unknown' | 'memory' | 'memory_shared';

/** Why a child was replaced, or ended by itself. */
export const retirementReasons = {
  memory: 'it took more memory than a child may',
  memory_held: 'it held most of the memory that a child may have while nothing ran in it',
  descriptors: 'it could open no more files',
  unresponsive: 'it did not give up a statement in time',
  crashed: 'it ended by itself',
} as const;
export type RetirementReason = keyof typeof retirementReasons;

/** What a child may take of the system, who looks, and who is told of children that are replaced. */
export interface ChildBounds {
  readonly watch: MemoryWatch;
  /** Resident memory above which the child is ended. */
  readonly residentMb: number;
  /** Memory for data that the system refuses to give more than. It counts what is reserved as well, so it is larger. */
  readonly dataMb: number;
  readonly descriptors: number;
  readonly retired?: (reason: RetirementReason) => void;
}

/** A child as the service sees it. */
export interface Child {
  readonly pid: number;
  readonly alive: () => boolean;
  /** It has started and listens; never settles where it died before. */
  readonly ready: Promise<void>;
  readonly assign: (assignment: Assignment) => void;
  /** Sends a request; `hear` gets every frame of it, and null when the child has died. Gives the request's number. */
  readonly start: (request: ChildRequest, hear: (frame: Frame | null) => void) => number;
  /** No more frames of this request are heard. */
  readonly forget: (job: number) => void;
  readonly credit: (job: number, bytes: number) => void;
  readonly batch: (job: number, text: string) => void;
  readonly cancel: (job: number) => void;
  /** Ends it; a reason is told where it is not a child that is no longer needed. */
  readonly kill: (reason?: RetirementReason) => void;
  /** It takes no more requests, and is ended once nothing runs in it. */
  readonly retire: (reason: RetirementReason) => void;
  readonly isRetired: () => boolean;
  readonly died: Promise<void>;
  /** Why it died, once it has. */
  readonly death: () => ChildDeath;
  /** What it spilled is gone too. */
  readonly cleared: Promise<void>;
}

const starter = new URL('./child/start.mjs', import.meta.url).pathname;

/** Everything a child knows of its surroundings. */
const environment = { TZ: 'UTC', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '8' };

/** A folder of a child's own. On a disk that cannot be written it is none: only a statement that spills fails there. */
function spillFolder(workFolder: string): string {
  try {
    return mkdtempSync(join(workFolder, 'child-'));
  } catch (error) {
    if (!isDiskFull(error) && !isDiskUnwritable(error)) throw error;
    return join(workFolder, `child-${randomUUID()}`);
  }
}

/** Longest time that a child may take to start. */
const startMs = 20_000;

const memoryFlags = ['--max-semi-space-size=2', '--max-old-space-size=96'];

/**
 * Starts a child with an empty environment. It has no descriptor but one socket, and ends when that closes. What it spills stands in a
 * folder of its own, which DuckDB lets a statement read whatever is locked: no other tenant's may lie in there.
 */
export function startChild(
  { workFolder, allocator }: Pick<ChildLimits, 'workFolder' | 'allocator'>,
  { watch, residentMb, dataMb, descriptors, retired }: ChildBounds,
): Child {
  const spills = spillFolder(workFolder);
  const child = startLimited({
    path: starter,
    flags: memoryFlags,
    dataMb,
    descriptors,
    folder: workFolder,
    env: { ...environment, DUCKDB_JE_MALLOC_CONF: allocator },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const pipe = child.stdio[3];
  if (!(pipe instanceof Socket)) throw new TypeError('a child has no socket');
  const hearing = new Map<number, (frame: Frame | null) => void>();
  let alive = true;
  let number = 0;
  let death: ChildDeath = 'unknown';
  let reason: RetirementReason | null = 'crashed';
  let isRetired = false;
  const retire = (why: RetirementReason): void => {
    if (!isRetired) reason = why;
    isRetired = true;
  };
  const unwatch = watch.add(child.pid, residentMb, () => {
    death = hearing.size > 1 ? 'memory_shared' : 'memory';
    retire('memory');
    child.kill('SIGKILL');
  });
  const cleared = Promise.withResolvers<void>();
  const died = new Promise<void>((resolve) => {
    const end = (): void => {
      if (!alive) return;
      alive = false;
      unwatch();
      if (reason !== null) retired?.(reason);
      child.kill('SIGKILL');
      pipe.destroy();
      for (const hear of hearing.values()) hear(null);
      hearing.clear();
      void rm(spills, { recursive: true, force: true }).then(cleared.resolve, () => cleared.resolve());
      resolve();
    };
    child.on('exit', end);
    child.on('error', end);
    pipe.on('error', end);
    pipe.on('close', end);
  });
  const ready = Promise.withResolvers<void>();
  const late = setTimeout(() => child.kill('SIGKILL'), startMs);
  late.unref();
  readFrames(pipe, (frame) => {
    if (frame.kind !== kinds.ready) return hearing.get(frame.job)?.(frame);
    clearTimeout(late);
    ready.resolve();
  });
  const sendBytes = (kind: number, job: number, payload: Buffer): void => {
    if (alive) pipe.write(Buffer.concat([header(kind, job, payload.length), payload]));
  };
  return {
    pid: child.pid ?? 0,
    alive: () => alive,
    ready: ready.promise,
    assign: ({ limits, duty }) => sendJson(pipe, kinds.assign, 0, { limits: { ...limits, workFolder: spills }, duty }),
    start: (request, hear) => {
      const job = (number += 1);
      if (!alive) queueMicrotask(() => hear(null));
      else {
        hearing.set(job, hear);
        sendJson(pipe, kinds.run, job, request);
      }
      return job;
    },
    forget: (job) => {
      hearing.delete(job);
    },
    credit: (job, bytes) => {
      const payload = Buffer.allocUnsafe(4);
      payload.writeUInt32LE(bytes);
      sendBytes(kinds.credit, job, payload);
    },
    batch: (job, text) => sendBytes(kinds.batch, job, Buffer.from(text)),
    cancel: (job) => sendBytes(kinds.cancel, job, Buffer.alloc(0)),
    kill: (why) => {
      if (why !== undefined) retire(why);
      else if (!isRetired) reason = null;
      child.kill('SIGKILL');
    },
    retire,
    isRetired: () => isRetired,
    died,
    death: () => death,
    cleared: cleared.promise,
  };
}
