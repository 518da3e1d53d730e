import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chartTypes, itemTypes } from '@inlay/contract';
import { expect, test } from 'vitest';
import { draw } from '../../packages/service/src/export/drawing/drawing.ts';
import { gallerySamples } from '../../packages/service/src/gallery/gallery.ts';
import { jobOf } from '../../packages/service/src/gallery/job.ts';
import { choices, galleryCases, pairName, pairsOf, type Case } from './cases.ts';
import { differencePng, differences, pixelsOfPng, pixelsOfSvg, type Pixels } from './compare.ts';

const references = join(import.meta.dirname, 'references');
const failures = join(tmpdir(), 'inlay-gallery');
const isWriting = process.env['INLAY_WRITE_REFERENCES'] === '1';
/** Share of the pixels that may differ. */
const tolerance = 0.001;
const scale = 0.5;

const cases = galleryCases();

async function drawn({ sample, theme, locale, widthPx }: Case): Promise<Pixels> {
  const { job, filled } = jobOf(sample, { theme, locale, widthPx, heightPx: 260 }, 'svg');
  return pixelsOfSvg(Buffer.from(await draw(job, [filled])).toString('utf8'), scale);
}

const isAlike = (picture: Pixels, pixels: readonly number[] | null): boolean =>
  pixels !== null && pixels.length <= tolerance * picture.width * picture.height;

/** What is wrong with a picture; empty where it is as its reference. A picture that is not as it was is written to a folder. */
async function faultOf(one: Case): Promise<string> {
  const [picture, path] = [await drawn(one), join(references, `${one.name}.png`)];
  const reference = existsSync(path) ? pixelsOfPng(readFileSync(path)) : null;
  const pixels = reference === null ? null : differences(picture, reference);
  if (isAlike(picture, pixels)) return '';
  if (isWriting) {
    await writeFile(path, picture.png());
    return '';
  }
  await mkdir(failures, { recursive: true });
  await writeFile(join(failures, `${one.name}.png`), picture.png());
  if (pixels !== null) await writeFile(join(failures, `${one.name}.difference.png`), differencePng(picture, pixels));
  if (reference === null) return `${one.name} has no reference`;
  return pixels === null ? `${one.name} has another size` : `${one.name} differs in ${pixels.length} pixels`;
}

/** Pairs of the values of one choice with those of others, as `pairsOf` writes them. */
const pairs = (kind: string, values: readonly string[], others: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(others).flatMap(([other, seconds]) =>
    values.flatMap((value) => seconds.map((second) => pairName([kind, value], [other, second]))),
  );

test('every type of item has a sample', () => {
  expect([...new Set(gallerySamples.map(({ type }) => type))].toSorted()).toEqual(itemTypes.toSorted());
});

test('the pictures pair themes, kinds of rows and charts each with every language and width', () => {
  const { theme, rows, locale, width } = choices;
  const wanted = [
    ...pairs('theme', theme, { locale, width }),
    ...pairs('rows', rows, { locale, width }),
    ...pairs('type', chartTypes, { rows: ['as-they-are', 'none'], locale, width }),
  ];
  const drawnPairs = pairsOf(cases);
  expect(wanted.filter((pair) => !drawnPairs.has(pair))).toEqual([]);
  expect(cases.length).toBeGreaterThanOrEqual(100);
});

test('every picture is as its reference', async () => {
  if (isWriting) {
    await mkdir(references, { recursive: true });
    const names = new Set(cases.map(({ name }) => `${name}.png`));
    for (const file of readdirSync(references)) if (!names.has(file)) await rm(join(references, file));
  }
  const faults: string[] = [];
  for (const one of cases) faults.push(await faultOf(one));
  const found = faults.filter((fault) => fault !== '');
  expect(
    found,
    `${found.length} pictures are not as they were; see them in ${failures}. Where that is meant: INLAY_WRITE_REFERENCES=1 npx vitest run test/gallery`,
  ).toEqual([]);
});

test('the page of the docs shows a sheet of every built-in theme, each under 400 KB', () => {
  const docs = join(import.meta.dirname, '../../docs');
  const shown = [...readFileSync(join(docs, 'gallery.md'), 'utf8').matchAll(/\]\((pictures\/[^)]+)\)/gu)].map(
    ([, path]) => path ?? '',
  );
  expect(shown).toEqual(expect.arrayContaining(choices.theme.map((id) => `pictures/gallery/${id}.png`)));
  expect(shown.filter((path) => statSync(join(docs, path)).size > 400 * 1024)).toEqual([]);
});
