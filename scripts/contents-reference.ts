import { itemTypes, slotsOf, typesOfOption, type Json } from '@inlay/contract';
import {
  contentsMembers,
  filterGroupMembers,
  filterMembers,
  itemMembers,
  optionMembers,
  slotContentMembers,
  themeMembers,
  viewMembers,
  type Member,
  type MemberKind,
  type Members,
} from '@inlay/contract/dashboard';
import type { PicturedTable } from './option-pictures/case.ts';
import { pictureOf, pictureSections } from './option-pictures/reference.ts';

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);
const code = (value: Json): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const plain: Readonly<Record<Exclude<MemberKind, object>, string>> = {
  any: 'any',
  boolean: 'boolean',
  color: 'CSS colour',
  number: 'number',
  quantity: 'number or length',
  text: 'text',
  words: 'text, or one per language',
};

function kindInWords(kind: MemberKind): string {
  if (typeof kind === 'string') return plain[kind];
  if (!('each' in kind)) return 'object';
  return `list of ${typeof kind.each === 'object' ? 'objects' : `${plain[kind.each]}s`}`;
}

function notes({ values, default: initial, required, unless }: Member, types: readonly string[]): string {
  return [
    ...(required === true
      ? [unless === undefined ? 'Required.' : `Required, unless there is ${unless.map(code).join(' or ')}.`]
      : []),
    ...(values === undefined ? [] : [`One of ${values.map(code).join(', ')}.`]),
    ...(initial === undefined ? [] : [`Default: ${code(initial)}.`]),
    ...(types.length === 0 ? [] : [`For ${types.map(code).join(', ')}.`]),
  ].join(' ');
}

const tables = new Set<unknown>([
  filterGroupMembers,
  filterMembers,
  itemMembers,
  optionMembers,
  slotContentMembers,
  themeMembers,
  viewMembers,
]);

/**
 * Returns the rows of a table: the members of an object, and those of objects inside that have no table of their own.
 */
function rowsOf({ members }: Members, prefix: string, pictured: PicturedTable | null): readonly string[] {
  const typesOf = members === optionMembers.members ? typesOfOption : (): readonly string[] => [];
  return Object.entries(members).flatMap(([name, one]) => {
    const picture = pictured === null ? '' : ` ${pictureOf(pictured, `${prefix}${name}`)} |`;
    const row = `| \`${prefix}${name}\` | ${kindInWords(one.kind)} | ${cell(`${one.description} ${notes(one, typesOf(name))}`.trim())} |${picture}`;
    const { kind } = one;
    const inner =
      typeof kind !== 'object' ? null : 'each' in kind ? (typeof kind.each === 'object' ? kind.each : null) : kind;
    const place = typeof kind === 'object' && 'each' in kind ? `${prefix}${name}[].` : `${prefix}${name}.`;
    return inner === null || tables.has(inner) ? [row] : [row, ...rowsOf(inner, place, pictured)];
  });
}

const part = (title: string, sentence: string, members: Members, pictured: PicturedTable | null = null): string =>
  [
    `## ${title}`,
    '',
    sentence,
    '',
    `| Member | Type | Meaning |${pictured === null ? '' : ' Picture |'}`,
    `| --- | --- | --- |${pictured === null ? '' : ' --- |'}`,
    ...rowsOf(members, '', pictured),
    ...(pictured === null ? [] : ['', pictureSections(pictured)]),
  ].join('\n');

const slotRows = itemTypes.map((type) => {
  const slots = slotsOf(type).map(
    ({ name, takes, required, many }) => `${required ? `**${name}**` : name} (${takes}${many ? ', *several*' : ''})`,
  );
  return `| \`${type}\` | ${slots.join(', ')} |`;
});

/** Returns the reference page of contents of dashboards, from the tables by which they are checked. */
export const contentsReference = (): string => `<!-- Written by "npm run docs"; do not edit. -->

# Contents of dashboards

Every member that the service and the elements know. Others are stored as sent and named in \`warnings\` of the answer; with
\`action: "validate"\`, or with the header \`Prefer: handling=strict\`, they are 400. The JSON Schema is at
\`/schemas/contents/0.1.99.json\` of a running service. In TypeScript, \`@inlay/contract/dashboard\` has a builder for each type of item.

Units: columns and rows of the grid; px where nothing else is said. A member that is \`null\` counts as left out.

The pictures below the tables show members side by side, as exports draw them: under each is the JSON that makes it, and all else is alike.

## Example

A dashboard of two charts and a filter. Replace the ids by those of your dataset and its columns.

\`\`\`json
${JSON.stringify(exampleContents('DATASET', { text: 'REGION', time: 'DATE', number: 'REVENUE' }), null, 2)}
\`\`\`

${part('Contents', 'The value of `contents`.', contentsMembers)}

${part('Views', 'An entry of `views`.', viewMembers)}

${part('Items', 'An entry of `items`. An item stands at `position` in a grid of `columns` columns; a row is `rowHeight` px high.', itemMembers)}

## Slots by type

**Required** slots must be filled; *several* columns may stand in a slot marked so, otherwise one. What fits into a slot: [slots](../specification/dashboards.md#slots).

| Type | Slots |
| --- | --- |
${slotRows.join('\n')}

${part('Entries of slots', 'An entry of `content` of a slot: a column, a stored formula or the text of one. By default members are as in the column. Pictures below the table have the JSON of the entry under them.', slotContentMembers, 'entries')}

${part('Options of items', '`options` of an item. The pictures below the table have the options of their item under them.', optionMembers, 'options')}

${part('Groups of filters', 'An entry of `filterGroups` of a view.', filterGroupMembers)}

${part('Filters', 'An entry of `filters` of a group or of an item.', filterMembers)}

${part('Themes', '`theme` of a view, of a token, or of the resource theme.', themeMembers)}
`;

/** Returns the example of the page over a dataset with these columns. */
export function exampleContents(
  datasetId: string,
  { text, time, number }: { readonly text: string; readonly time: string; readonly number: string },
): Json {
  const entry = (columnId: string, more: { readonly [name: string]: Json } = {}): Json => ({
    datasetId,
    columnId,
    ...more,
  });
  return {
    version: '0.1.99',
    views: [
      {
        screenModus: 'desktop',
        options: { theme: { id: 'default' }, columns: 48, rowHeight: 16 },
        filterGroups: [],
        items: [
          {
            id: 'by-region',
            type: 'bar-chart',
            position: { col: 0, row: 0, sizeX: 24, sizeY: 20 },
            title: { en: 'Revenue by region' },
            options: { sort: { by: 'measure', order: 'desc' }, limit: 10 },
            slots: [
              { name: 'y-axis', content: [entry(text)] },
              { name: 'measure', content: [entry(number, { aggregationFunc: 'sum', format: ',.0f' })] },
            ],
          },
          {
            id: 'by-month',
            type: 'line-chart',
            position: { col: 24, row: 0, sizeX: 24, sizeY: 20 },
            title: 'Revenue by month',
            slots: [
              { name: 'x-axis', content: [entry(time, { level: 3 })] },
              { name: 'measure', content: [entry(number)] },
            ],
          },
          {
            id: 'choose-region',
            type: 'dropdown-filter',
            position: { col: 0, row: 20, sizeX: 12, sizeY: 6 },
            slots: [{ name: 'dimension', content: [entry(text)] }],
          },
        ],
      },
    ],
    timezone: { type: 'user' },
  };
}
