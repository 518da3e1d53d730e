import { isUuid, type Json } from '@inlay/contract';
import type { Caller } from '../../../access/caller.ts';
import { nameOneOf, offersIn, openedParameters } from '../../../dashboards/stored-items/parameter-offers.ts';
import { linkedDatasets, withItemDatasets } from '../../../dashboards/stored-items/shown-items.ts';
import { meaningOf, storedItems, type StoredItem } from '../../../dashboards/stored-items/stored-item.ts';
import { seenDatasets } from '../../../data/model/load-datasets.ts';
import { column } from '../../column.ts';
import { formula } from '../../formula.ts';
import { unknownReferences } from './contents-references.ts';
import { Faults } from '../../../problems/problem.ts';
import type { Rule } from '../../../resource/rules.ts';
import { membersOf } from '../../../declare/warnings.ts';
import type { Warning } from '../../../declare/warning.ts';
import { sql } from '../../../store/sql.ts';
import type { Reader } from '../../../store/store.ts';

type Ids = ReadonlySet<string>;

/** The datasets in contents that the author may use (`used`), and those that the author knows (`known`). */
interface Holdings {
  readonly used: Ids;
  /** Datasets that exist for the author: those that the author sees, and those linked to the dashboard. */
  readonly known: Ids;
}

/** Maximum number of ids per statement. Databases accept a few tens of thousands of values. */
const idsTogether = 1000;

async function holdingsOf(reader: Reader, caller: Caller, ids: readonly string[], linked: Ids): Promise<Holdings> {
  const uuids = ids.filter(isUuid);
  const used = new Set<string>();
  const known = new Set(linked);
  for (let start = 0; start < uuids.length; start += idsTogether) {
    const some = uuids.slice(start, start + idsTogether);
    for (const id of await seenDatasets(reader, caller, some, 'use')) used.add(id);
    for (const id of await seenDatasets(reader, caller, some, 'read')) known.add(id);
  }
  return { used, known };
}

const mayNotUse =
  'is over a dataset that you may not use (Securable User): it can be moved, resized, hidden, restyled and taken away, but neither added nor made to ask anything else';

const opens =
  'is over a dataset that you may not use (Securable User), and readers could set a parameter of its filters to more values than before: controls of this parameter can be removed, but not added or given more choices';

/**
 * Refuses changed items with queries that the author may not run. Also refuses controls that would let readers set a
 * parameter of such an unchanged item to more values. Raises Problem: 403 `forbidden`.
 * specification/data-queries#stored-items
 */
function mustBeUsed(contents: Json, earlier: Json, { used, known }: Holdings): void {
  const faults = new Faults();
  const [items, unchanged] = [storedItems(contents), new Set(storedItems(earlier).map(meaningOf))];
  const opened = openedParameters(offersIn(contents), offersIn(earlier));
  for (const item of items) {
    const isClosed = [...item.datasets].some((id) => known.has(id) && !used.has(id));
    if (!isClosed) continue;
    const meaning = meaningOf(item);
    if (meaning === null || !unchanged.has(meaning))
      faults.add(`properties.contents.${item.path}`, mayNotUse, 'forbidden');
    else if (opened.size > 0 && nameOneOf([...item.filters.where, ...item.filters.having], opened))
      faults.add(`properties.contents.${item.path}`, opens, 'forbidden');
  }
  faults.raise();
}

/** Warns of item datasets that do not exist for the author. Datasets inferred for formulas are not revealed. */
const warningsOf = (items: readonly StoredItem[], named: Ids, { used, known }: Holdings): readonly Warning[] =>
  items.flatMap(({ path, datasets }) =>
    [...datasets]
      .filter((id) => named.has(id) && !used.has(id) && !known.has(id))
      .map((id) => ({
        path: `properties.contents.${path}`,
        code: 'reference_unknown',
        message: `There is no dataset ${id.slice(0, 100)}, or you may not see it; the item shows no rows by this dashboard until somebody who may use it links it.`,
      })),
  );

const datasetsOf = (items: readonly StoredItem[]): readonly string[] => [
  ...new Set(items.flatMap(({ datasets }) => [...datasets])),
];

export const linkDatasets: Rule = {
  name: 'link-datasets',
  on: ['create', 'update'],
  description:
    'A write of contents links the datasets of its items that the caller may use. An item over another dataset cannot be added, and its query cannot be changed.',
  afterwards: true,
  run: async ({ id, caller, before, sent, after, now }, { transaction }) => {
    if (caller === null || after['type'] !== 'dashboard' || sent['contents'] === undefined) return undefined;
    const contents: Json = after['contents'] ?? null;
    const whole = (value: Json): Promise<Json> => withItemDatasets(transaction, caller.organizationId, value);
    const current = await whole(contents);
    const items = storedItems(current);
    const ids = datasetsOf(items);
    if (ids.length === 0) return undefined;
    const linked = await linkedDatasets(transaction, id);
    const holdings = await holdingsOf(transaction, caller, ids, linked);
    const earlier: Json = before?.['contents'] ?? null;
    if (ids.some((datasetId) => !holdings.used.has(datasetId))) mustBeUsed(current, await whole(earlier), holdings);
    // Both roles of the association are already checked: *modify* by this write, *use* above. A link without levels and
    // properties needs nothing else that `write/links/` does.
    for (const datasetId of holdings.used)
      if (!linked.has(datasetId))
        await transaction.run(
          sql`insert into link (first_id, target_id, association, created_at) values (${id}, ${datasetId}, 'securable.Datasets', ${now})
            on conflict (first_id, target_id, association) do nothing`,
        );
    const known = new Set([...holdings.used, ...holdings.known]);
    const unknown = await unknownReferences(transaction, caller, contents, known, { column, formula });
    const warnings = [...warningsOf(items, new Set(datasetsOf(storedItems(contents))), holdings), ...unknown];
    return warnings.length === 0 ? undefined : { shown: membersOf(warnings) };
  },
};
