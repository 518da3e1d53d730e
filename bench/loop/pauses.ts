// Preloaded into the service with `--import`: writes each time for which its event loop did not turn to the file named by
// LOOP_PAUSES, as lines of JSON.
import { appendFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const path = process.env['LOOP_PAUSES'];
/** The service replaces its process once to set options of V8, so the variable must outlive the first; its children are not watched. */
const isService = process.argv[1]?.endsWith('inlay.mjs') === true;

const everyMs = 2;
const leastMs = 10;
/** Collections are told of a little later than they happen. */
const settledMs = 300;

/** Between two iterations of the event loop; times since the start of the process, processor time of its thread. */
interface Gap {
  readonly startMs: number;
  readonly endMs: number;
  readonly processorMs: number;
}

function watch(file: string): void {
  const gaps: Gap[] = [];
  const collections: { readonly startMs: number; readonly endMs: number }[] = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      collections.push({ startMs: startTime, endMs: startTime + duration });
  }).observe({ entryTypes: ['gc'] });
  const processorMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let lastMs = performance.now();
  let used = processorMs();
  setInterval(() => {
    const now = performance.now();
    const usedNow = processorMs();
    if (now - lastMs - everyMs > leastMs) gaps.push({ startMs: lastMs, endMs: now, processorMs: usedNow - used });
    lastMs = performance.now();
    used = usedNow;
  }, everyMs).unref();
  setInterval(() => {
    const isSettled = (end: number): boolean => end < performance.now() - settledMs;
    let text = '';
    while (gaps[0] !== undefined && isSettled(gaps[0].endMs)) {
      const gap = gaps.shift();
      if (gap === undefined) break;
      const gcMs = collections.reduce(
        (sum, one) => sum + Math.max(0, Math.min(one.endMs, gap.endMs) - Math.max(one.startMs, gap.startMs)),
        0,
      );
      const wallMs = gap.endMs - gap.startMs - everyMs;
      text += `${JSON.stringify({ at: performance.timeOrigin + gap.startMs, wallMs, processorMs: gap.processorMs, gcMs })}\n`;
    }
    while (collections[0] !== undefined && collections[0].endMs < performance.now() - 60_000) collections.shift();
    if (text !== '') appendFileSync(file, text);
  }, 100).unref();
}

if (path !== undefined && isMainThread && isService) watch(path);
