import type { Model, ModelColumn } from '../model.ts';

/** A link from one dataset to another. */
export interface Link {
  readonly from: ModelColumn;
  readonly to: ModelColumn;
  /** `lookup`: a row has at most one linked row. `many`: a row may have several linked rows. */
  readonly how: 'lookup' | 'many';
  readonly exact: boolean;
}

function linksFrom(model: Model, datasetId: string): readonly Link[] {
  const links: Link[] = [];
  for (const from of model.datasets.get(datasetId)?.columns.values() ?? []) {
    for (const { datasetId: other, columnId, type } of from.joins) {
      const to = model.datasets.get(other)?.columns.get(columnId);
      const isUsable = to !== undefined && other !== datasetId && from.expression === null && to.expression === null;
      if (isUsable) links.push({ from, to, how: type === 'lookup' ? 'lookup' : 'many', exact: type === 'exact' });
    }
  }
  return links;
}

const turnedLink = ({ from, to, exact }: Link): Link => ({ from: to, to: from, how: 'many', exact });

function search(start: string, end: string, linksOf: (datasetId: string) => readonly Link[]): readonly Link[] | null {
  const paths = new Map<string, readonly Link[]>([[start, []]]);
  for (const [datasetId, path] of paths) {
    if (datasetId === end) return path;
    for (const link of linksOf(datasetId)) {
      if (!paths.has(link.to.datasetId)) paths.set(link.to.datasetId, [...path, link]);
    }
  }
  return null;
}

/**
 * Returns the shortest path from one dataset to another. Prefers a path of lookups to any other path. Null if there is
 * no path.
 */
export function pathBetween(model: Model, start: string, end: string): readonly Link[] | null {
  const forward = (datasetId: string): readonly Link[] =>
    linksFrom(model, datasetId).filter(({ how }) => how === 'lookup');
  const bothDirections = (datasetId: string): readonly Link[] => [
    ...linksFrom(model, datasetId),
    ...[...model.datasets.keys()].flatMap((other) =>
      linksFrom(model, other).flatMap((link) => (link.to.datasetId === datasetId ? [turnedLink(link)] : [])),
    ),
  ];
  return search(start, end, forward) ?? search(start, end, bothDirections);
}

/** True if a path of lookups leads from one dataset to another. */
export const looksUp = (model: Model, start: string, end: string): boolean =>
  pathBetween(model, start, end)?.every(({ how }) => how === 'lookup') ?? false;
