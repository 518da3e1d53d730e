import { createHash } from 'node:crypto';
import { filledText, isList, isObject, listOr, type Json, type JsonObject } from '@inlay/contract';
import type { NewestTimes, Rollup, RollupShape } from '@inlay/query';

/** Shapes of rollups by id. */
export type RollupShapes = Readonly<Record<string, RollupShape>>;

/** Reads the stored shapes of an acceleration. */
export function shapesIn(text: string | null): RollupShapes {
  const shapes: RollupShapes = text === null ? {} : JSON.parse(text);
  return shapes;
}

/** Returns the id of a rollup. Equal shapes have equal ids. */
export const rollupId = (shape: RollupShape): string =>
  createHash('sha256').update(JSON.stringify(shape)).digest('base64url').replaceAll(/[-_]/gu, '').slice(0, 16);

/** Returns the ids of rollups in a list of ids, or of objects with an `id`. */
export const rollupIdsIn = (list: Json | undefined): readonly string[] =>
  listOr(list).flatMap((entry) => filledText(isObject(entry) ? entry['id'] : entry) ?? []);

/** Returns the ids of the rollups that are switched on and were not stopped by a check. */
export function rollupsOn({ rollup_ids: ids, rollups_stopped: stopped }: JsonObject): readonly string[] {
  const stoppedIds = new Set(rollupIdsIn(stopped));
  return rollupIdsIn(ids).filter((id) => !stoppedIds.has(id));
}

/** Returns the newest time of the columns of a copy, by their names at the source. */
export const newestIn = ({ newest_times: times }: JsonObject): NewestTimes =>
  Object.fromEntries(
    listOr(times).flatMap((entry): readonly (readonly [string, number])[] => {
      const name = isObject(entry) ? filledText(entry['source_name']) : null;
      const unixMs = isObject(entry) ? Date.parse(filledText(entry['newest']) ?? '') : Number.NaN;
      return name === null || Number.isNaN(unixMs) ? [] : [[name, unixMs]];
    }),
  );

/** Returns the rollups of a copy that queries may read: those that are switched on and were written with the copy. */
export function rollupsInUse(record: JsonObject, shapes: string | null): readonly Rollup[] {
  const built = record['rollups'] ?? null;
  const on = new Set(rollupsOn(record));
  if (on.size === 0 || !isList(built)) return [];
  const shapeById = shapesIn(shapes);
  const newest = newestIn(record);
  return built.flatMap((entry) => {
    if (!isObject(entry)) return [];
    const id = filledText(entry['id']);
    const shape = id !== null && on.has(id) ? shapeById[id] : undefined;
    return id === null || shape === undefined ? [] : [{ id, shape, rows: Number(entry['rows'] ?? 0), newest }];
  });
}
