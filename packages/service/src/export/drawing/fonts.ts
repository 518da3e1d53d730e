import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A font that comes with the service, so that a server without any still writes text. */
export interface Fonts {
  readonly family: string;
  readonly regular: string;
  readonly bold: string;
  readonly italic: string;
  readonly boldItalic: string;
}

/** DejaVu Sans: Latin, Greek, Cyrillic, Arabic and Hebrew among others, under a permissive licence. */
export function bundledFonts(): Fonts {
  const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  return {
    family: 'DejaVu Sans',
    regular: join(folder, 'DejaVuSans.ttf'),
    bold: join(folder, 'DejaVuSans-Bold.ttf'),
    italic: join(folder, 'DejaVuSans-Oblique.ttf'),
    boldItalic: join(folder, 'DejaVuSans-BoldOblique.ttf'),
  };
}
