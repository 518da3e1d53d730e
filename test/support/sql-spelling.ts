import type { Target } from './hostile-sql.ts';
import type { Random } from './tenant-queries.ts';

/** What DuckDB reads as a gap between words. */
export const gaps = [
  ' ',
  '  ',
  '\n',
  '\t',
  '\r\n',
  '/**/',
  ' /* select */ ',
  ' -- from\n',
  '\f',
  '\u00a0',
  '\u2003',
  '/* /* nested */ */',
];

/** The many ways to write one thing. */
export class Spelling {
  readonly chance: Random;
  readonly target: Target;

  constructor(chance: Random, target: Target) {
    this.chance = chance;
    this.target = target;
  }

  /** Returns the words of the template in any case, with anything between them that DuckDB reads as a gap. */
  say(parts: TemplateStringsArray, ...values: readonly string[]): string {
    const { below, pick } = this.chance;
    const noisy = below(3) === 0;
    const word = (text: string): string =>
      noisy ? text.replaceAll(/[a-z]/gu, (letter) => (below(2) === 0 ? letter.toUpperCase() : letter)) : text;
    const said = (text: string): string => word(text).replaceAll(' ', () => (noisy ? pick(gaps) : ' '));
    const statement = parts.map((part, index) => said(part) + (values[index] ?? '')).join('');
    // DuckDB does not read an odd space as a gap just after the dollars that end a text.
    return statement.replaceAll(/(?<=\$)[\u00a0\u2003]/gu, ' ');
  }

  odds(of: number): boolean {
    return this.chance.below(of) === 0;
  }

  /** Returns a name of a function as it may be written: plain, in quotes, with its schema, in any case. */
  spelled(name: string): string {
    const { pick } = this.chance;
    return pick([
      name,
      name.toUpperCase(),
      `"${name}"`,
      `main.${name}`,
      `system.main."${name}"`,
      `${name} `,
      `"${name.toUpperCase()}"`,
    ]);
  }

  /** Returns a path as it may be written: plain, in pieces, escaped, in dollars, round about. */
  path(): string {
    const { file, folder, foreign, url } = this.target;
    const { pick } = this.chance;
    const path = pick([
      file,
      foreign,
      `${folder}/*.csv`,
      `/proc/self/root${file}`,
      `file://${file}`,
      `${folder}/../outside/secret.csv`,
      `http://${url}/x.csv`,
      `s3://b/x`,
      '/proc/self/environ',
      '/dev/stdin',
      `${folder}/**`,
    ]);
    const escaped = Buffer.from(path)
      .toString('hex')
      .replaceAll(/../gu, (byte) => `\\x${byte}`);
    return pick([
      `'${path}'`,
      `'${path}'`,
      `$$${path}$$`,
      `$q$${path}$q$`,
      `e'${escaped}'`,
      `'${path.slice(0, 4)}' || '${path.slice(4)}'`,
      `chr(${path.codePointAt(0) ?? 47}) || '${path.slice(1)}'`,
    ]);
  }

  bare(): string {
    const { file, folder, url } = this.target;
    return this.chance.pick([
      `'${file}'`,
      `"${file}"`,
      `'${folder}/*.csv'`,
      `'http://${url}/x.parquet'`,
      `"s3://bucket/x.parquet"`,
      `'${file}' as x`,
      `"FILE://${file}"`,
    ]);
  }
}
