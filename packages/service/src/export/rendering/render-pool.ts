import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createTenantTurns } from '../../concurrency/tenant-turns.ts';
import type { MemoryWatch } from '../../engine/memory-watch.ts';
import { NoFreePlace, Problem } from '../../problems/problem.ts';
import type { RenderJob } from '../render-job.ts';
import type { SpooledAnswers } from '../spool.ts';
import { startRenderer, type Renderer, type RenderOrder, type RenderReply } from './renderer.ts';

export interface RenderPoolOptions {
  /** Folder for spooled rows. */
  readonly folder: string;
  readonly watch: MemoryWatch;
  /** Called with the reason when a rendering fails. */
  readonly failed: (reason: string) => void;
  /** Time limit of a rendering in ms, excluding the queue. */
  readonly renderMs?: number;
}

const maxConcurrent = 2;
const maxWaitingPerOrganization = 20;
const defaultRenderMs = 20_000;
/** Time limit for the start of a process, in ms. */
const startMs = 60_000;
/** Idle time after which a process, which holds the chart library in memory, ends. */
const idleMs = 60_000;
const maxBytes = 32 * 1024 ** 2;

const tooLarge = (message?: string): Problem =>
  new Problem('export_too_large', message === undefined ? {} : { message });

/** Renders pictures, pages and tables in child processes that start on demand. */
export class RenderPool {
  readonly #options: RenderPoolOptions;
  readonly #idle: { readonly renderer: Renderer; readonly timer: NodeJS.Timeout }[] = [];
  readonly #all = new Set<Renderer>();
  #isClosed = false;
  readonly #turns = createTenantTurns({
    places: maxConcurrent,
    waiting: maxWaitingPerOrganization,
    refusal: (waitingCount) =>
      new NoFreePlace({
        message: `Your organization already has ${waitingCount} exports waiting.`,
        retryAfterS: 10,
      }),
  });

  constructor(options: RenderPoolOptions) {
    this.#options = options;
  }

  /** Runs `work` with the path of a new spool file, and deletes the file afterwards. Raises what `work` raises. */
  async withSpool<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomUUID());
    try {
      return await work(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  /**
   * Renders the file of a job. Organizations take turns. Raises Problem: 400 `export_too_large`, 503 `export_failed`
   * with the reason in the log, 503 `overloaded`, 504 `deadline_passed`, or the reason of `signal`.
   */
  async render(
    organizationId: string,
    job: RenderJob,
    answers: SpooledAnswers,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const leave = await this.#turns.enter(organizationId, signal);
    const result = `${answers.path}.rendered`;
    try {
      this.#check(await this.#run({ job, answers, result }, signal));
      if ((await stat(result)).size > maxBytes) throw tooLarge();
      return await readFile(result);
    } finally {
      leave();
      await rm(result, { force: true });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    const ending = [...this.#all];
    for (const renderer of ending) renderer.kill();
    await Promise.all(ending.map(({ died }) => died));
  }

  #take(): Renderer {
    for (let idleRenderer = this.#idle.pop(); idleRenderer !== undefined; idleRenderer = this.#idle.pop()) {
      clearTimeout(idleRenderer.timer);
      if (idleRenderer.renderer.alive()) return idleRenderer.renderer;
    }
    const renderer = startRenderer(this.#options.watch);
    this.#all.add(renderer);
    void renderer.died.then(() => this.#all.delete(renderer));
    return renderer;
  }

  #release(renderer: Renderer): void {
    if (this.#isClosed || !renderer.alive()) return renderer.kill();
    const timer = setTimeout(() => renderer.kill(), idleMs);
    timer.unref();
    this.#idle.push({ renderer, timer });
  }

  /**
   * Runs one job; kills its process at the time limit or abort. Raises Problem `deadline_passed`, or the reason of
   * `signal`.
   */
  async #run(order: RenderOrder, signal: AbortSignal): Promise<RenderReply> {
    const renderer = this.#take();
    const timeoutController = new AbortController();
    let isOver = false;
    let timer = setTimeout(() => timeoutController.abort(), startMs);
    void renderer.ready.then(() => {
      clearTimeout(timer);
      if (!isOver) timer = setTimeout(() => timeoutController.abort(), this.#options.renderMs ?? defaultRenderMs);
    });
    const stopSignal = AbortSignal.any([signal, timeoutController.signal]);
    stopSignal.addEventListener('abort', renderer.kill, { once: true });
    try {
      const reply = await renderer.ask(order);
      signal.throwIfAborted();
      if (timeoutController.signal.aborted)
        throw new Problem('deadline_passed', {
          message: 'The file took longer to draw than this service allows. Ask for fewer items or fewer rows.',
        });
      return reply;
    } finally {
      isOver = true;
      clearTimeout(timer);
      stopSignal.removeEventListener('abort', renderer.kill);
      this.#release(renderer);
    }
  }

  /** Raises Problem unless a file was written. */
  #check(reply: RenderReply): void {
    switch (reply.kind) {
      case 'rendered':
        return;
      case 'refused':
        throw new Problem('query_failed', { message: reply.message });
      case 'too_large':
        throw tooLarge(reply.message);
      case 'memory':
        throw tooLarge();
      case 'disk_full':
      case 'disk_unwritable':
        throw new Problem(reply.kind, { retryAfterS: 60 });
      case 'failed':
        this.#options.failed(reply.reason);
        throw new Problem('export_failed');
    }
  }
}
