import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captionOf, fileName, type OptionCase } from './case.ts';
import { allCases } from './cases.ts';
import { pngOfSvg, usualPx, widthPx } from './draw.ts';

const [across, each] = [3, 15];
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function caseSvg(one: OptionCase, place: number, pictures: string): string {
  const [x, y] = [(place % across) * (2 * widthPx + 24), Math.floor(place / across) * 300];
  const shot = (index: 0 | 1): string => {
    const left = x + index * (widthPx + 4);
    const picture = readFileSync(join(pictures, fileName(one, index))).toString('base64');
    const height = one.heightPx ?? usualPx;
    return `<text x="${left}" y="${y + 26}" font-size="10">${escaped(captionOf(one, index).slice(0, 54))}</text>
<image x="${left}" y="${y + 32}" width="${widthPx}" height="${height}" xlink:href="data:image/png;base64,${picture}"/>`;
  };
  const title = escaped(`${one.shows.join(', ')} in ${one.type}`);
  return `<text x="${x}" y="${y + 12}" font-size="11" font-weight="bold">${title}</text>${shot(0)}${shot(1)}`;
}

/** Writes the pictures of a folder on sheets, some cases each, to look at them all. */
export function writeSheets(pictures: string, folder: string): void {
  for (let first = 0; first < allCases.length; first += each) {
    const shown = allCases.slice(first, first + each).map((one, place) => caseSvg(one, place, pictures));
    const [width, height] = [across * (2 * widthPx + 24), Math.ceil(shown.length / across) * 300];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#ddd"/>${shown.join('')}</svg>`;
    writeFileSync(join(folder, `options-${first / each + 1}.png`), pngOfSvg(svg));
  }
}
