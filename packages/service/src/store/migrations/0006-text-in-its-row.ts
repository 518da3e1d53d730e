import type { Migration } from '../migrate.ts';
import { name, join, render, sql } from '../sql.ts';
import { textColumn, textColumns, textIndexes } from '../text-columns.ts';
import { tables as initialTables } from './0001-initial.ts';
import { tables as dataTables } from './0002-data.ts';

/** Tables of the first migrations with their searched fields. */
export const searchedTables = Object.entries({ ...initialTables, ...dataTables }).flatMap(
  ([table, { searched: fields }]) => (fields === undefined ? [] : [[table, fields] as const]),
);

/** Moves the column `record` to the end, since SQLite must read through a long record to reach any later column. */
export const recordLast = (table: string): readonly string[] => [
  `alter table "${table}" rename column "record" to "record_before"`,
  `alter table "${table}" add column "record" text not null default ''`,
  `update "${table}" set "record" = "record_before"`,
  `alter table "${table}" drop column "record_before"`,
];

/**
 * Moves the folded text of a row from a separate table to the row. The separate table cost one more row per write and a
 * join per search.
 */
export const textInItsRow: Migration = {
  id: 6,
  name: 'text in its row',
  statements: (dialect) => {
    const moved = searchedTables.flatMap(([table, fields]) => {
      const rows = name(table);
      const texts = name(`${table}_text`);
      const to = join(
        fields.map((field) => name(textColumn(field))),
        ', ',
      );
      const from = join(fields.map(name), ', ');
      const copied = sql`update ${rows} set (${to}) = (select ${from} from ${texts} x where x.rowid = ${rows}.seq)`;
      return [
        ...textColumns(table, fields),
        render(copied, 'question'),
        ...(dialect === 'sqlite' ? [...recordLast(table), `drop table "${table}_text_index"`] : []),
        `drop table "${table}_text"`,
        ...textIndexes(dialect, table, fields),
        // The planner needs statistics of the new columns at once.
        ...(dialect === 'postgres' ? [`analyze "${table}"`] : []),
      ];
    });
    return [...(dialect === 'sqlite' ? ['delete from text_indexed'] : []), ...moved];
  },
};
