import type { JsonObject } from '../../json.ts';

/** Looks like a printed page: a serif font, warm paper, thin lines and square corners. */
export const paper = {
  type: 'custom',
  background: 'rgb(250,246,238)',
  itemsBackground: 'rgb(255,252,246)',
  mainColor: 'rgb(140,62,36)',
  colors: ['#8c3e24', '#536c4d', '#b08819', '#45619f', '#77366d', '#668a53', '#806d89', '#5a5a5a'],
  sequential: ['#f4e8d8', '#7d331b'],
  diverging: ['#1f5f57', '#f5ecdd', '#8c3e24'],
  font: { fontFamily: 'Georgia, "Times New Roman", serif', fontSize: 15 },
  title: { align: 'left', bold: true, italic: false, underline: false, border: true, fontSize: 16, lineHeight: 26 },
  typeScale: { small: 13, figure: 46, headings: [1.9, 1.45, 1.15] },
  borders: { 'border-color': 'rgb(226,216,198)', 'border-radius': 2, 'border-style': 'solid' },
  radius: { small: 2, medium: 2, large: 2 },
  boxShadow: { size: 'none', color: 'rgba(0,0,0,0)' },
  popupShadow: { size: 'M', color: 'rgba(70,45,20,0.22)' },
  tooltip: { background: 'rgb(52,42,34)', fontSize: 14, lineHeight: 20, opacity: 1 },
  itemSpecific: { rounding: 0, padding: 14 },
} as const satisfies JsonObject;

export const paperDark = {
  ...paper,
  background: 'rgb(28,25,22)',
  itemsBackground: 'rgb(38,34,30)',
  mainColor: 'rgb(222,136,95)',
  colors: ['#de885f', '#7199bb', '#d9c864', '#91989d', '#ecabc8', '#acca98', '#b9aeff', '#a4998a'],
  sequential: ['#3d3128', '#f0a37c'],
  diverging: ['#7fc3b4', '#3a342e', '#e59a72'],
  borders: { 'border-color': 'rgb(66,58,50)', 'border-radius': 2, 'border-style': 'solid' },
  popupShadow: { size: 'M', color: 'rgba(0,0,0,0.6)' },
  tooltip: { background: 'rgb(246,238,226)', fontSize: 14, lineHeight: 20, opacity: 1 },
} as const satisfies JsonObject;
