import {
  isList,
  isObject,
  isUuid,
  listOr,
  textOr,
  unknownWord,
  uuidFault,
  type Fault,
  type Json,
} from '@inlay/contract';
import type { NamedRecord } from '../../../declare/fields.ts';

/** Maximum number of datasets in a list. */
export const maxDatasets = 20;
const maxParts = 1000;
const members = ['id', 'columns', 'formulas'] as const;

/** Returns the id of an entry, which is the id itself or an object with it. */
const idOf = (entry: Json): Json => (isObject(entry) ? (entry['id'] ?? null) : entry);

/** Returns the ids of datasets in a valid list. */
export const datasetsIn = (value: Json): readonly NamedRecord[] =>
  listOr(value).map((entry, index) => ({
    inside: `[${index}]${isObject(entry) ? '.id' : ''}`,
    id: textOr(idOf(entry), '').toLowerCase(),
  }));

function checkParts(value: Json, at: string, fault: Fault): void {
  if (value === null) return;
  if (!isList(value)) return fault(at, 'must be a list of ids');
  if (value.length > maxParts) return fault(at, `must have at most ${maxParts} entries`);
  value.map(idOf).forEach((id, index) => {
    if (typeof id !== 'string' || !isUuid(id)) fault(`${at}[${index}]`, uuidFault(id));
  });
}

/** Checks a list of datasets: ids, or objects `{id, columns, formulas}`. */
export function checkDatasets(value: Json, at: string, fault: Fault): void {
  if (!isList(value)) return;
  if (value.length === 0) fault(at, 'must name a dataset');
  if (value.length > maxDatasets) fault(at, `must have at most ${maxDatasets} datasets`);
  value.slice(0, maxDatasets).forEach((entry, index) => {
    const place = `${at}[${index}]`;
    const id = idOf(entry);
    if (typeof id !== 'string' || !isUuid(id)) fault(isObject(entry) ? `${place}.id` : place, uuidFault(id));
    if (!isObject(entry)) return;
    for (const name of Object.keys(entry))
      if (!members.some((member) => member === name)) fault(`${place}.${name}`, unknownWord(name, members));
    for (const part of ['columns', 'formulas'] as const) checkParts(entry[part] ?? null, `${place}.${part}`, fault);
  });
}

/** Checks a list of ids of datasets. */
export function checkDatasetIds(value: Json, at: string, fault: Fault): void {
  if (!isList(value)) return;
  if (value.length > maxDatasets) fault(at, `must have at most ${maxDatasets} datasets`);
  value.slice(0, maxDatasets).forEach((id, index) => {
    if (typeof id !== 'string' || !isUuid(id)) fault(`${at}[${index}]`, uuidFault(id));
  });
}
