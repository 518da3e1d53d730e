import { contrasts, densities, shadowSizes } from '../theme/theme-values.ts';
import { member, of, words, type Member } from '../members/member.ts';

const font = (what: string): Readonly<Record<string, Member>> => ({
  fontSize: member('quantity', `Size of ${what}: a number of px, or a length such as \`12px\`.`),
  lineHeight: member('quantity', `Height of a line of ${what}, relative to its size.`),
});

const shadow = of({
  size: member('text', 'Size of the shadow.', { values: shadowSizes }),
  color: member('color', 'Colour of the shadow.'),
});
const corner = (what: string): Member => member('quantity', `Corners of ${what}.`);

/** The members of a theme. specification/themes#members */
export const themeMembers = of({
  id: member('text', 'Id of a theme of the organization, or the name of a built-in one.', { checked: true }),
  name: member(words, 'Name of the theme.'),
  type: member('text', '`custom` for a theme with members of its own.'),
  background: member('color', 'Background of the dashboard.'),
  itemsBackground: member('color', 'Background of items.'),
  mainColor: member('color', 'Colour of single series, of numbers and of what is selected.'),
  colors: member({ each: 'color' }, 'Colours of series and members, in order; at most 100.'),
  sequential: member(
    { each: 'color' },
    'Colours of a scale from little to much, 2 to 11; those between are mixed. From `mainColor` where it is absent.',
  ),
  diverging: member(
    { each: 'color' },
    'Colours of a scale from below a middle to above it, 3 to 11, the middle one in the middle.',
  ),
  font: member(
    of({
      fontFamily: member('text', 'Font families, as in CSS. They must be installed, or loaded by the page.'),
      fontSize: member('quantity', 'Size of text, in px.'),
      'font-weight': member('any', 'Weight of text, as in CSS.'),
      'font-style': member('text', 'Style of text, as in CSS.'),
    }),
    'Text.',
  ),
  title: member(
    of({
      align: member('text', 'Where titles of items stand.', { values: ['left', 'center', 'right'] }),
      bold: member('boolean', 'Bold titles.'),
      italic: member('boolean', 'Italic titles.'),
      underline: member('boolean', 'Underlined titles.'),
      border: member('boolean', 'A line under titles.'),
      ...font('titles'),
    }),
    'Titles of items.',
  ),
  borders: member(
    of({
      'border-color': member('color', 'Colour of the border.'),
      'border-radius': member('quantity', 'Radius of the corners.'),
      'border-style': member('text', 'Style of the border.', { values: ['none', 'solid', 'dotted', 'dashed'] }),
      'border-top-width': member('quantity', 'Width above.'),
      'border-right-width': member('quantity', 'Width at the right.'),
      'border-bottom-width': member('quantity', 'Width below.'),
      'border-left-width': member('quantity', 'Width at the left.'),
    }),
    'Borders of items.',
  ),
  boxShadow: member(shadow, 'Shadow of items.'),
  popupShadow: member(shadow, 'Shadow of lists and calendars that open, and of tooltips.'),
  typeScale: member(
    of({
      small: member('quantity', 'Size of notes and of small labels.', { default: 12 }),
      figure: member('quantity', 'Largest size of single numbers.', { default: 44 }),
      headings: member(
        { each: 'any' },
        'Sizes of the three levels of headings in text items, relative to the text: 1.7, 1.35 and 1.1 by default.',
      ),
    }),
    'Sizes of text beside `font`, `title`, `axis`, `legend` and `tooltip`.',
  ),
  spacing: member('quantity', 'Unit of gaps and paddings, in px.', { default: 4 }),
  radius: member(
    of({
      small: corner('buttons and ticks'),
      medium: corner('fields, and of entries of lists'),
      large: corner('what opens, and of tooltips'),
    }),
    'Corners inside items, in px; those of items themselves are in `borders`.',
  ),
  density: member('text', 'Height of rows and of fields, and how much of `spacing` and `padding` is left between.', {
    values: densities,
    default: 'normal',
  }),
  contrast: member(
    'text',
    'How far notes, labels of axes, links and lines stand out: 4.5:1 (`normal`) or 7:1 (`more`).',
    {
      values: contrasts,
      default: 'normal',
    },
  ),
  margins: member({ each: 'any' }, 'Space between items: vertical, then horizontal, in px.'),
  axis: member(of({ fontSize: member('quantity', 'Size of labels.') }), 'Axes.'),
  legend: member(
    of({ type: member('text', 'Shape of the marks.', { values: ['normal', 'line', 'circle'] }), ...font('legends') }),
    'Legends.',
  ),
  tooltip: member(
    of({
      background: member('color', 'Background.'),
      opacity: member('quantity', 'Opacity from 0 to 1.'),
      ...font('tooltips'),
    }),
    'Tooltips.',
  ),
  itemSpecific: member(
    of({
      rounding: member('quantity', 'Radius of the ends of bars and columns, in px.'),
      padding: member('quantity', 'Padding of items, in px.'),
    }),
    'Marks of charts, and inside of items.',
  ),
});
