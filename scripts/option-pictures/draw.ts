import { readItem, type ItemQuery } from '@inlay/contract';
import { bundledFonts } from '../../packages/service/src/export/drawing/fonts.ts';
import { draw } from '../../packages/service/src/export/drawing/drawing.ts';
import { pixelsOf } from '../../packages/service/src/export/drawing/picture.ts';
import { jobOf, sampleQueries } from '../../packages/service/src/gallery/job.ts';
import type { Sample } from '../../packages/service/src/gallery/samples.ts';
import { fileName, itemOf, type OptionCase } from './case.ts';
import { smallPng } from './png.ts';
import type { Sales } from './sales.ts';

/** Width of pictures, and their height where a case does not say, in px. */
export const [widthPx, usualPx] = [320, 190];

/** Returns a picture of a case as SVG, drawn as the service draws exports. */
export async function svgOf(one: OptionCase, shot: 0 | 1, sales: Sales): Promise<string> {
  const item = itemOf(one, shot);
  const read = readItem(item);
  const { query, compared } = read === null ? { query: null, compared: null } : sampleQueries(read);
  const rowsOf = async (asked: ItemQuery | null): Promise<Sample['rows']> =>
    read === null || asked === null ? [] : sales.rowsOf(read, asked);
  const sample = { name: fileName(one, shot), item, rows: await rowsOf(query), soFar: await rowsOf(compared) };
  const { job, filled } = jobOf(
    sample,
    { theme: 'default', locale: 'en', widthPx, heightPx: one.heightPx ?? usualPx },
    'svg',
  );
  return new TextDecoder().decode(await draw(job, [filled]));
}

/** Returns an SVG as PNG, as large as it is. */
export function pngOfSvg(svg: string): Uint8Array {
  const { width, height, pixels } = pixelsOf(svg, bundledFonts(), 1);
  return smallPng(width, height, pixels);
}
