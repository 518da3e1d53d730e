import type { JsonObject } from '../../json.ts';

/** Black on white with plain lines: for viewers who need more contrast, and for projectors. */
export const highContrast = {
  type: 'custom',
  background: 'rgb(255,255,255)',
  itemsBackground: 'rgb(255,255,255)',
  mainColor: 'rgb(0,0,0)',
  colors: ['#000000', '#0400c0', '#c41c00', '#007437', '#570079', '#662400', '#205152', '#af0061'],
  sequential: ['#e9e9e9', '#000000'],
  diverging: ['#a30000', '#f4f4f4', '#0400c0'],
  contrast: 'more',
  borders: { 'border-color': 'rgb(0,0,0)', 'border-radius': 0, 'border-style': 'solid' },
  radius: { small: 0, medium: 0, large: 0 },
  typeScale: { small: 13, figure: 44, headings: [1.7, 1.35, 1.1] },
  axis: { fontSize: 13 },
  legend: { type: 'normal', fontSize: 13, lineHeight: 20 },
  boxShadow: { size: 'none', color: 'rgba(0,0,0,0)' },
  popupShadow: { size: 'M', color: 'rgba(0,0,0,0.6)' },
  tooltip: { background: 'rgb(0,0,0)', fontSize: 14, lineHeight: 20, opacity: 1 },
  itemSpecific: { rounding: 0, padding: 12 },
} as const satisfies JsonObject;

export const highContrastDark = {
  ...highContrast,
  background: 'rgb(0,0,0)',
  itemsBackground: 'rgb(0,0,0)',
  mainColor: 'rgb(253,211,0)',
  colors: ['#fdd300', '#99ceff', '#ff8ccb', '#aeff8c', '#fc8700', '#b493ff', '#ffffff', '#00f0c6'],
  sequential: ['#262626', '#fdd300'],
  diverging: ['#6fc3ff', '#2b2b2b', '#fdd300'],
  borders: { 'border-color': 'rgb(255,255,255)', 'border-radius': 0, 'border-style': 'solid' },
  popupShadow: { size: 'M', color: 'rgba(255,255,255,0.4)' },
  tooltip: { background: 'rgb(255,255,255)', fontSize: 14, lineHeight: 20, opacity: 1 },
} as const satisfies JsonObject;
