import type { JsonObject } from '../../json.ts';
import { defaultTheme } from '../default-theme.ts';
import type { NamedThemes } from '../merge.ts';
import { defaultDark } from './default-dark.ts';
import { earth, earthDark } from './earth.ts';
import { highContrast, highContrastDark } from './high-contrast.ts';
import { paper, paperDark } from './paper.ts';
import { vivid, vividDark } from './vivid.ts';

/** Returns a theme that sets all members, so that no member of an underlying theme remains visible. */
const completeTheme = (theme: JsonObject): JsonObject => ({
  type: 'custom',
  ...defaultTheme,
  itemsBackground: 'rgb(255,255,255)',
  mainColor: 'rgb(0,98,155)',
  font: { fontFamily: 'Inter, "Segoe UI", system-ui, sans-serif', fontSize: 14 },
  title: { align: 'left', bold: true, italic: false, underline: false, border: false, fontSize: 15, lineHeight: 22 },
  borders: { 'border-color': '#dee2e8', 'border-radius': 8, 'border-style': 'solid' },
  margins: [12, 12],
  axis: { fontSize: 12 },
  legend: { type: 'circle', fontSize: 12, lineHeight: 18 },
  tooltip: { background: 'rgb(29,36,48)', fontSize: 13, lineHeight: 18, opacity: 1 },
  itemSpecific: { rounding: 2, padding: 12 },
  typeScale: { small: 12, figure: 44, headings: [1.7, 1.35, 1.1] },
  spacing: 4,
  radius: { small: 4, medium: 6, large: 8 },
  density: 'normal',
  contrast: 'normal',
  ...theme,
});

/** The built-in themes by id. Each has a light and a dark variant. */
export const builtInThemes: NamedThemes = {
  default: completeTheme({}),
  default_dark: completeTheme(defaultDark),
  paper: completeTheme(paper),
  paper_dark: completeTheme(paperDark),
  vivid: completeTheme(vivid),
  vivid_dark: completeTheme(vividDark),
  earth: completeTheme(earth),
  earth_dark: completeTheme(earthDark),
  high_contrast: completeTheme(highContrast),
  high_contrast_dark: completeTheme(highContrastDark),
};
