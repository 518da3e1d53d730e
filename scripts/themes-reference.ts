import { builtInThemes } from '@inlay/contract/built-in-themes';
import { divergingStops, resolveTheme, sequentialStops } from '@inlay/contract/theme';
import { limits, measuredTheme, type RampFigures } from '../packages/service/src/theming/measure.ts';
import { visions } from '../packages/service/src/theming/vision.ts';

const characters: Readonly<Record<string, string>> = {
  default: 'neutral: grey page, white cards, blue',
  paper: 'editorial: a serif, warm paper, thin lines, square corners',
  vivid: 'a product of today: strong colours, large numbers, round cards that float',
  earth: 'clay, moss and sand: soft corners, much room (`comfortable`)',
  high_contrast: 'black on white with plain lines',
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const ramp = ({ stepError, lightness }: RampFigures): string =>
  `${(100 * stepError).toFixed(0)} %, ${lightness.toFixed(2)}`;

const figureRows = Object.entries(builtInThemes).map(([id, theme]) => {
  const { difference, markContrast, textContrast, sequential, diverging, ends } = measuredTheme(theme);
  return [
    `\`${id}\``,
    ...visions.map((vision) => difference[vision].toFixed(1)),
    markContrast.toFixed(1),
    textContrast.toFixed(1),
    ramp(sequential),
    ramp(diverging),
    ends.toFixed(1),
  ];
});

/** Returns the reference of built-in themes: what they are, and what was measured of them. */
export const themesReference = (): string => `<!-- Written by "npm run docs"; do not edit. -->

# Built-in themes

A dashboard, a token or a page names a theme by its id. Each has a light and a dark form; a page chooses between them:
[Theming](../guides/theming.md#light-and-dark). The members of a theme: [contents](contents.md#themes).

${table(
  ['Theme', 'Dark form', 'Character', 'Density'],
  Object.entries(characters).map(([id, character]) => {
    const density = builtInThemes[id]?.['density'];
    return [`\`${id}\``, `\`${id}_dark\``, character, `\`${typeof density === 'string' ? density : ''}\``];
  }),
)}

## Colours

${table(
  ['Theme', 'Items', 'Main', 'Colours of series', 'From little to much', 'From below to above'],
  Object.entries(builtInThemes).map(([id, theme]) => {
    const shown = resolveTheme([theme]);
    const { itemsBackground, mainColor, colors } = shown;
    const [sequential, diverging] = [sequentialStops(shown), divergingStops(shown)];
    const list = (of: readonly string[]): string => of.map((color) => `\`${color}\``).join(' ');
    return [`\`${id}\``, ...[[itemsBackground], [mainColor], colors, sequential, diverging].map(list)];
  }),
)}

## Figures

What a test measures of each theme as it is shown, the worst case of each:

- **Difference** of two of the first eight colours, CIEDE2000, at least ${limits.difference}: as most people see them, and as people see them who lack
  the cones for long (protanopia), middle (deuteranopia) or short (tritanopia) waves, simulated after Machado, Oliveira and Fernandes (2009).
- **Marks**: contrast of the colours with what items lie on, at least ${limits.markContrast}:1 (WCAG 2.2, 1.4.11).
- **Texts**: contrast of all texts with what they stand on, at least ${limits.textContrast}:1 (WCAG 2.2, 1.4.3).
- **Ramps**: by how much a step differs from the mean step in lightness (OKLab), at most ${100 * limits.stepError} %, and the lightness from end to end, at
  least ${limits.lightness}; of a diverging ramp for its worse half.
- **Ends** of the diverging ramp: CIEDE2000 in the way of seeing in which they are most alike, at least ${limits.difference}.

${table(
  [
    'Theme',
    'Normal',
    'Protanopia',
    'Deuteranopia',
    'Tritanopia',
    'Marks',
    'Texts',
    'Sequential ramp',
    'Diverging ramp',
    'Ends',
  ],
  figureRows,
)}
`;
