import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { gallerySamples } from '../../packages/service/src/gallery/gallery.ts';
import { sheetPng } from './sheet.ts';

// node test/gallery/main.ts FOLDER [NAME or TYPE] [THEMES] [LOCALE] [WIDTH]
// THEMES: ids of built-in themes with commas between, `all`, or a file as `inlay theme from` prints it.
const [folder = 'gallery', wanted = '', themes = 'default', locale = 'en', width = '440'] = process.argv.slice(2);

/** Returns the themes of a file that has one or a light and a dark form. */
async function fromFile(path: string): Promise<Readonly<Record<string, JsonObject>>> {
  const read: Json = JSON.parse(await readFile(path, 'utf8'));
  if (!isObject(read)) throw new Error(`${path} has no theme`);
  const forms = Object.entries(read).flatMap(([form, theme]) =>
    isObject(theme) && ['light', 'dark'].includes(form) ? [[`${basename(path, '.json')}_${form}`, theme] as const] : [],
  );
  return forms.length === 0 ? { [basename(path, '.json')]: read } : Object.fromEntries(forms);
}

const shownThemes = themes.endsWith('.json')
  ? await fromFile(themes)
  : Object.fromEntries(
      (themes === 'all' ? Object.keys(builtInThemes) : themes.split(',')).map((id): [string, JsonObject] => [
        id,
        { id },
      ]),
    );
const shown = gallerySamples.filter(({ name, type }) => `${name} ${JSON.stringify(type)}`.includes(wanted));
await mkdir(folder, { recursive: true });
for (const [name, theme] of Object.entries(shownThemes)) {
  const look = { theme, locale, columns: Number(width) < 380 ? 4 : 3, widthPx: Number(width), heightPx: 260 };
  await writeFile(join(folder, `${name}-${locale}-${width}.png`), await sheetPng(shown, look));
}
