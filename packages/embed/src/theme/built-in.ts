import type { JsonObject } from '@inlay/contract';

const light: JsonObject = {
  type: 'custom',
  background: 'rgb(245,246,248)',
  itemsBackground: 'rgb(255,255,255)',
  mainColor: 'rgb(0,98,155)',
  // Told apart by people who see colours differently, and dark enough on white for marks (3:1).
  colors: ['#00629b', '#c4501b', '#2e7d4f', '#8a4fa3', '#9a6b00', '#0b7f86', '#b3346c', '#5b6472'],
  font: { fontFamily: 'Inter, "Segoe UI", system-ui, sans-serif', fontSize: 14 },
  title: { align: 'left', bold: true, italic: false, underline: false, border: false, fontSize: 15, lineHeight: 22 },
  borders: { 'border-color': 'rgb(222,226,232)', 'border-radius': 8, 'border-style': 'solid' },
  boxShadow: { size: 'S', color: 'rgba(20,30,50,0.10)' },
  margins: [12, 12],
  axis: { fontSize: 12 },
  legend: { type: 'circle', fontSize: 12, lineHeight: 18 },
  tooltip: { background: 'rgb(29,36,48)', fontSize: 13, lineHeight: 18, opacity: 1 },
  itemSpecific: { rounding: 2, padding: 12 },
};

const dark: JsonObject = {
  ...light,
  background: 'rgb(17,21,28)',
  itemsBackground: 'rgb(27,33,43)',
  mainColor: 'rgb(92,179,240)',
  colors: ['#5cb3f0', '#f2935c', '#6cc48d', '#c79be0', '#e0b84a', '#4fc4cb', '#ef86b2', '#a7b1c0'],
  borders: { 'border-color': 'rgb(52,61,76)', 'border-radius': 8, 'border-style': 'solid' },
  boxShadow: { size: 'none', color: 'rgba(0,0,0,0.4)' },
  tooltip: { background: 'rgb(236,240,246)', fontSize: 13, lineHeight: 18, opacity: 1 },
};

/** Themes that every dashboard may name by id. */
export const builtInThemes: Readonly<Record<string, JsonObject>> = {
  default: light,
  default_dark: dark,
  paper: {
    ...light,
    background: 'rgb(250,246,238)',
    itemsBackground: 'rgb(255,252,246)',
    mainColor: 'rgb(140,62,36)',
    colors: ['#8c3e24', '#2f6b62', '#8b6508', '#4d5a8f', '#98406b', '#55701f', '#6f4e7c', '#5f5a52'],
    font: { fontFamily: 'Georgia, "Times New Roman", serif', fontSize: 15 },
    borders: { 'border-color': 'rgb(226,216,198)', 'border-radius': 2, 'border-style': 'solid' },
    boxShadow: { size: 'none', color: 'rgba(0,0,0,0)' },
  },
  high_contrast: {
    ...light,
    background: 'rgb(255,255,255)',
    mainColor: 'rgb(0,0,0)',
    colors: ['#000000', '#0047b3', '#a30000', '#00611c', '#6a00a8', '#7a4a00', '#005a63', '#4d4d4d'],
    borders: { 'border-color': 'rgb(0,0,0)', 'border-radius': 0, 'border-style': 'solid' },
    boxShadow: { size: 'none', color: 'rgba(0,0,0,0)' },
  },
};
