import { startLimited } from '../../engine/limited-process.ts';
import type { MemoryWatch } from '../../engine/memory-watch.ts';
import type { RenderJob } from '../render-job.ts';
import type { SpooledAnswers } from '../spool.ts';

/** A job, the answers that it draws, and the file that it writes. */
export interface RenderOrder {
  readonly job: RenderJob;
  readonly answers: SpooledAnswers;
  readonly result: string;
}

/** How a job ended; `memory`: its process was ended for taking too much. */
export type RenderReply =
  | { readonly kind: 'drawn' }
  | { readonly kind: 'refused' | 'too_large'; readonly message: string }
  | { readonly kind: 'memory' | 'disk_full' | 'disk_unwritable' }
  | { readonly kind: 'failed'; readonly reason: string };

/** A process that draws one job at a time. */
export interface Renderer {
  /** Never rejects: a process that ends has failed. */
  readonly ask: (order: RenderOrder) => Promise<RenderReply>;
  /** It has started; never settles where it died before. */
  readonly ready: Promise<void>;
  readonly alive: () => boolean;
  readonly kill: () => void;
  readonly died: Promise<void>;
}

const starter = new URL('./start.mjs', import.meta.url).pathname;

/** Memory of a process that draws: a picture of the most pixels takes 256 MB of it. */
const residentMb = 768;
const heapMb = 448;
const dataMb = 1024 + 2 * residentMb;

const isReply = (value: unknown): value is RenderReply =>
  typeof value === 'object' && value !== null && 'kind' in value;

/** Starts a process that draws; it is ended when it takes too much memory. */
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
  const ready = Promise.withResolvers<void>();
  child.on('message', (message: unknown) => {
    if (message === 'ready') ready.resolve();
    if (isReply(message)) answer(message);
  });
  const died = new Promise<void>((resolve) => {
    const ended = (): void => {
      alive = false;
      unwatch();
      kill();
      answer(end);
      resolve();
    };
    child.on('exit', ended);
    child.on('error', ended);
    child.on('disconnect', ended);
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
    ready: ready.promise,
    alive: () => alive,
    kill,
    died,
  };
}
