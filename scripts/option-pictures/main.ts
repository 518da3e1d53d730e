import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileName, picturesFolder } from './case.ts';
import { allCases } from './cases.ts';
import { pngOfSvg, svgOf } from './draw.ts';
import { openSales } from './sales.ts';
import { writeSheets } from './sheets.ts';

// npm run pictures [-- FOLDER]: draws the pictures of options in the reference; with a folder, also sheets of them all to look at.
const [sheets] = process.argv.slice(2);

const sales = await openSales();
rmSync(picturesFolder, { recursive: true, force: true });
mkdirSync(picturesFolder, { recursive: true });
for (const one of allCases)
  for (const shot of [0, 1] as const)
    writeFileSync(join(picturesFolder, fileName(one, shot)), pngOfSvg(await svgOf(one, shot, sales)));
sales.close();
console.log(`Drew ${2 * allCases.length} pictures in docs/pictures/options.`);
if (sheets !== undefined) {
  mkdirSync(sheets, { recursive: true });
  writeSheets(picturesFolder, sheets);
}
