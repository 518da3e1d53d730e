import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Where developers and servers run. */
const platforms = ['linux x64', 'linux arm64', 'darwin arm64', 'darwin x64', 'win32 x64'];

/** Packages with native parts, each with the platforms that the lockfile has no part for. */
function lacking(packages: Readonly<Record<string, Locked>>): Readonly<Record<string, readonly string[]>> {
  const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? '';
  const byName = new Map(Object.entries(packages).map(([path, locked]) => [nameOf(path), locked]));
  return Object.fromEntries(
    Object.entries(packages).flatMap(([path, { dev = false, optionalDependencies = {} }]) => {
      const parts = Object.keys(optionalDependencies).filter((name) =>
        name.startsWith(`${nameOf(path).split('/')[0]}`),
      );
      if (path === '' || dev || parts.length === 0) return [];
      const found = parts.flatMap((name) => {
        const { os = [], cpu = [] } = byName.get(name) ?? {};
        return os.flatMap((system) => cpu.map((processor) => `${system} ${processor}`));
      });
      if (found.length === 0) return [];
      return [[nameOf(path), platforms.filter((platform) => !found.includes(platform))]];
    }),
  );
}

describe('the lockfile', () => {
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
  );

  it('has every native part for every platform that developers use', () => {
    expect(lacking(packages)).toEqual({ '@duckdb/node-bindings': [], '@resvg/resvg-js': [] });
  });

  it('is found lacking where a part is left out', () => {
    const { 'node_modules/@duckdb/node-bindings-darwin-arm64': _, ...rest } = packages;
    expect(lacking(rest)['@duckdb/node-bindings']).toEqual(['darwin arm64']);
  });
});
