/** Prints a line. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Returns the middle of some numbers, the upper one of two; 0 where there is none. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;

/** How long something takes, in milliseconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};

/** Prints a figure next to what it may be at most, in the same unit. */
export const within = (name: string, value: number, most: number, unit: string): void =>
  say(`  ${value <= most ? 'ok  ' : 'OVER'} ${name}: ${value.toFixed(1)} ${unit} (at most ${most.toFixed(0)})`);
