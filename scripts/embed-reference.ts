import { readFileSync } from 'node:fs';
import { itemTypes, slotsOf } from '@inlay/contract';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { languages } from '../packages/embed/src/locale/words.ts';

const source = (file: string): string => readFileSync(new URL(`../packages/${file}.ts`, import.meta.url), 'utf8');

/** One property, method or event as its declaration says it. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly says: string;
  readonly attribute: string | null;
}

const plain = (comment: string): string =>
  comment
    .replaceAll(/^\s*\*\s?/gmu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();

function attributeOf(text: string, name: string): string | null {
  const declared = new RegExp(`^\\s{4}${name}: \\{(.*)\\},$`, 'mu').exec(text)?.[1];
  if (declared === undefined || declared.includes('attribute: false') || declared.includes('state: true')) return null;
  return name.replaceAll(/[A-Z]/gu, '-$&').toLowerCase();
}

const propertiesIn = (text: string): readonly Member[] =>
  [...text.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}declare (\w+): ([^;]+);/gu)].map(
    ([, says = '', name = '', type = '']) => ({ name, type, says: plain(says), attribute: attributeOf(text, name) }),
  );

const methodsIn = (text: string): readonly Member[] =>
  [...text.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(?:async )?([a-z]\w+)\(([^)]*)\): ([^{]+) \{\n/gu)].map(
    ([, says = '', name = '', given = '', type = '']) => ({
      name,
      type: `(${given}): ${type}`,
      says: plain(says),
      attribute: null,
    }),
  );

const files = {
  'inlay-dashboard': ['embed/src/elements/dashboard', 'embed/src/elements/element'],
  'inlay-item': ['embed/src/elements/item', 'embed/src/elements/element'],
  'inlay-editor': ['studio/src/editor/editor'],
  'inlay-grid': ['studio/src/grid/grid', 'embed/src/elements/dashboard', 'embed/src/elements/element'],
} as const;
export type ElementName = keyof typeof files;

/** Properties of an element, its own before those that both have. */
export const propertiesOf = (element: ElementName): readonly Member[] =>
  files[element].flatMap((file) => propertiesIn(source(file)));

/** Methods of an element that a page may call. */
export const methodsOf = (element: ElementName): readonly Member[] =>
  files[element].flatMap((file) => methodsIn(source(file)));

/** Events that a file declares, by default those of the elements that show dashboards. */
export const events = (file = 'embed/src/events'): readonly Member[] =>
  [
    ...source(file).matchAll(/(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\n)? {2}readonly (\w+): (\{(?:[^{}]|\{[^{}]*\})*\});/gu),
  ].map(([, says = '', name = '', type = '']) => ({
    name,
    type: type.replaceAll(/\s+/gu, ' ').replaceAll('readonly ', ''),
    says: plain(says),
    attribute: null,
  }));

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const elementPart = (element: ElementName, sentence: string): string => `## \`<${element}>\`

${sentence}

${table(
  ['Property', 'Attribute', 'Type', 'What it is'],
  propertiesOf(element).map(({ name, attribute, type, says }) => [
    `\`${name}\``,
    attribute === null ? '' : `\`${attribute}\``,
    `\`${type}\``,
    says,
  ]),
)}

${table(
  ['Method', 'What it does'],
  methodsOf(element).map(({ name, type, says }) => [`\`${name}${type}\``, says]),
)}
`;

const partPattern =
  /'(inlay-[\w-]+)': \{[^]*?load: async \(\) => (?:Promise\.resolve\((\w+)\)|\(await import\('\.\.\/([^']+)\.ts'\)\))/gu;

/** The parts of the editor's side panel, each with what its class says of itself. */
export function editorPanels(): readonly { readonly name: string; readonly says: string }[] {
  const parts = source('studio/src/editor/parts');
  return [...parts.matchAll(partPattern)].map(([, name = '', className = '', imported]) => {
    const file = imported ?? new RegExp(`import \\{ ${className} \\} from '\\.\\./([^']+)\\.ts'`, 'u').exec(parts)?.[1];
    const text = source(`studio/src/${file ?? ''}`);
    const says = /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport class \w+ extends Panel/u.exec(text)?.[1] ?? '';
    return { name, says: plain(says).replace(/^`[^`]+`: /u, '') };
  });
}

/** Properties that all panels of the editor have. */
export const panelProperties = (): readonly Member[] => propertiesIn(source('studio/src/panels/panel'));

const panelsPart = (): string => `## Panels of the editor

What \`<inlay-editor>\` shows in its side panel are elements of their own, for [editors of your own](../guides/embedding-the-editor.md#parts-for-an-editor-of-your-own). \`defineParts\` of \`/embed/editor.js\` loads and defines them.

${table(
  ['Element', 'What it is'],
  editorPanels().map(({ name, says }) => [`\`<${name}>\``, says]),
)}

All of them have these properties:

${table(
  ['Property', 'Attribute', 'Type', 'What it is'],
  panelProperties().map(({ name, attribute, type, says }) => [
    `\`${name}\``,
    attribute === null ? '' : `\`${attribute}\``,
    `\`${type}\``,
    says,
  ]),
)}
`;

/** Returns the reference of the elements as their declarations give it. */
export const embedReference = (): string => `# Elements

Written by \`npm run docs\` from \`packages/embed/src\` and \`packages/studio/src\`. How to use them: [Embedding](../guides/embedding.md). For editors of code, [custom-elements.json](custom-elements.json) has the same as a [manifest](https://github.com/webcomponents/custom-elements-manifest).

${elementPart('inlay-dashboard', 'A dashboard of the service in any page, without an iframe or a cookie.')}
${elementPart('inlay-item', 'One chart or filter from its type, slots and options; 320 px high where the page does not say otherwise.')}
${elementPart('inlay-editor', 'People arrange and change a dashboard of the service in any page. Loaded from `/embed/editor.js`, which brings the other elements too. How to use it: [Embedding the editor](../guides/embedding-the-editor.md).')}
${panelsPart()}
## Functions

\`@inlay/embed\` and the script \`/embed/inlay.js\`, which is a module, export these.

| Function | What it does |
| --- | --- |
| \`defineElements(): void\` | Makes both elements known to the page; the script does so itself. |
| \`accessibleDashboards({apiHost?, authKey?, authToken?, getToken?}): Promise<AccessibleDashboard[]>\` | The dashboards that a token may see, without an element: \`id\`, \`slug\`, and \`name\` as a text per language. Raises Failure. |

## Events

Each is a \`CustomEvent\` that bubbles and crosses shadow roots.

${table(
  ['Event', '`detail`', 'When'],
  events().map(({ name, type, says }) => [`\`${name}\``, `\`${type}\``, says]),
)}

Events of \`<inlay-editor>\`, beside those of the dashboard in it:

${table(
  ['Event', '`detail`', 'When'],
  events('studio/src/editor/events').map(({ name, type, says }) => [`\`${name}\``, `\`${type}\``, says]),
)}

## Types and their slots

**Required** slots must be filled; *several* columns may stand in a slot marked so, otherwise one.

${table(
  ['Type', 'Slots'],
  itemTypes.map((type) => [
    `\`${type}\``,
    slotsOf(type)
      .map(({ name, takes, required, many }) => {
        const shown = required ? `**${name}**` : name;
        return `${shown} (${takes}${many ? ', *several*' : ''})`;
      })
      .join(', '),
  ]),
)}

## Options of an item

[Contents of dashboards](contents.md#options-of-items) has all options and what they do.

## Themes and languages

Built-in themes: ${Object.keys(builtInThemes)
  .map((name) => `\`${name}\``)
  .join(
    ', ',
  )}; [their colours and figures](themes.md). Languages of the elements' own words: ${languages.map((name) => `\`${name}\``).join(', ')}; numbers and dates
are written in any locale that the browser knows.

## Parts and selectors

A page styles \`::part(grid)\` and \`::part(item)\`. Custom CSS of a dashboard or a token applies inside: \`.grid\`, \`.item\`,
\`article\`, \`header\`, \`h2\`, \`.body\`, \`.state\`, \`.figure\`, \`.choice\`, \`table\`, \`th\`, \`td\`, \`a\`, \`button\`, \`input\`, \`.menu\`. Rules that load
something, leave their place or reach the page around are left out.
`;
