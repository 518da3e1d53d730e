import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { typesOfOption } from '@inlay/contract';
import { contentsWarnings } from '@inlay/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentsReference } from '../../scripts/contents-reference.ts';
import {
  fileName,
  isWithin,
  itemOf,
  paths,
  picturesFolder,
  type OptionCase,
  type PicturedTable,
} from '../../scripts/option-pictures/case.ts';
import { allCases, caseGroups } from '../../scripts/option-pictures/cases.ts';
import { svgOf } from '../../scripts/option-pictures/draw.ts';
import { openSales, type Sales } from '../../scripts/option-pictures/sales.ts';
import { unpictured } from '../../scripts/option-pictures/unpictured.ts';
import { differences, pixelsOfPng, pixelsOfSvg, type Pixels } from './compare.ts';

/** Share of the pixels that may differ from the file of a picture. */
const tolerance = 0.001;
/** Pixels in which the two pictures of a case differ at least, and by how much of a channel: bands are pale. */
const [leastSeen, leastOff] = [40, 12];
const shots = [0, 1] as const;
const tables = ['options', 'entries'] as const satisfies readonly PicturedTable[];
const names = allCases.flatMap((one) => shots.map((shot) => fileName(one, shot)));
const filePixels = (name: string): Pixels => pixelsOfPng(readFileSync(join(picturesFolder, name)));

describe.each(tables)('the pictures of the members of %s', (table) => {
  const shown = caseGroups[table].flatMap(({ cases }) => cases.flatMap(({ shows }) => shows));
  const reasons = Object.keys(unpictured[table]);
  const isShown = (path: string): boolean => shown.some((one) => isWithin(one, path));
  const hasReason = (path: string): boolean => reasons.some((one) => isWithin(path, one));

  it('show each member, or there is a reason why they do not', () => {
    expect(paths[table].length).toBeGreaterThan(20);
    expect(paths[table].filter((path) => isShown(path) === hasReason(path))).toEqual([]);
  });

  it('show and explain only members that there are', () => {
    expect([...shown, ...reasons].filter((path) => !paths[table].includes(path))).toEqual([]);
  });
});

describe('the pictures of options', () => {
  let sales: Sales;
  beforeAll(async () => void (sales = await openSales()));
  afterAll(() => sales.close());

  it('show each option in an item of a type that has it', () => {
    const strangers = caseGroups.options.flatMap(({ cases }) =>
      cases.filter(({ type, shows }) =>
        shows.some((path) => {
          const types = typesOfOption(/^\w+/u.exec(path)?.[0] ?? '');
          return types.length > 0 && !types.some((one) => one === type);
        }),
      ),
    );
    expect(strangers).toEqual([]);
  });

  it('are of items of which there is nothing to warn', () => {
    const items = allCases.flatMap((one, index) =>
      shots.map((shot) => ({
        ...itemOf(one, shot),
        id: `${index}-${shot}`,
        position: { col: 24 * shot, row: 16 * index, sizeX: 24, sizeY: 16 },
      })),
    );
    const contents = { version: '0.1.99', views: [{ screenModus: 'desktop', options: {}, items }] };
    expect(contentsWarnings(contents, 'contents', (word) => `"${word}" is not known`)).toEqual([]);
  });

  it('are files of at most 12 KB and 2 MB in all, each named once in the reference', () => {
    const page = contentsReference();
    expect(new Set(names).size).toBe(names.length);
    expect(readdirSync(picturesFolder).toSorted()).toEqual(names.toSorted());
    expect(names.filter((name) => page.split(`](../pictures/options/${name})`).length !== 2)).toEqual([]);
    const sizes = names.map((name) => statSync(join(picturesFolder, name)).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(12 * 1024);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2 * 1024 ** 2);
  });

  it('show a difference', () => {
    const isSame = (one: OptionCase): boolean => {
      const pixels = differences(filePixels(fileName(one, 0)), filePixels(fileName(one, 1)), leastOff);
      return pixels !== null && pixels.length < leastSeen;
    };
    expect(allCases.filter(isSame).map((one) => fileName(one, 1))).toEqual([]);
  });

  it('are as they are drawn today; "npm run pictures" draws them again', async () => {
    const faults: string[] = [];
    for (const one of allCases)
      for (const shot of shots) {
        const drawn = pixelsOfSvg(await svgOf(one, shot, sales), 1);
        const pixels = differences(drawn, filePixels(fileName(one, shot)));
        if (pixels === null || pixels.length > tolerance * drawn.width * drawn.height)
          faults.push(`${fileName(one, shot)} differs in ${pixels?.length ?? 'size'}`);
      }
    expect(faults).toEqual([]);
  });
});
