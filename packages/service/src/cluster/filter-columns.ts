import { filledText, inWords, parseObject, type Json } from '@inlay/contract';
import { filtersIn } from '../access/filter-kinds.ts';
import { list, sql } from '../store/sql.ts';
import type { Reader, Row } from '../store/store.ts';

/** Newest embed tokens of an organization whose filters count: the tokens of an application have the same filters. */
const sampledTokens = 50;
const maxColumns = 3;

/** Returns the ids of the columns of a dataset that row filters test. */
const testedColumns = (filters: Json | undefined, datasetId: string, on: string | null): readonly string[] =>
  filtersIn(filters, on).flatMap((found) => {
    if (found.kind !== 'row') return [];
    const { securable_id: named = found.on, column_id: column = null } = found.filter;
    return named === datasetId || named === null ? (filledText(column) ?? []) : [];
  });

const membersOf = (row: Row, column: string) => parseObject(inWords(row[column] ?? '{}'));

/**
 * Returns the names of the columns of a dataset that row filters test, the most frequent first. They come from the
 * links of the dataset and from the newest embed tokens of its organization. Raises what the store raises.
 */
export async function filterColumns(
  reader: Reader,
  organizationId: string,
  datasetId: string,
): Promise<readonly string[]> {
  const [links, tokens] = await Promise.all([
    reader.rows(sql`select properties from link where first_id = ${datasetId} and properties is not null limit 500`),
    reader.rows(
      sql`select record from "authorization" where organization_id = ${organizationId} and type = 'embed'
        order by id desc limit ${sampledTokens}`,
    ),
  ]);
  const ids = [
    ...links.flatMap((row) => testedColumns(membersOf(row, 'properties')['filters'], datasetId, datasetId)),
    ...tokens.flatMap((row) => testedColumns(membersOf(row, 'record')['filters'], datasetId, null)),
  ];
  const counts = [...Map.groupBy(ids, (id) => id)].toSorted(([, left], [, right]) => right.length - left.length);
  const frequent = counts.slice(0, maxColumns).map(([id]) => id);
  if (frequent.length === 0) return [];
  const columns = await reader.rows(
    sql`select id, record from "column" where securable_id = ${datasetId} and id in ${list(frequent)}`,
  );
  const names = new Map(columns.map((row) => [String(row['id']), filledText(membersOf(row, 'record')['source_name'])]));
  return frequent.flatMap((id) => names.get(id) ?? []);
}
