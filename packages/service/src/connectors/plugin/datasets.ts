import { isList, isObject, type Json } from '@inlay/contract';
import type { ColumnType, StorageType } from '@inlay/query';
import { PluginFault } from './fault.ts';

/** A column declared by a plugin. */
export interface PluginColumn {
  readonly id: string;
  readonly name: string;
  readonly type: ColumnType;
  readonly subtype: string | null;
}

/** A table declared by a plugin. `name` and `description` are texts by language. */
export interface PluginDataset {
  readonly id: string;
  readonly name: Readonly<Record<string, string>>;
  readonly description: Readonly<Record<string, string>>;
  readonly columns: readonly PluginColumn[];
}

const columnTypes: Readonly<Record<ColumnType, StorageType>> = {
  numeric: 'double',
  datetime: 'timestamptz',
  hierarchy: 'text',
  spatial: 'text',
};
const isColumnType = (word: Json | undefined): word is ColumnType =>
  typeof word === 'string' && Object.hasOwn(columnTypes, word);

/** Returns the storage type of the cells of a column after they have been checked. */
export const storageTypeOf = ({ type }: { readonly type: ColumnType }): StorageType => columnTypes[type];

const maxDatasets = 10_000;
const maxColumns = 2000;

/** Prepares a text for display: replaces control characters and limits the length. */
const displayText = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 1000);

function texts(value: Json | undefined, fallback: string): Readonly<Record<string, string>> {
  if (typeof value === 'string') return { en: displayText(value) };
  if (!isObject(value)) return fallback === '' ? {} : { en: fallback };
  const translations = Object.entries(value).flatMap(([language, text]) =>
    typeof text === 'string' && /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/u.test(language)
      ? [[language, displayText(text)]]
      : [],
  );
  return translations.length === 0 && fallback !== '' ? { en: fallback } : Object.fromEntries(translations);
}

function idOf(value: Json | undefined, at: string): string {
  if (typeof value !== 'string' || value === '' || value.length > 1000 || /\p{Cc}/u.test(value) || value === '*')
    throw new PluginFault('shape', `lists ${at} without an id that is a text`);
  return value;
}

function unique<Item extends { readonly id: string }>(items: readonly Item[], at: string): readonly Item[] {
  if (new Set(items.map(({ id }) => id)).size < items.length)
    throw new PluginFault('shape', `lists the same id twice among ${at}`);
  return items;
}

function columnOf(value: Json, at: string): PluginColumn {
  if (!isObject(value)) throw new PluginFault('shape', `lists ${at}, which is not an object`);
  const id = idOf(value['id'], at);
  const { type, subtype } = value;
  if (!isColumnType(type))
    throw new PluginFault('shape', `gives ${at} no type of ${Object.keys(columnTypes).join(', ')}`);
  const name = texts(value['name'], id);
  const displayName = name['en'] ?? Object.values(name)[0] ?? id;
  return { id, name: displayName, type, subtype: typeof subtype === 'string' ? displayText(subtype) : null };
}

/** Checks the answer to a request for tables (specification/plugin-protocol#checks). Raises PluginFault. */
export function datasetsOf(answer: Json): readonly PluginDataset[] {
  if (!isList(answer)) throw new PluginFault('shape', 'answers /datasets with something that is not a list');
  if (answer.length > maxDatasets) throw new PluginFault('limit', `lists more than ${maxDatasets} datasets`);
  const datasets = answer.map((value, index) => {
    if (!isObject(value)) throw new PluginFault('shape', `lists dataset ${index}, which is not an object`);
    const id = idOf(value['id'], `dataset ${index}`);
    const { columns } = value;
    if (!isList(columns) || columns.length === 0)
      throw new PluginFault('shape', `lists dataset ${index} without a list of columns`);
    if (columns.length > maxColumns)
      throw new PluginFault('limit', `lists dataset ${index} with more than ${maxColumns} columns`);
    const datasetColumns = columns.map((column, place) => columnOf(column, `column ${place} of dataset ${index}`));
    return {
      id,
      name: texts(value['name'], id),
      description: texts(value['description'], ''),
      columns: unique(datasetColumns, `the columns of dataset ${index}`),
    };
  });
  return unique(datasets, 'the datasets');
}
