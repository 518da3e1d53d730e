import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the service holds at one moment. */
interface Holdings {
  readonly atMs: number;
  readonly heapMb: number;
  readonly descriptors: number;
  readonly diskMb: number;
}

const everyMs = 5000;
/** So many samples in a row of which the smallest heap is taken: about what is left after a collection. */
const window = 12;

const figureIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)`, 'mu').exec(text)?.[1] ?? NaN);

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => {
      // A file may be removed meanwhile.
      return sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
}

async function read(port: number, folder: string): Promise<Holdings> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return {
    atMs: performance.now(),
    heapMb: figureIn(text, 'nodejs_heap_size_used_bytes') / 1024 ** 2,
    descriptors: figureIn(text, 'process_open_fds'),
    diskMb: bytesIn(folder) / 1024 ** 2,
  };
}

/** Of each run of samples, that with the smallest heap. */
const collected = (samples: readonly Holdings[]): readonly Holdings[] =>
  samples.flatMap((_, index) => {
    if (index % window !== 0) return [];
    const [least] = samples.slice(index, index + window).toSorted((left, right) => left.heapMb - right.heapMb);
    return least === undefined ? [] : [least];
  });

const words = ({ heapMb, descriptors, diskMb }: Holdings): string =>
  `heap ${heapMb.toFixed(0)} MB, ${descriptors} descriptors, disk ${diskMb.toFixed(1)} MB`;

/** Reads what the service at a port holds, and the size of its folder, until it is stopped. */
export function watchHoldings(port: number, folder: string): { now(): string; stop(): readonly Holdings[] } {
  const samples: Holdings[] = [];
  const timer = setInterval(() => {
    void read(port, folder).then(
      (one) => samples.push(one),
      // The probes count what is not answered.
      () => undefined,
    );
  }, everyMs);
  return {
    now: () => {
      const last = collected(samples.slice(-window)).at(-1);
      return last === undefined ? 'nothing read' : words(last);
    },
    stop: () => {
      clearInterval(timer);
      return collected(samples);
    },
  };
}

/** Returns the slope of a least-squares fit, as a share of the mean, per hour. */
function slope(samples: readonly Holdings[], of: (one: Holdings) => number): number {
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const [hours, values] = [samples.map(({ atMs }) => atMs / 3_600_000), samples.map(of)];
  const [hour, value] = [mean(hours), mean(values)];
  const across = hours.reduce((sum, one, index) => sum + (one - hour) * ((values[index] ?? 0) - value), 0);
  const along = hours.reduce((sum, one) => sum + (one - hour) ** 2, 0);
  return across / along / value;
}

/** How fast each grows, in words; the first third of the time warms up. */
export function slopesOf(all: readonly Holdings[]): string {
  const samples = all.slice(Math.floor(all.length / 3));
  if (samples.length < 2) return 'too short to say';
  const percent = (of: (one: Holdings) => number): string => `${(slope(samples, of) * 100).toFixed(1)} %`;
  return `heap ${percent(({ heapMb }) => heapMb)}, descriptors ${percent(({ descriptors }) => descriptors)}, disk ${percent(({ diskMb }) => diskMb)}`;
}
