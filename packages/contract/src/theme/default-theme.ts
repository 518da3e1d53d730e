import type { JsonObject } from '../json.ts';

/** The base theme of every page. Members that it does not set have their documented defaults. */
export const defaultTheme: JsonObject = {
  background: '#f5f6f8',
  colors: ['#00629b', '#bd4900', '#209c6a', '#9a6bd0', '#b98600', '#005646', '#db5c9b', '#5b6472'],
  font: { fontFamily: 'Inter, "Segoe UI", system-ui, sans-serif' },
  title: { bold: true },
  borders: { 'border-color': '#dee2e8' },
  boxShadow: { size: 'S', color: 'rgba(20,30,50,0.10)' },
  popupShadow: { size: 'L', color: 'rgba(20,30,50,0.20)' },
  legend: { type: 'circle' },
};
