import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFull } from '../../support/counts.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { runSeed } from '../../support/seed.ts';
import { cachedTool, havePython } from '../../support/tools.ts';
import { casesOf, formats, outcomeOf, type Format, type ReadCase } from './reading.ts';

const packages = ['openpyxl==3.1.5', 'pyarrow==26.0.1'];
const folder = cachedTool('python-readers');
const program = join(import.meta.dirname, 'read_files.py');

const missing = isFull ? await havePython(packages, folder) : 'files are made anew with INLAY_TEST_FULL=1 only';
if (missing !== undefined) process.stdout.write(`skipped files that Python makes and reads: ${missing}\n`);

/** Files of each format that are made anew. */
const filesMade = 2000;

describe('files are read as Python reads them, or refused', () => {
  let engine: TestEngine;
  beforeAll(() => {
    engine = startTestEngine();
  });
  afterAll(() => engine.stop());

  const differing = async (cases: readonly ReadCase[]): Promise<readonly string[]> => {
    const found: string[] = [];
    let at = 0;
    const work = async (): Promise<void> => {
      for (let one = cases[at]; one !== undefined; one = cases[at]) {
        at += 1;
        const outcome = await outcomeOf(engine, one, `v${String(at).padStart(5, '0')}`);
        if (typeof outcome === 'object')
          found.push(`${outcome.differs} in ${one.format} ${one.bytes.toString('base64').slice(0, 4000)}`);
      }
    };
    await Promise.all([work(), work()]);
    return found;
  };

  const kept = casesOf(gunzipSync(readFileSync(join(import.meta.dirname, 'cases.ndjson.gz'))).toString());

  it('300 of them are there, most of them well-formed', () => {
    expect(kept).toHaveLength(300);
    expect(kept.filter(({ isValid }) => isValid).length).toBeGreaterThan(200);
  });

  it.each(formats)('%s, of the files that are kept', { timeout: 300_000 }, async (format) => {
    expect(await differing(kept.filter((one) => one.format === format))).toEqual([]);
  });

  it.runIf(missing === undefined).each(formats)(
    '%s, of files that are made anew',
    { timeout: 3_600_000 },
    async (format: Format) => {
      const made = execFileSync(join(folder, 'bin/python'), [program, format, String(filesMade), String(runSeed)], {
        maxBuffer: 2 ** 30,
      });
      expect(await differing(casesOf(made.toString()))).toEqual([]);
    },
  );

  it.runIf(missing === undefined).each(formats)('%s, cut at any byte', { timeout: 3_600_000 }, async (format) => {
    const small = kept.filter((one) => one.format === format && one.isValid && one.bytes.length < 4000).slice(0, 3);
    const input = small.map(({ line }) => line).join('\n');
    const read = execFileSync(join(folder, 'bin/python'), [program, format, 'cut'], { input, maxBuffer: 2 ** 30 });
    expect(await differing(casesOf(read.toString()))).toEqual([]);
  });
});
