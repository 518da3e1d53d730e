import type { JsonObject } from '../../json.ts';

/** The dark variant of the default theme. */
export const defaultDark: JsonObject = {
  background: 'rgb(17,21,28)',
  itemsBackground: 'rgb(27,33,43)',
  mainColor: 'rgb(92,179,240)',
  colors: ['#5cb3f0', '#ef8e4d', '#89c68c', '#d6c1e2', '#f2d460', '#1b95a6', '#e2567c', '#909090'],
  borders: { 'border-color': 'rgb(52,61,76)', 'border-radius': 8, 'border-style': 'solid' },
  boxShadow: { size: 'none', color: 'rgba(0,0,0,0.4)' },
  popupShadow: { size: 'L', color: 'rgba(0,0,0,0.5)' },
  tooltip: { background: 'rgb(236,240,246)', fontSize: 13, lineHeight: 18, opacity: 1 },
};
