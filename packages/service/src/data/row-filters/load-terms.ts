import { filledText, inWords, objectOr, type Json, type JsonObject } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { filtersIn, splitFilters } from '../../access/filter-kinds.ts';
import { storedColumns, storedOf, mainTable, recordOf } from '../../resource/tables.ts';
import { list, sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import type { SecretPlace } from '../../store/secrets/secrets.ts';
import type { TokenTerms } from '../model/parts.ts';
import { byParameter, givenValues, sensitiveNames } from './parameter-values.ts';

const noTerms: TokenTerms = {
  filters: splitFilters([]),
  parameters: {},
  sensitive: [],
  hiddenOf: new Map(),
  overrides: {},
  person: null,
  timeZone: null,
  locale: null,
};

/**
 * Returns the dataset of each hidden column: the one recorded when the token was created, otherwise the one to which
 * the column belongs now; null if the column does not exist any more.
 */
async function hiddenOf(
  reader: Reader,
  { hiddenColumns }: Caller,
  notedDatasets: JsonObject,
): Promise<TokenTerms['hiddenOf']> {
  const unnotedIds = hiddenColumns.filter((id) => typeof notedDatasets[id] !== 'string');
  const rows =
    unnotedIds.length === 0
      ? []
      : await reader.rows(sql`select c.id, c.securable_id from "column" c where c.id in ${list(unnotedIds)}`);
  const datasetIds = new Map(rows.map((row) => [String(row['id']), filledText(String(row['securable_id']))]));
  return new Map(hiddenColumns.map((id) => [id, filledText(notedDatasets[id]) ?? datasetIds.get(id) ?? null]));
}

/**
 * Returns values of filter parameters by `parameterName`. Metadata values have names with `metadata.`; overrides
 * replace them.
 */
function parametersOf(record: JsonObject): JsonObject {
  const metadata = Object.entries(objectOr(record['metadata'])).map(([name, value]) => [`metadata.${name}`, value]);
  const overrides = byParameter(Object.entries(givenValues(objectOr(record['parameter_overrides']))));
  return Object.fromEntries([...metadata, ...overrides]);
}

/** Decrypts a secret that was sealed for a location. */
export type OpenSecret = (place: SecretPlace, sealed: string) => string;

/**
 * Creates a function that loads the settings of a caller's embed token. For a person, the settings are empty. Tokens
 * never change, so recently used tokens are cached; callers with an ended token have been refused before. Raises
 * Problem `secret_key_missing`.
 */
export function createTermsCache(
  openSecret: OpenSecret,
  maxEntries = 1000,
): (reader: Reader, caller: Caller) => Promise<TokenTerms> {
  const cache = new Map<string, TokenTerms>();
  return async (reader, caller) => {
    if (caller.type !== 'embed') return noTerms;
    const id = caller.authorizationId;
    const cachedTerms = cache.get(id);
    if (cachedTerms !== undefined) return cachedTerms;
    const [row] = await reader.rows(
      sql`select ${storedColumns(mainTable)}, t.hidden_of from "authorization" t where t.id = ${id}`,
    );
    // The token was deleted after the caller was authenticated. Without the token's settings, no query may be answered.
    if (row === undefined) throw new Error('the token of a caller is gone');
    const storedRecord = storedOf(row);
    const record = recordOf(storedRecord);
    const sealed = storedRecord.sealed['account_overrides'];
    const place = {
      resource: 'authorization',
      id,
      organization: storedRecord.organizationId,
      field: 'account_overrides',
    };
    const overrides: Json = sealed === undefined ? {} : JSON.parse(openSecret(place, sealed));
    const terms = {
      filters: splitFilters(filtersIn(record['filters'])),
      parameters: parametersOf(record),
      sensitive: sensitiveNames(objectOr(record['parameter_overrides'])),
      hiddenOf: await hiddenOf(reader, caller, objectOr(JSON.parse(inWords(row['hidden_of'] ?? '{}')))),
      overrides: objectOr(overrides),
      person: {
        id: filledText(record['username']),
        name: filledText(record['name']),
        email: filledText(record['email']),
      },
      timeZone: filledText(record['timezone_id']),
      locale: filledText(record['locale_id']),
    };
    cache.set(id, terms);
    const [oldest] = cache.keys();
    if (cache.size > maxEntries && oldest !== undefined) cache.delete(oldest);
    return terms;
  };
}
