import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { gallerySamples } from '../../packages/service/src/gallery/gallery.ts';
import { sheetPng } from './sheet.ts';

// Draws the pictures of docs/gallery.md: node test/gallery/docs.ts
const folder = join(import.meta.dirname, '../../docs/pictures/gallery');
const ofThemes = new Set([
  'evolution-number-1',
  'combination-chart-1',
  'donut-chart-1',
  'column-chart-2',
  'area-chart-1',
  'bar-chart-2',

  'heat-table-1',
  'choropleth-map-1',
  'speedometer-chart-1',
  'treemap-chart-1',
  'funnel-chart-1',
  'regular-table-2',
]);
const someOfAll = gallerySamples.filter(({ id }) => ofThemes.has(id));
const oneOfEach = gallerySamples.filter(
  ({ id, type }) => id.endsWith('-1') && !type.endsWith('-filter') && type !== 'spacer',
);

await mkdir(folder, { recursive: true });
for (const id of Object.keys(builtInThemes)) {
  const look = { theme: { id }, locale: 'en', columns: 4, widthPx: 400, heightPx: 240, scale: 0.7 };
  await writeFile(join(folder, `${id}.png`), await sheetPng(someOfAll, look));
}
const wide = { theme: { id: 'default' }, columns: 5, widthPx: 400, heightPx: 240, scale: 0.6 };
await writeFile(join(folder, 'english.png'), await sheetPng(oneOfEach, { ...wide, locale: 'en' }));
await writeFile(join(folder, 'arabic.png'), await sheetPng(oneOfEach, { ...wide, locale: 'ar' }));
const phone = { theme: { id: 'default' }, locale: 'en', columns: 6, widthPx: 320, heightPx: 240, scale: 0.6 };
await writeFile(join(folder, 'phone.png'), await sheetPng(oneOfEach, phone));
