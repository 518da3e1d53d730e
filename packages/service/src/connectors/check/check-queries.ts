import type { Json } from '@inlay/contract';
import type { SourceColumn } from '../connector.ts';

/** A query over a table, with the words by which it is reported. */
export interface CheckQuery {
  readonly description: string;
  readonly find: Json;
}

/** Id of the only dataset of the queries. */
export const datasetId = 'table';
const zone = 'Europe/Brussels';
/** Number of columns of each type that are queried in every way. */
const maxColumns = 3;

/** Returns the id of a column in the queries. */
export const columnId = (column: Pick<SourceColumn, 'name'>): string => `column ${column.name}`;

const on = (column: SourceColumn): { dataset_id: string; column_id: string } => ({
  dataset_id: datasetId,
  column_id: columnId(column),
});
const rows: Json = { dataset_id: datasetId, column_id: '*', aggregation: { type: 'count' } };
const aggregated = (column: SourceColumn, type: string): Json => ({ ...on(column), aggregation: { type } });
const test = (column: SourceColumn, expression: string, ...values: Json[]): Json => ({
  expression,
  parameters: [on(column), ...values],
});

/** Texts that a connection must send apart from the statement. */
const hostileTexts = ["it's", '\\', '"', '`', "') or 1 = 1 --", 'a\tb\n', '☃ 😀', '%_', '${x} ? $1 {p1:String}'];

const numberTests = ['sum', 'average', 'min', 'max', 'median', 'stddev', 'count', 'distinctcount'] as const;
const levels = [
  [1, 'year'],
  [2, 'quarter'],
  [3, 'month'],
  [4, 'week'],
  [5, 'day'],
  [6, 'hour'],
] as const;

const ofNumber = (column: SourceColumn): readonly CheckQuery[] => [
  ...numberTests.map((type) => ({
    description: `${type} of ${column.name}`,
    find: { measures: [aggregated(column, type)] },
  })),
  {
    description: `filter of ${column.name} by a number`,
    find: { measures: [rows], where: [test(column, '? > ?', 0)] },
  },
];

const ofTime = (column: SourceColumn): readonly CheckQuery[] => [
  ...levels.flatMap(([level, word]) =>
    [null, zone].map((timezone) => ({
      description: `${column.name} by ${word}${timezone === null ? '' : ` in ${timezone}`}`,
      find: {
        dimensions: [{ ...on(column), level }],
        measures: [rows],
        ...(timezone === null ? {} : { options: { timezone_id: timezone } }),
      },
    })),
  ),
  {
    description: `first and last ${column.name}`,
    find: { measures: ['min', 'max'].map((type) => aggregated(column, type)) },
  },
];

const ofText = (column: SourceColumn): readonly CheckQuery[] => [
  { description: `groups of ${column.name}`, find: { dimensions: [on(column)], measures: [rows] } },
  {
    description: `filter of ${column.name} by texts with signs`,
    find: { measures: [rows], where: [test(column, '? not in ?', hostileTexts)] },
  },
  {
    description: `filter of ${column.name} by a part`,
    find: { dimensions: [on(column)], measures: [rows], where: [test(column, '? like ?', '%a%')] },
  },
  {
    description: `empty ${column.name}`,
    find: { measures: [rows], where: [test(column, '? is null')] },
  },
];

/** Returns the queries that a table with these columns is checked with. */
export function checkQueries(columns: readonly SourceColumn[]): readonly CheckQuery[] {
  const some = (type: SourceColumn['type']): readonly SourceColumn[] =>
    columns.filter((column) => column.type === type && column.storageType !== 'json').slice(0, maxColumns);
  const [firstText] = some('hierarchy');
  const [firstNumber] = some('numeric');
  const combined: CheckQuery[] =
    firstText === undefined || firstNumber === undefined
      ? []
      : [
          {
            description: `the greatest ${firstNumber.name} of each ${firstText.name}`,
            find: {
              dimensions: [on(firstText)],
              measures: [aggregated(firstNumber, 'max')],
              order: [{ ...on(firstNumber), aggregation: { type: 'max' }, order: 'desc' }],
              limit: { by: 5 },
            },
          },
        ];
  return [
    { description: 'number of rows', find: { measures: [rows] } },
    ...some('numeric').flatMap(ofNumber),
    ...some('datetime').flatMap(ofTime),
    ...some('hierarchy').flatMap(ofText),
    ...combined,
  ];
}
