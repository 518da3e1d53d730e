import { startLimited } from '../../engine/limited-process.ts';
import type { MemoryWatch } from '../../engine/memory-watch.ts';
import type { RenderJob } from '../render-job.ts';
import type { SpooledAnswers } from '../spool.ts';

/** A job, the spooled rows of its items (`answers`), and the path of the file to write (`result`). */
export interface RenderOrder {
  readonly job: RenderJob;
  readonly answers: SpooledAnswers;
  readonly result: string;
}

/** Outcome of a job. `memory`: the rendering process exceeded the memory limit. */
export type RenderReply =
  | { readonly kind: 'rendered' }
  | { readonly kind: 'refused' | 'too_large'; readonly message: string }
  | { readonly kind: 'memory' | 'disk_full' | 'disk_unwritable' }
  | { readonly kind: 'failed'; readonly reason: string };

/** A process that renders one job at a time. */
export interface Renderer {
  /** Renders a job. Never rejects; a crash of the process counts as a failure. */
  readonly ask: (order: RenderOrder) => Promise<RenderReply>;
  /** Resolves when the process is ready; never settles if the process dies first. */
  readonly ready: Promise<void>;
  readonly alive: () => boolean;
  readonly kill: () => void;
  readonly died: Promise<void>;
}

const starter = new URL('./start.mjs', import.meta.url).pathname;

/** Memory limit of a rendering process in MB; a picture of maximum size takes 256 MB. */
const residentMb = 768;
const heapMb = 448;
const dataMb = 1024 + 2 * residentMb;

const isReply = (value: unknown): value is RenderReply =>
  typeof value === 'object' && value !== null && 'kind' in value;

/** Starts a rendering process, which is killed if it exceeds its memory limit. */
export function startRenderer(watch: MemoryWatch): Renderer {
  const child = startLimited({
    path: starter,
    flags: [`--max-old-space-size=${heapMb}`],
    dataMb,
    env: { TZ: 'UTC', MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.channel?.unref();
  let alive = true;
  let settle: ((reply: RenderReply) => void) | null = null;
  let end: RenderReply = { kind: 'failed', reason: 'the drawing process ended' };
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  const unwatch = watch.add(child.pid, residentMb, () => {
    end = { kind: 'memory' };
    kill();
  });
  const answer = (reply: RenderReply): void => {
    settle?.(reply);
    settle = null;
  };
  const whenReady = Promise.withResolvers<void>();
  child.on('message', (message: unknown) => {
    if (message === 'ready') whenReady.resolve();
    if (isReply(message)) answer(message);
  });
  const died = new Promise<void>((resolve) => {
    const onEnd = (): void => {
      alive = false;
      unwatch();
      kill();
      answer(end);
      resolve();
    };
    child.on('exit', onEnd);
    child.on('error', onEnd);
    child.on('disconnect', onEnd);
  });
  return {
    ask: (order) =>
      new Promise((resolve) => {
        if (!alive) return resolve(end);
        settle = resolve;
        child.send(order, (error) => {
          if (error !== null) answer({ kind: 'failed', reason: error.message });
        });
      }),
    ready: whenReady.promise,
    alive: () => alive,
    kill,
    died,
  };
}
