import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFontMeasure } from '../../packages/service/src/export/drawing/font-measure.ts';
import { bundledFonts, type OwnFont } from '../../packages/service/src/export/drawing/fonts.ts';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { fontFile } from '../support/font-file.ts';
import { wideFont } from '../support/wide-font.ts';

const texts = {
  latin: [
    'Average',
    'Total',
    'Revenue by country',
    'AVATAR Tax',
    'Trail Running Shoes Pro',
    '12,345.67',
    '$1.5K – 87.3%',
  ],
  french: ['L’année dernière', 'Chiffre d’affaires', 'Télévision à Québec', 'Œuvres reçues : 1 234,5 €', 'Noe\u0308l'],
  arabic: ['المتوسط', 'الإيرادات حسب البلد', 'المتوسط 57.1 ألف', 'لا توجد بيانات لهذا الاختيار', '٪ ١٢٣٫٤'],
  cjk: ['売上高', '国別の収益', '平均 57.1万', '销售额'],
} as const;

const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const fileOf = (name: string): Buffer => readFileSync(join(folder, `${name}.ttf`));
const ofFamily = (family: string, files: readonly (readonly [Buffer, boolean, boolean])[]): readonly OwnFont[] =>
  files.map(([data, isBold, isItalic]) => ({ family, isBold, isItalic, data: data.toString('base64') }));

const bundled = ofFamily('Bundled', [
  [fileOf('DejaVuSans'), false, false],
  [fileOf('DejaVuSans-Bold'), true, false],
  [fileOf('DejaVuSans-Oblique'), false, true],
  [fileOf('DejaVuSans-BoldOblique'), true, true],
]);
/** Arabic has no italic face: a page falls back to this family, where it would take any font of the machine. */
const upright = ofFamily('Upright', [[fileOf('DejaVuSans'), false, false]]);
/** It has no Arabic letters: those come from the bundled font. */
const serif = ofFamily('Own Serif', [
  [fileOf('DejaVuSerif'), false, false],
  [fileOf('DejaVuSerif-Bold'), true, false],
  [fileOf('DejaVuSerif-Italic'), false, true],
  [fileOf('DejaVuSerif-BoldItalic'), true, true],
]);
const wide = ofFamily('Wide', [[wideFont('Wide', texts.cjk.join('').replaceAll(/[ -~]/gu, '')), false, false]]);

const faces = [
  { isBold: false, isItalic: false },
  { isBold: true, isItalic: false },
  { isBold: false, isItalic: true },
  { isBold: true, isItalic: true },
] as const;

/** Fonts as a page knows them, and as the service does. */
const cases = [
  { name: 'the bundled font', list: 'Bundled, Upright, Wide', own: [] },
  { name: 'the font of an organization', list: 'Own Serif, Bundled, Upright, Wide', own: serif },
] as const;
const sizePx = 12;

describe.skipIf(noBrowser !== undefined)('the width of a text in a picture', () => {
  let browser: Browser;
  let page: Page;

  /** How wide the browser draws a text of an SVG, without the hinting that a machine may be set to. */
  const seen = async (
    text: string,
    family: string,
    { isBold, isItalic }: { readonly isBold: boolean; readonly isItalic: boolean },
  ): Promise<number> => {
    const style = `font:${isItalic ? 'italic' : 'normal'} ${isBold ? 'bold' : 'normal'} ${sizePx}px ${family};white-space:pre;text-rendering:geometricPrecision`;
    const written = JSON.stringify(`<text style="${style}">${text}</text>`);
    return Number(
      await page.evaluate(
        `document.querySelector('svg').innerHTML = ${written}; document.querySelector('text').getComputedTextLength()`,
      ),
    );
  };

  beforeAll(async () => {
    browser = await startBrowser();
    page = await browser.newPage();
    const rules = [...bundled, ...upright, ...serif, ...wide].map(
      ({ family, isBold, isItalic, data }) =>
        `@font-face{font-family:${family};font-weight:${isBold ? 'bold' : 'normal'};font-style:${isItalic ? 'italic' : 'normal'};src:url(data:font/ttf;base64,${data})}`,
    );
    await page.setContent(`<style>${rules.join('')}</style><svg width="900" height="40"></svg>`);
    const loaded = await page.evaluate<readonly string[]>(
      'Promise.all([...document.fonts].map((face) => face.load())).then((faces) => faces.map(({ status }) => status))',
    );
    expect(new Set(loaded)).toEqual(new Set(['loaded']));
  });
  afterAll(() => browser.close());

  describe.each(cases)('in $name', ({ list, own }) => {
    const measure = createFontMeasure(own, bundledFonts());

    it.each(['latin', 'french', 'arabic', 'cjk'] as const)(
      'of %s is what a browser draws, within two per cent',
      async (kind) => {
        const off: string[] = [];
        for (const text of texts[kind])
          for (const face of faces) {
            const [measured, drawn] = [measure.width(text, sizePx, face), await seen(text, list, face)];
            if (Math.abs(measured / drawn - 1) > 0.02)
              off.push(`${text} ${JSON.stringify(face)}: ${measured.toFixed(2)} for ${drawn.toFixed(2)}`);
          }
        expect(off).toEqual([]);
      },
    );
  });

  it('is measured in the nearest style where a font has no face of it', () => {
    const [regular] = serif;
    const measure = createFontMeasure(regular === undefined ? [] : [regular], bundledFonts());
    expect(measure.width('Total', sizePx, { isBold: true })).toBe(measure.width('Total', sizePx));
  });

  it.each([
    ['is no font', Buffer.from('no font')],
    ['has nothing in its tables', fontFile('Empty')],
  ])('is that of the bundled font where a file %s', (_name, data) => {
    const broken = createFontMeasure(ofFamily('Broken', [[data, false, false]]), bundledFonts());
    for (const text of ['Total', 'المتوسط'])
      expect(broken.width(text, sizePx)).toBe(createFontMeasure([], bundledFonts()).width(text, sizePx));
  });
});
