import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { RenderJob } from '../../packages/service/src/export/render-job.ts';
import { draw } from '../../packages/service/src/export/drawing/drawing.ts';
import type { DrawnType } from '../../packages/service/src/export/export-spec.ts';
import { gallerySamples } from '../../packages/service/src/gallery/gallery.ts';
import { jobOf } from '../../packages/service/src/gallery/job.ts';
import type { Sample } from '../../packages/service/src/gallery/samples.ts';
import { textsOfPdf } from './pdf-texts.ts';

interface DrawnLook {
  readonly locale: string;
  readonly widthPx?: number;
  readonly rows?: Sample['rows'];
  readonly job?: Partial<RenderJob>;
}

async function fileOf(
  type: DrawnType,
  id: string,
  { locale, widthPx = 320, rows, job = {} }: DrawnLook,
): Promise<Buffer> {
  const sample = gallerySamples.find((one) => one.id === id);
  if (sample === undefined) throw new Error(`there is no ${id}`);
  const look = { theme: 'default', locale, widthPx, heightPx: 260 };
  const made = jobOf({ ...sample, rows: rows ?? sample.rows }, look, type);
  return Buffer.from(await draw({ ...made.job, ...job }, [made.filled]));
}

const svgOf = async (id: string, look: DrawnLook): Promise<string> => (await fileOf('svg', id, look)).toString('utf8');

const textsOf = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text\b[^>]*>([^<]*)</gu)].map(([, text = '']) => text);

it('the name of a reference line is whole in Arabic, in one line or two', async () => {
  for (const widthPx of [320, 440, 640])
    expect(textsOf(await svgOf('line-chart-1', { locale: 'ar', widthPx })).join('\n')).toMatch(
      /المتوسط.{1,40}57\.1.ألف.€/su,
    );
});

it('a text with a number runs from right to left in Arabic, and one of Latin letters does not', async () => {
  expect(textsOf(await svgOf('circular-gauge-1', { locale: 'ar' }))).toContain('\u202bالهدف 95.0\u200e%\u200e\u202c');
  expect(
    textsOf(await svgOf('column-chart-1', { locale: 'ar' }))
      .filter((text) => /[a-z]/iu.test(text))
      .join(),
  ).not.toContain('\u202b');
});

it('a PDF has the words and numbers of a text in the order in which Arabic is seen', async () => {
  const bytes = await fileOf('pdf', 'circular-gauge-1', { locale: 'ar' });
  expect(textsOfPdf(bytes).replaceAll('\n', '')).toContain(`95.0% ${Array.from('الهدف').toReversed().join('')}`);
});

it('slanted names of members lie within the picture', async () => {
  const svg = await svgOf('column-chart-1', { locale: 'ar', widthPx: 360 });
  const slanted = [...svg.matchAll(/<text\b[^>]*transform="matrix\(0\.707,-0\.707,0\.707,0\.707,([\d.-]+),/gu)];
  expect(slanted.length).toBeGreaterThanOrEqual(10);
  const sleepingBagPx = 80 * Math.SQRT1_2;
  expect(Math.min(...slanted.map(([, x]) => Number(x)))).toBeGreaterThanOrEqual(sleepingBagPx - 12);
});

it.each(['en', 'fr'])(
  'every amount of a narrow waterfall chart is written, as large as on a wide one: %s',
  async (locale) => {
    const amounts = (svg: string): readonly string[] =>
      textsOf(svg).filter((text) => /531|214|142|38|24|161/u.test(text));
    const narrow = amounts(await svgOf('waterfall-chart-1', { locale }));
    expect(narrow).toEqual(amounts(await svgOf('waterfall-chart-1', { locale, widthPx: 640 })));
    expect(narrow).toHaveLength(6);
  },
);

it('names stand whole in the circles and rings that have room for them', async () => {
  const whole = (svg: string): number =>
    textsOf(svg).filter((text) => ['Stores', 'Online', 'shop', 'Germany', 'Belgium', 'France'].includes(text)).length;
  expect(whole(await svgOf('circle-pack-chart-1', { locale: 'en' }))).toBeGreaterThanOrEqual(6);
  expect(whole(await svgOf('sunburst-chart-1', { locale: 'en' }))).toBeGreaterThanOrEqual(5);
});

it.each([
  ['date-filter-1', 'en', 'Period', 'All'],
  ['dropdown-filter-1', 'fr', 'Country', 'Tout'],
  ['search-filter-1', 'ar', 'Product', '\u202bالكل\u202c'],
  ['slider-filter-1', 'en', 'Order value', 'All'],
])('a filter shows its title and what is chosen, with rows and without: %s', async (id, locale, title, all) => {
  expect(textsOf(await svgOf(id, { locale }))).toEqual([title, all]);
  expect(textsOf(await svgOf(id, { locale, rows: [] }))).toEqual([title, all]);
});

it('texts are measured in the font that the organization of each file has under a name', async () => {
  const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  const inFont = async (file: string): Promise<string> => {
    const data = readFileSync(join(folder, `${file}.ttf`)).toString('base64');
    const theme = { id: 'default', font: { fontFamily: 'House' }, margins: [0, 0] };
    const fonts = [{ family: 'House', isBold: false, isItalic: false, data }];
    const svg = await svgOf('bar-chart-1', { locale: 'en', job: { themes: [theme], fonts } });
    return svg.replaceAll(/<style>[^]*?<\/style>|zr\d+-cls-\d+/gu, '');
  };
  const [narrow, wide] = [await inFont('DejaVuSansCondensed'), await inFont('DejaVuSansMono-Bold')];
  expect(wide).not.toBe(narrow);
  expect(await inFont('DejaVuSansCondensed')).toBe(narrow);
  expect(narrow).toMatch(/font-family:House/u);
  expect(narrow).not.toContain('inlay-');
});
