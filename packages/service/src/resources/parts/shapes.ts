import { contrasts, densities, screenModes, shadowSizes, type JsonObject } from '@inlay/contract';
import { rights } from '../../declare/roles.ts';

const text: JsonObject = { type: 'string' };
const flag: JsonObject = { type: 'boolean' };
const free: JsonObject = { type: 'object' };
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const titled = (title: string, properties: JsonObject): JsonObject => ({ title, ...object(properties) });

const view = object({
  screenModus: { enum: [...screenModes] },
  options: object({ share: free, theme: free, alertingEnabled: flag }),
  filterGroups: { type: 'array', items: {} },
  items: { type: 'array', items: {} },
});

/** The members of a dashboard's `contents` that have a type. Other members may be anything. */
export const contentsShape = titled('DashboardContents', {
  version: text,
  syncScreenModes: flag,
  datasetLinks: free,
  views: { type: 'array', items: view },
  parameters: { type: 'array', items: {} },
  timezone: object({ type: text, id: text }),
});

const color: JsonObject = {
  type: ['string', 'null'],
  description: 'A CSS colour, such as `#1a2b3c` or `rgb(26,43,60)`.',
};
const quantity: JsonObject = {
  type: ['number', 'string', 'null'],
  description: 'A number, or a length such as `12px`.',
};
const words: JsonObject = { type: ['string', 'null'] };
const toggle: JsonObject = { type: ['boolean', 'null'] };
const oneOf = (...known: readonly string[]): JsonObject => ({ enum: [...known, null] });
const part = (properties: JsonObject): JsonObject => ({ type: ['object', 'null'], properties });
const colors: JsonObject = { type: ['array', 'null'], maxItems: 100, items: { type: 'string' } };
const scaleColors: JsonObject = { ...colors, maxItems: 11 };
const shadow = part({ size: oneOf(...shadowSizes), color });
const widths = Object.fromEntries(['top', 'right', 'bottom', 'left'].map((side) => [`border-${side}-width`, quantity]));

/** The known members of a theme. Other members are stored unchanged. */
export const themeShape = titled('ThemeProperties', {
  type: words,
  background: color,
  itemsBackground: color,
  mainColor: color,
  colors,
  sequential: scaleColors,
  diverging: scaleColors,
  font: part({ fontFamily: words, fontSize: quantity, 'font-weight': quantity, 'font-style': words }),
  title: part({
    align: oneOf('left', 'center', 'right'),
    bold: toggle,
    italic: toggle,
    underline: toggle,
    border: toggle,
    fontSize: quantity,
    lineHeight: quantity,
  }),
  borders: part({
    'border-color': color,
    'border-radius': quantity,
    'border-style': oneOf('none', 'solid', 'dotted', 'dashed'),
    ...widths,
  }),
  boxShadow: shadow,
  popupShadow: shadow,
  typeScale: part({
    small: quantity,
    figure: quantity,
    headings: { type: ['array', 'null'], maxItems: 3, items: quantity },
  }),
  spacing: quantity,
  radius: part({ small: quantity, medium: quantity, large: quantity }),
  density: oneOf(...densities),
  contrast: oneOf(...contrasts),
  margins: { type: ['array', 'null'], maxItems: 2, items: {} },
  axis: part({ fontSize: quantity }),
  legend: part({ type: oneOf('normal', 'line', 'circle'), fontSize: quantity, lineHeight: quantity }),
  tooltip: part({ background: color, fontSize: quantity, lineHeight: quantity, opacity: quantity }),
  itemSpecific: part({ rounding: quantity, padding: quantity }),
});

const grants = (member: string): JsonObject => ({
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    properties: { id: { type: 'string', format: 'uuid' }, [member]: { enum: [...rights] } },
    required: ['id', member],
    additionalProperties: false,
  },
});

/** The grants of an embed token. */
export const accessShape: JsonObject = {
  title: 'EmbedAccess',
  type: 'object',
  properties: { collections: grants('inheritRights'), datasets: grants('rights'), dashboards: grants('rights') },
  additionalProperties: false,
};
