import { isObject, member, type Json, inLanguage } from '@inlay/contract';
import { wordsFor } from '@inlay/embed/words';
import type { Dimension, Measure, Query, TimePart } from '@inlay/query';
import type { Caller } from '../access/caller.ts';
import type { Resource } from '../resource/define.ts';
import { column } from '../resources/column.ts';
import { formula } from '../resources/formula.ts';
import { visible } from '../search/compile.ts';
import { list, name, sql, text, type Sql } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';

const levels = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'];
const parts = {
  ...({ weekday: 'weekday', month: 'month of year', quarter: 'quarter of year', week: 'week of year' } as const),
  ...({ day: 'day of month', dayOfYear: 'day of year', hour: 'hour of day', minute: 'minute of hour' } as const),
} as const satisfies Readonly<Record<TimePart, string>>;

/**
 * A column of an answer. `id`: the record that provides the column's name, if any; `text`: its own text; `beside`: the
 * suffix for duplicates.
 */
interface Heading {
  readonly id: string | null;
  readonly text: string;
  readonly beside: string;
}

const ofDimension = ({ columnId, level, part }: Dimension): Heading => {
  const period = level === null ? '' : (levels[level - 1] ?? String(level));
  return { id: columnId, text: columnId, beside: part === null ? period : parts[part] };
};

function ofMeasure(measure: Measure, locale: string): Heading {
  switch (measure.kind) {
    case 'column':
      return { id: measure.on.columnId, text: measure.on.columnId, beside: measure.aggregation ?? '' };
    case 'formula':
      return { id: measure.formulaId, text: measure.formulaId, beside: '' };
    case 'expression':
      return { id: null, text: measure.text, beside: '' };
    case 'rows':
      return { id: null, text: wordsFor(locale).rows, beside: '' };
  }
}

/** Makes names distinct, ignoring case. Duplicates get a suffix that describes the column, otherwise a number. */
function distinctNames(headings: readonly Heading[]): readonly string[] {
  const usedNames = new Set<string>();
  const isRepeated = (text: string): boolean => headings.filter((heading) => heading.text === text).length > 1;
  return headings.map(({ text, beside }) => {
    const fullName = isRepeated(text) && beside !== '' ? `${text} (${beside})` : text;
    let name = fullName;
    for (let number = 2; usedNames.has(name.toLowerCase()); number += 1) name = `${fullName} ${number}`;
    usedNames.add(name.toLowerCase());
    return name;
  });
}

/** Loads the names of columns and formulas that the caller may see, by id and language. */
export async function namesOf(
  reader: Reader,
  caller: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Json>> {
  const distinctIds = [...new Set(ids)];
  const { dialect } = reader;
  const selectRecords = (resource: Resource): Sql =>
    sql`select t.id, t.record from ${name(resource.name)} t where t.id in ${list(distinctIds)}
      and ${visible({ dialect, resource, alias: text('t'), caller })}`;
  const rows =
    distinctIds.length === 0
      ? []
      : await reader.rows(sql`${selectRecords(column)} union all ${selectRecords(formula)}`);
  return new Map(
    rows.map((row) => {
      const record: Json = JSON.parse(String(row['record']));
      return [String(row['id']), (isObject(record) ? member(record, 'name') : null) ?? null];
    }),
  );
}

/** Returns distinct display names for the columns of an answer, in one language. */
export async function columnNames(
  reader: Reader,
  caller: Caller,
  query: Query,
  locale: string,
): Promise<readonly string[]> {
  const headings = [
    ...query.dimensions.map(ofDimension),
    ...query.measures.map((measure) => ofMeasure(measure, locale)),
  ];
  const names = await namesOf(
    reader,
    caller,
    headings.flatMap(({ id }) => id ?? []),
  );
  return distinctNames(
    headings.map((heading) => ({ ...heading, text: inLanguage(names.get(heading.id ?? ''), locale) || heading.text })),
  );
}
