import type { JsonObject } from '@inlay/contract';
import { escape } from '../docs/html.ts';
import { gallerySamples, type GallerySample } from './gallery.ts';

/** The options of each choice on the page, with their labels. */
export const choices = {
  theme: {
    default: 'Light',
    default_dark: 'Dark',
    paper: 'Paper',
    paper_dark: 'Paper, dark',
    vivid: 'Vivid',
    vivid_dark: 'Vivid, dark',
    earth: 'Earth',
    earth_dark: 'Earth, dark',
    high_contrast: 'High contrast',
    high_contrast_dark: 'High contrast, dark',
  },
  locale: { en: 'English', fr: 'Français', nl: 'Nederlands', ar: 'العربية' },
  width: { '640': 'Wide', '320': 'Phone' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Choice = keyof typeof choices;
export type Selection = Readonly<Record<Choice, string>>;

export const heightPx = 260;

const labels = { theme: 'Theme', locale: 'Language', width: 'Width' } satisfies Record<Choice, string>;
const kinds = ['theme', 'locale', 'width'] as const;

function selector(kind: Choice, selection: Selection): string {
  const options = Object.entries(choices[kind]).map(
    ([value, name]) => `<option value="${value}"${value === selection[kind] ? ' selected' : ''}>${name}</option>`,
  );
  return `<label>${labels[kind]} <select name="${kind}">${options.join('')}</select></label>`;
}

const jsonBlock = (json: JsonObject, label: string): string =>
  `<pre tabindex="0" aria-label="${label}">${escape(JSON.stringify(json, null, 2))}</pre>`;

function section({ id, type, name, item, contents }: GallerySample, selection: Selection): string {
  const address = `/gallery/${id}.svg?${new URLSearchParams(selection).toString()}`;
  const label = escape(`${type}: ${name}`);
  return `<section id="${id}"><h2><a href="#${id}">${label}</a></h2>
<img src="${escape(address)}" width="${selection.width}" height="${heightPx}" alt="${label}" loading="lazy">
${jsonBlock(item, 'JSON of the item')}${
    contents === undefined
      ? ''
      : `<p>The contents of the dashboard also need this, next to <code>views</code>:</p>${jsonBlock(contents, 'JSON of the contents')}`
  }</section>`;
}

/** Returns the page of samples. It has no script: clicking the JSON of an item selects all its text. */
export const galleryPage = (selection: Selection): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Item types – Inlay</title>
    <link rel="icon" href="data:," />
    <style>
      :root { color-scheme: light; font: 15px/1.5 system-ui, "Noto Sans", sans-serif; color: #1d2430; background: #fff; }
      body { margin: 0; }
      header, form, main { padding: 12px 20px; }
      header { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; border-bottom: 1px solid #dde2ea; }
      form { display: flex; flex-wrap: wrap; gap: 8px 16px; background: #f4f6f9; border-bottom: 1px solid #dde2ea; }
      h1 { font-size: 20px; margin: 0; }
      h2 { font-size: 17px; margin: 24px 0 8px; }
      a { color: #00629b; }
      h2 a { color: inherit; text-decoration: none; }
      button, select { font: inherit; color: inherit; padding: 5px 10px; border: 1px solid #8a94a6; border-radius: 6px; background: #fff; }
      :focus-visible { outline: 3px solid #7cb8e0; outline-offset: 1px; }
      img { display: block; max-width: 100%; height: auto; }
      pre { background: #f4f6f9; border: 1px solid #dde2ea; border-radius: 8px; padding: 12px; overflow: auto; max-height: 260px; max-width: 640px; box-sizing: border-box; font-size: 13px; user-select: all; }
    </style>
  </head>
  <body>
    <header><h1>Item types</h1><a href="/">Demo</a> <a href="/docs">API</a></header>
    <form>${kinds.map((kind) => selector(kind, selection)).join(' ')} <button>Show</button></form>
    <main>
      <p>The JSON under each picture is an entry of <code>items</code> in the contents of a dashboard: give it an <code>id</code> and a <code>position</code>. Its rows are made up.</p>
      ${gallerySamples.map((sample) => section(sample, selection)).join('\n')}
    </main>
  </body>
</html>
`;
