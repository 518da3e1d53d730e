import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { settings, variableOf } from '../../packages/service/src/config/settings.ts';
import { counted } from '../support/counts.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Step {
  readonly word: string;
  readonly rest: string;
}

/** The instructions of each stage of the Dockerfile, by the name of the stage; the last has none. */
function stagesOf(text: string): ReadonlyMap<string, readonly Step[]> {
  const stages = new Map<string, Step[]>();
  let steps: Step[] = [];
  for (const line of text.replaceAll(/\\\n\s*/gu, ' ').split('\n')) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/u.exec(line) ?? [];
    if (word === 'FROM') stages.set(/ AS (\w+)$/u.exec(rest)?.[1] ?? '', (steps = []));
    else if (word !== '') steps.push({ word, rest });
  }
  return stages;
}

const stages = stagesOf(read('Dockerfile'));
const folder = mkdtempSync(join(tmpdir(), 'inlay-image-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Does what a stage of the Dockerfile says, in a folder of its own. */
function replay(name: string): string {
  const here = join(folder, name === '' ? 'image' : name);
  mkdirSync(here);
  for (const { word, rest } of stages.get(name) ?? []) {
    const words = rest.split(' ').filter((one) => !one.startsWith('--'));
    const from = /--from=(\w+)/u.exec(rest)?.[1];
    if (word === 'RUN') execFileSync('sh', ['-ec', rest], { cwd: here, stdio: 'pipe' });
    if (word !== 'COPY') continue;
    const target = join(here, words.at(-1) ?? '');
    for (const one of words.slice(0, -1)) {
      const source = from === undefined ? join(root, one) : join(folder, from, one.replace(/^\/inlay\/?/u, ''));
      const isFolder = words.at(-1)?.endsWith('/') === true;
      const kept = (path: string): boolean => from !== undefined || !/\/(?:node_modules|dist)(?:\/|$)/u.test(path);
      mkdirSync(isFolder ? target : dirname(target), { recursive: true });
      cpSync(source, isFolder ? join(target, one.split('/').at(-1) ?? '') : target, { recursive: true, filter: kept });
    }
  }
  return here;
}

const mbOf = (path: string): number => Number(execFileSync('du', ['-sm', path]).toString().split('\t')[0]);

describe('what an operator deploys with', () => {
  it('names files that are there, and settings that there are', () => {
    const copied = [...stages.values()].flat().flatMap(({ word, rest }) => (word === 'COPY' ? [rest] : []));
    const sources = copied.filter((rest) => !rest.startsWith('--from')).flatMap((rest) => rest.split(' ').slice(0, -1));
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true);
    const known = new Set(Object.keys(settings).map(variableOf));
    for (const path of ['Dockerfile', 'compose.yaml', 'deploy/inlay.service']) {
      const named = [...read(path).matchAll(/\bINLAY_[A-Z_]+\b/gu)].map(([name]) => name.replace(/_FILE$/u, ''));
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it('copies every workspace into the image', () => {
    const text = read('Dockerfile');
    for (const name of ['contract', 'embed', 'query', 'service'])
      expect(text).toContain(`packages/${name}/package.json`);
  });

  it('gives the folder of each volume to the user that the image runs as', () => {
    const steps = stages.get('') ?? [];
    const valueOf = (word: string): string => steps.find((step) => step.word === word)?.rest ?? '';
    const user = valueOf('USER');
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/u);
    const owned = steps.filter(({ word, rest }) => word === 'COPY' && rest.includes(`--chown=${user} `));
    expect(owned.map(({ rest }) => rest.split(' ').at(-1))).toEqual([valueOf('VOLUME')]);
    expect(valueOf('ENV')).toContain(`INLAY_DATA_DIR=${valueOf('VOLUME')}`);
  });

  it.runIf(counted(0, 1) > 0)(
    'makes an image that starts, answers and is small',
    () => {
      replay('build');
      const production = replay('production');
      const program = join(production, 'packages/service/bin/inlay.mjs');
      const version = execFileSync(process.execPath, [program, '--version'], { cwd: production }).toString();
      expect(version).toContain('0.1.0');
      expect(existsSync(join(production, 'node_modules/vitest'))).toBe(false);
      // Node of the base image takes about 130 MB more.
      expect(mbOf(production)).toBeLessThan(190);
    },
    600_000,
  );
});
