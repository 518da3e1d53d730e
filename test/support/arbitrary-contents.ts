import { readdirSync, readFileSync } from 'node:fs';
import { parseObject } from '@inlay/contract';
import fc from 'fast-check';
import { contentsOf } from '../../packages/service/src/demo/contents.ts';
import { dashboards } from '../../packages/service/src/demo/dashboards.ts';

const folder = new URL('../fixtures/contents/', import.meta.url);
/** The contents of the fixtures. */
const stored = readdirSync(folder).map((file) =>
  JSON.stringify(parseObject(readFileSync(new URL(file, folder), 'utf8'))['sent']),
);

const space = fc.constantFrom('', '', ' ', '\n\t');
const number = fc.constantFrom('0', '-0', '1.0', '1e3', '12345678901234567890', '0.1000', '1E400');
const name = fc.constantFrom(
  'id',
  'type',
  'name',
  'views',
  'items',
  'slots',
  'content',
  '2',
  '10',
  '__proto__',
  'filters',
  'é"\\',
);
const quoted = fc.oneof(name, fc.string({ maxLength: 5 })).map((text) => JSON.stringify(text));
const spaced = (texts: readonly string[], around: string): string =>
  texts.map((text) => `${around}${text}${around}`).join(',');
/** Generates JSON texts with whitespace, number formats and member orders that `JSON.stringify` does not produce. */
export const { text: jsonText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small' },
    quoted,
    number,
    fc.constantFrom('null', 'true', '[ ]', '{ }'),
    fc.tuple(fc.array(tie('text'), { maxLength: 4 }), space).map(([all, around]) => `[${spaced(all, around)}]`),
    fc
      .tuple(fc.uniqueArray(quoted, { maxLength: 5 }), fc.array(tie('text'), { minLength: 5, maxLength: 5 }), space)
      .map(
        ([names, all, around]) =>
          `{${spaced(
            names.map((one, index) => `${one}${around}:${all[index] ?? '0'}`),
            around,
          )}}`,
      ),
  ),
}));
const list = (one: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(fc.oneof({ weight: 4, arbitrary: one }, { weight: 1, arbitrary: jsonText }), { maxLength: 4 }),
      fc.constantFrom(',', ', ', ' ,\n  '),
      space,
    )
    .map(([all, separator, edge]) => `[${edge}${all.join(separator)}${edge}]`);
/** Names that are not written as `JSON.stringify` writes them. */
const escaped = (name: string): string => JSON.stringify(name).replace('i', '\\u0069');
const object = (members: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.record(members, { requiredKeys: [] }),
      fc.array(fc.constantFrom(':', ': ', ' :\n'), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(',', ', ', ' ,\n  '),
      space,
    )
    .map(([one, colons, separator, edge]) => {
      const written = Object.entries(one).map(([key, text], index) => {
        const colon = colons[index % colons.length] ?? ':';
        return `${colon === ': ' ? escaped(key) : JSON.stringify(key)}${colon}${text}`;
      });
      return `{${edge}${written.join(separator)}${edge}}`;
    });
const word = fc.constantFrom('"a"', '"b"', '""', '"a-2"', '"\\ud800"', '7', 'null');
/** Generates texts of entries of slots. */
export const entry: fc.Arbitrary<string> = object({ id: word, columnId: word, formulaId: word, extra: jsonText });
/** Generates texts of items. */
export const item: fc.Arbitrary<string> = object({
  id: word,
  type: fc.constantFrom('"bar-chart"', '"text"', '3'),
  position: object({ col: number, row: number }),
  slots: list(object({ name: word, content: list(entry) })),
  extra: jsonText,
});
/** Generates texts of filters. */
export const filter: fc.Arbitrary<string> = object({
  id: word,
  properties: object({ id: word }),
  parameters: list(object({ column_id: word })),
});
const inner = object({ id: word, origin: word, filters: list(filter) });
const group = object({ id: word, filters: list(filter), subGroups: list(inner), extra: jsonText });
const view = object({
  screenModus: fc.constantFrom('"desktop"', '"mobile"', '1'),
  items: list(item),
  filterGroups: list(group),
});
/** Generates texts of contents, and other JSON texts. */
export const contents: fc.Arbitrary<string> = fc.oneof(
  object({ version: word, views: list(view), extra: jsonText }),
  jsonText,
  fc.constantFrom(...stored),
);

/** Texts of contents as people have them: those of the fixtures and of the demo, written in one line and in many. */
export const realContents: readonly string[] = [
  ...stored,
  ...dashboards.flatMap(({ items }) => {
    const demo = contentsOf(items, (source, column) => ({ datasetId: source, columnId: column, type: 'numeric' }));
    return [JSON.stringify(demo), JSON.stringify(demo, null, 2)];
  }),
];
