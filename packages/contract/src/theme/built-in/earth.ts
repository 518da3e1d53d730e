import type { JsonObject } from '../../json.ts';

/** The colours of clay, moss and sand, with rounded corners and wide spacing. */
export const earth = {
  type: 'custom',
  background: 'rgb(241,234,221)',
  itemsBackground: 'rgb(255,252,246)',
  mainColor: 'rgb(85,104,0)',
  colors: ['#556800', '#bc5245', '#be8200', '#406f80', '#7a3b34', '#7b7b7b', '#50457b', '#739171'],
  sequential: ['#f3ead0', '#465500'],
  diverging: ['#a04a2c', '#f6efe0', '#2f6f78'],
  font: { fontFamily: '"Nunito Sans", Nunito, "Avenir Next", Avenir, "Segoe UI", sans-serif', fontSize: 14 },
  title: { align: 'left', bold: true, italic: false, underline: false, border: false, fontSize: 15, lineHeight: 22 },
  typeScale: { small: 12, figure: 40, headings: [1.7, 1.35, 1.1] },
  borders: { 'border-color': 'rgb(224,212,190)', 'border-radius': 12, 'border-style': 'solid' },
  radius: { small: 6, medium: 9, large: 12 },
  density: 'comfortable',
  boxShadow: { size: 'none', color: 'rgba(0,0,0,0)' },
  popupShadow: { size: 'L', color: 'rgba(80,60,20,0.22)' },
  margins: [14, 14],
  tooltip: { background: 'rgb(58,48,36)', fontSize: 13, lineHeight: 18, opacity: 1 },
  itemSpecific: { rounding: 4, padding: 13 },
} as const satisfies JsonObject;

export const earthDark = {
  ...earth,
  background: 'rgb(27,25,19)',
  itemsBackground: 'rgb(38,35,28)',
  mainColor: 'rgb(169,198,124)',
  colors: ['#a9c67c', '#ba937f', '#ffbc33', '#7cbbc6', '#d07d4c', '#cbb8af', '#b6aaff', '#959595'],
  sequential: ['#38371f', '#cfe39b'],
  diverging: ['#e38b62', '#3a362c', '#8cc9d3'],
  borders: { 'border-color': 'rgb(64,58,46)', 'border-radius': 12, 'border-style': 'solid' },
  popupShadow: { size: 'L', color: 'rgba(0,0,0,0.6)' },
  tooltip: { background: 'rgb(245,238,224)', fontSize: 13, lineHeight: 18, opacity: 1 },
} as const satisfies JsonObject;
