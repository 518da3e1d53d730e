import type { ModelDataset } from '../model.ts';

const shortId = (id: string): string => id.slice(0, 100);
const maxNames = 20;

/** Returns the id of the column with a source name, ignoring case; null if no column has that name. */
export function idOfName({ columns }: ModelDataset, name: string): string | null {
  const lowerName = name.toLowerCase();
  return [...columns.values()].find(({ source }) => source.toLowerCase() === lowerName)?.id ?? null;
}

/** Returns the message for an unknown column, which lists the known columns. `consequence` says what goes wrong. */
export function unknownColumn(
  id: string,
  dataset: ModelDataset,
  datasetOfColumn: ReadonlyMap<string, string>,
  consequence: string,
): string {
  const other = datasetOfColumn.get(id.toLowerCase());
  if (other !== undefined && other !== dataset.id)
    return `is a column of dataset ${other}, not of ${dataset.id}; ${consequence}`;
  const ownId = idOfName(dataset, id);
  if (ownId !== null) return `must be the id of a column; that of "${shortId(id)}" is ${ownId}; ${consequence}`;
  const names = [...dataset.columns.values()].slice(0, maxNames).map(({ source }) => `"${shortId(source)}"`);
  const knownColumns = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  return `There is no column ${shortId(id)} in dataset ${dataset.id}, or you may not see it; ${knownColumns}; ${consequence}`;
}

/** Returns the message for an unknown dataset. `consequence` says what goes wrong. */
export const unknownDataset = (id: string, consequence: string): string =>
  `There is no dataset ${shortId(id)}, or you may not see it; ${consequence}`;
