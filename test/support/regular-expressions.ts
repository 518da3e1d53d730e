import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, type Diagnostics } from 'recheck';
import { parseSync } from 'vite';

/** A regular expression of the product and a place where it stands. */
export interface Found {
  readonly source: string;
  readonly flags: string;
  readonly at: string;
}

const root = join(import.meta.dirname, '../..');
const files = (): readonly string[] =>
  globSync('packages/*/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));

function* literals(node: unknown, at: string): Generator<Found> {
  if (typeof node !== 'object' || node === null) return;
  if ('regex' in node && typeof node.regex === 'object' && node.regex !== null) {
    const { pattern, flags } = Object.assign({ pattern: '', flags: '' }, node.regex);
    yield { source: pattern, flags, at };
  }
  for (const child of Object.values(node)) yield* literals(child, at);
}

/** Yields every regular expression that is written in the source of a package. */
export function* writtenExpressions(): Generator<Found> {
  for (const file of files()) {
    const { program, errors } = parseSync(file, readFileSync(join(root, file), 'utf8'));
    if (errors.length > 0) throw new Error(`${file}: ${JSON.stringify(errors[0])}`);
    yield* literals(program, file);
  }
}

/** Returns every regular expression that a module of the packages makes of pieces when it is loaded. */
export async function builtExpressions(): Promise<readonly Found[]> {
  const found: Found[] = [];
  const whole = globalThis.RegExp;
  const makers = files().filter((file) => /new RegExp\(/u.test(readFileSync(join(root, file), 'utf8')));
  let at = '';
  globalThis.RegExp = new Proxy(whole, {
    construct: (target, given: ConstructorParameters<typeof RegExp>) => {
      const made = new target(...given);
      if (at !== '') found.push({ source: made.source, flags: made.flags, at });
      return made;
    },
  });
  try {
    for (const file of makers) {
      at = file;
      await import(join(root, file));
    }
  } finally {
    globalThis.RegExp = whole;
  }
  return found;
}

export const nameOf = ({ source, flags }: Found): string => `/${source}/${flags}`;

/** Returns every regular expression of the packages, each once. */
export async function allExpressions(): Promise<readonly Found[]> {
  const all = [...writtenExpressions(), ...(await builtExpressions())];
  return [...new Map(all.map((one) => [nameOf(one), one])).values()];
}

/** Expressions that are only ever held against a question, and how long one may be. */
export const questions = { folder: 'packages/service/src/aichart/', longest: 4096 };
export const isOfQuestions = ({ at }: Found): boolean => at.startsWith(questions.folder);

/** Those that were proven safe before: proving them all takes minutes. Written by `scripts/prove-expressions.ts`. */
export const notedFile = join(root, 'test/fixtures/safe-expressions.json');
export const notedSafe = (): ReadonlySet<string> => new Set<string>(JSON.parse(readFileSync(notedFile, 'utf8')));

/** What recheck, without a JVM or a native program, says of an expression. */
export const prove = ({ source, flags }: Found): Promise<Diagnostics> => {
  process.env['RECHECK_BACKEND'] = 'pure';
  // What these two change does not concern how long a match takes.
  // A busy machine must not decide: steps are counted, not time.
  const untimed = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null };
  return check(source, flags.replaceAll(/[dv]/gu, ''), { timeout: 200_000, ...untimed });
};
