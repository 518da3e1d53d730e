import type { JsonObject } from '../../json.ts';

/** Strong colours, large numbers, rounded cards with shadows. */
export const vivid = {
  type: 'custom',
  background: 'rgb(245,244,254)',
  itemsBackground: 'rgb(255,255,255)',
  mainColor: 'rgb(92,61,245)',
  colors: ['#5c3df5', '#e52f97', '#009e70', '#c73528', '#0083ee', '#a88e00', '#89009d', '#3d455d'],
  sequential: ['#e6f3ff', '#4a1fd1'],
  diverging: ['#c2470a', '#f3f1fa', '#5c3df5'],
  font: { fontFamily: '"Plus Jakarta Sans", "DM Sans", Inter, "Segoe UI", system-ui, sans-serif', fontSize: 14 },
  title: { align: 'left', bold: true, italic: false, underline: false, border: false, fontSize: 16, lineHeight: 24 },
  typeScale: { small: 12, figure: 54, headings: [2, 1.5, 1.15] },
  borders: { 'border-color': 'rgb(229,226,248)', 'border-radius': 18, 'border-style': 'solid' },
  radius: { small: 8, medium: 10, large: 14 },
  boxShadow: { size: 'M', color: 'rgba(66,40,200,0.10)' },
  popupShadow: { size: 'L', color: 'rgba(66,40,200,0.24)' },
  margins: [16, 16],
  tooltip: { background: 'rgb(32,24,84)', fontSize: 13, lineHeight: 18, opacity: 1 },
  itemSpecific: { rounding: 6, padding: 18 },
} as const satisfies JsonObject;

export const vividDark = {
  ...vivid,
  background: 'rgb(17,15,32)',
  itemsBackground: 'rgb(27,25,48)',
  mainColor: 'rgb(151,132,255)',
  colors: ['#9784ff', '#f1578b', '#45edb5', '#f59567', '#7ebeff', '#f8d350', '#c563bc', '#b0b0b0'],
  sequential: ['#2b2a52', '#c2d4ff'],
  diverging: ['#ff9a5c', '#332f52', '#b3a5ff'],
  borders: { 'border-color': 'rgb(48,44,84)', 'border-radius': 18, 'border-style': 'solid' },
  boxShadow: { size: 'M', color: 'rgba(0,0,0,0.45)' },
  popupShadow: { size: 'L', color: 'rgba(0,0,0,0.6)' },
  tooltip: { background: 'rgb(239,237,255)', fontSize: 13, lineHeight: 18, opacity: 1 },
} as const satisfies JsonObject;
