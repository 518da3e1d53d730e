import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { kinds, readFrames, sendFrame, sendJson, type Frame } from './frames.ts';
import { isDiskFull, isDiskUnwritable } from '../problems/disk-full.ts';
import { startLimited } from './limited-process.ts';
import type { MemoryWatch } from './memory-watch.ts';
import type { Assignment, ChildLimits, ChildRequest } from './messages.ts';

/**
 * Why a child died. `memory_shared`: the child exceeded its memory limit while several requests ran, so each of them
 * may be the cause.
 */
export type ChildDeath = 'unknown' | 'memory' | 'memory_shared';

/** Reasons why a child accepts no further requests, or why it ended, each with a text for logs. */
export const retirementReasons = {
  memory: 'it took more memory than a child may',
  memory_held: 'it held most of the memory that a child may have while nothing ran in it',
  descriptors: 'it could open no more files',
  unresponsive: 'it did not give up a statement in time',
  crashed: 'it ended by itself',
} as const;
export type RetirementReason = keyof typeof retirementReasons;

/** System limits of children, and callbacks for their replacement. */
export interface ChildBounds {
  readonly watch: MemoryWatch;
  /** The child is killed if its resident memory exceeds this. */
  readonly residentMb: number;
  /**
   * Limit enforced by the system (RLIMIT_DATA). It must be larger than `residentMb`, since reserved memory counts too.
   */
  readonly dataMb: number;
  readonly descriptors: number;
  readonly retired?: (reason: RetirementReason) => void;
}

const starter = new URL('./child/start.mjs', import.meta.url).pathname;

/** The entire environment of a child. */
const environment = { TZ: 'UTC', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '8' };

/**
 * Creates a folder for one child. If the disk is not writable, returns a path that does not exist: then only statements
 * that spill to disk fail.
 */
function spillFolder(workFolder: string): string {
  try {
    return mkdtempSync(join(workFolder, 'child-'));
  } catch (error) {
    if (!isDiskFull(error) && !isDiskUnwritable(error)) throw error;
    return join(workFolder, `child-${randomUUID()}`);
  }
}

/** Time limit for a child to start. */
const startMs = 20_000;

const memoryFlags = ['--max-semi-space-size=2', '--max-old-space-size=96'];

/** Called with every frame of a request, and with null if the child dies. */
type Listener = (frame: Frame | null) => void;

/**
 * A child process with an empty environment. Its socket is its only descriptor, and it exits when the socket closes.
 * Statements can read the folder to which DuckDB spills, even though all other files are locked. Therefore each child
 * has a folder of its own, which never contains files of other tenants.
 */
export class Child {
  readonly pid: number;
  /** Resolves when the child accepts requests; never settles if the child dies first. */
  readonly ready: Promise<void>;
  readonly died: Promise<void>;
  /** Resolves when the process has ended and its spilled files are deleted. */
  readonly cleared: Promise<void>;
  readonly #program: ChildProcess;
  readonly #pipe: Socket;
  readonly #spills: string;
  readonly #retired: ChildBounds['retired'];
  readonly #unwatch: () => void;
  readonly #listeners = new Map<number, Listener>();
  readonly #death = Promise.withResolvers<void>();
  readonly #clearing = Promise.withResolvers<void>();
  #isAlive = true;
  #requests = 0;
  #cause: ChildDeath = 'unknown';
  #reason: RetirementReason | null = 'crashed';
  #isRetired = false;

  constructor({ workFolder, allocator }: Pick<ChildLimits, 'workFolder' | 'allocator'>, bounds: ChildBounds) {
    const { watch, residentMb, dataMb, descriptors, retired } = bounds;
    this.#retired = retired;
    this.#spills = spillFolder(workFolder);
    this.#program = startLimited({
      path: starter,
      flags: memoryFlags,
      dataMb,
      descriptors,
      folder: workFolder,
      env: { ...environment, DUCKDB_JE_MALLOC_CONF: allocator },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const pipe = this.#program.stdio[3];
    if (!(pipe instanceof Socket)) throw new TypeError('a child has no socket');
    this.#pipe = pipe;
    this.pid = this.#program.pid ?? 0;
    this.died = this.#death.promise;
    this.cleared = this.#clearing.promise;
    this.#unwatch = watch.add(this.#program.pid, residentMb, () => this.#exceedMemory());
    const end = (): void => this.#end();
    this.#program.on('exit', end).on('error', end);
    pipe.on('error', end).on('close', end);
    this.ready = this.#listen();
  }

  alive(): boolean {
    return this.#isAlive;
  }

  isRetired(): boolean {
    return this.#isRetired;
  }

  /** Cause of death; meaningful only after the child has died. */
  death(): ChildDeath {
    return this.#cause;
  }

  assign({ limits, duty }: Assignment): void {
    sendJson(this.#pipe, kinds.assign, 0, { limits: { ...limits, workFolder: this.#spills }, duty });
  }

  /** Sends a request and returns its number. */
  start(request: ChildRequest, listener: Listener): number {
    this.#requests += 1;
    const job = this.#requests;
    if (!this.#isAlive) queueMicrotask(() => listener(null));
    else {
      this.#listeners.set(job, listener);
      sendJson(this.#pipe, kinds.run, job, request);
    }
    return job;
  }

  /** Ignores further frames of a request. */
  forget(job: number): void {
    this.#listeners.delete(job);
  }

  credit(job: number, bytes: number): void {
    const payload = Buffer.allocUnsafe(4);
    payload.writeUInt32LE(bytes);
    this.#send(kinds.credit, job, payload);
  }

  batch(job: number, text: string): void {
    this.#send(kinds.batch, job, Buffer.from(text));
  }

  cancel(job: number): void {
    this.#send(kinds.cancel, job, Buffer.alloc(0));
  }

  /** Kills the process. `reason` says why the child is replaced; omit it if the child is no longer needed. */
  kill(reason?: RetirementReason): void {
    if (reason !== undefined) this.retire(reason);
    else if (!this.#isRetired) this.#reason = null;
    this.#program.kill('SIGKILL');
  }

  /** Accepts no further requests and exits once idle. */
  retire(reason: RetirementReason): void {
    if (!this.#isRetired) this.#reason = reason;
    this.#isRetired = true;
  }

  /**
   * Passes each frame on to the listener of its request. Resolves with the first frame. Kills the child if no frame
   * arrives in time.
   */
  #listen(): Promise<void> {
    const startSignal = Promise.withResolvers<void>();
    const startTimer = setTimeout(() => this.#program.kill('SIGKILL'), startMs).unref();
    readFrames(this.#pipe, (frame) => {
      if (frame.kind !== kinds.ready) return this.#listeners.get(frame.job)?.(frame);
      clearTimeout(startTimer);
      startSignal.resolve();
    });
    return startSignal.promise;
  }

  #send(kind: number, job: number, payload: Buffer): void {
    if (this.#isAlive) sendFrame(this.#pipe, kind, job, [payload], payload.length);
  }

  #exceedMemory(): void {
    this.#cause = this.#listeners.size > 1 ? 'memory_shared' : 'memory';
    this.retire('memory');
    this.#program.kill('SIGKILL');
  }

  #end(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    this.#unwatch();
    if (this.#reason !== null) this.#retired?.(this.#reason);
    this.#program.kill('SIGKILL');
    this.#pipe.destroy();
    for (const listener of this.#listeners.values()) listener(null);
    this.#listeners.clear();
    const endClearing = (): void => this.#clearing.resolve();
    void rm(this.#spills, { recursive: true, force: true }).then(endClearing, endClearing);
    this.#death.resolve();
  }
}
