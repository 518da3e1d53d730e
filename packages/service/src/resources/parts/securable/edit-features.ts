import { isUuid, sameJson, type Feature, type Json } from '@inlay/contract';
import type { Caller } from '../../../access/caller.ts';
import { featureOff, hasFeature, mustHaveFeature } from '../../../access/features.ts';
import { isTooLarge } from '../../../dashboards/stored-items/stored-item.ts';
import { withItemDatasets } from '../../../dashboards/stored-items/shown-items.ts';
import { seenDatasets } from '../../../data/model/load-datasets.ts';
import type { Change, Rule } from '../../../resource/rules.ts';
import type { Reader } from '../../../store/store.ts';
import type { Problem } from '../../../problems/problem.ts';
import { changedFormulas, editedParts, hasTooManyObjects, type EditedPart } from './limited-edit.ts';

const idsTogether = 1000;

async function usedDatasets(reader: Reader, caller: Caller, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (let start = 0; start < ids.length; start += idsTogether)
    for (const id of await seenDatasets(reader, caller, ids.slice(start, start + idsTogether), 'use')) used.add(id);
  return used;
}

/** Returns the properties besides the contents whose values a write changes. */
const otherChanges = ({ sent, before }: Change): readonly string[] =>
  Object.entries(sent)
    .filter(([name, value]) => name !== 'contents' && !sameJson(value ?? null, before?.[name] ?? null))
    .map(([name]) => name);

/** Returns why limited editing does not include a change; null if it does. */
function refusal({ class: is, datasets, unread }: EditedPart, used: ReadonlySet<string>): string | null {
  if (unread !== undefined) return unread;
  if (is === 'layout' || is === 'look') return null;
  if (is !== 'type' && is !== 'filter') return `is a change of ${is}, which needs the feature "edit_full"`;
  const missing = [...datasets].find((id) => !used.has(id));
  return missing === undefined
    ? null
    : `is a change of ${is}, which without the feature "edit_full" needs *use* on all its datasets`;
}

const pathOf = (path: string): string => `properties.contents${path}`;

const offAt = (feature: Feature, faults: readonly (readonly [path: string, says: string])[]): Problem =>
  featureOff(
    feature,
    Object.fromEntries(
      faults.slice(0, 100).map(([path, says]): readonly [string, readonly string[]] => [path, [says]]),
    ),
  );

/** Raises Problem `feature_off` with each part of contents that limited editing does not include. */
async function mustBeLimited(reader: Reader, caller: Caller, before: Json, after: Json): Promise<void> {
  if (sameJson(before, after)) return;
  if ([before, after].some((contents) => isTooLarge(contents) || hasTooManyObjects(contents)))
    throw offAt('edit_full', [[pathOf(''), 'is too large']]);
  const whole = (contents: Json): Promise<Json> => withItemDatasets(reader, caller.organizationId, contents);
  const parts = editedParts({ stored: before, sent: after }, { stored: await whole(before), sent: await whole(after) });
  const governed = new Set(
    parts.flatMap(({ class: is, datasets }) => (is === 'type' || is === 'filter' ? [...datasets].filter(isUuid) : [])),
  );
  const used = await usedDatasets(reader, caller, [...governed]);
  const faults = parts.flatMap((part): readonly (readonly [string, string])[] => {
    const says = refusal(part, used);
    return says === null ? [] : [[pathOf(part.path), says]];
  });
  if (faults.length > 0) throw offAt('edit_full', faults);
}

/** Raises Problem `feature_off` with each formula that contents gain or lose. */
function mustKeepFormulas(before: Json, after: Json): void {
  const paths = changedFormulas({ stored: before, sent: after });
  if (paths.length > 0)
    throw offAt(
      'formulas',
      paths.map((path) => [pathOf(path), 'writes a formula']),
    );
}

/** Refuses writes of dashboards beyond the features of an embed token. specification/rights#limited-editing */
export const editFeatures: Rule = {
  name: 'edit-features',
  on: ['create', 'update'],
  description:
    'An embed token without `edit_full` changes of a dashboard what `edit_limited` includes, and one without `formulas` no formulas in its contents.',
  run: async (change, { transaction }) => {
    const { caller, before, after, sent } = change;
    if (caller === null || caller.features === null || after['type'] !== 'dashboard') return undefined;
    const isFull = hasFeature(caller, 'edit_full');
    if (!isFull && !hasFeature(caller, 'edit_limited')) mustHaveFeature(caller, 'edit_full');
    const others = isFull ? [] : otherChanges(change);
    if (others.length > 0)
      throw featureOff(
        'edit_full',
        Object.fromEntries(others.map((name) => [`properties.${name}`, ['needs the feature "edit_full"']])),
      );
    if (sent['contents'] === undefined) return undefined;
    const [stored, written] = [before?.['contents'] ?? null, after['contents'] ?? null];
    if (!isFull) await mustBeLimited(transaction, caller, stored, written);
    if (!hasFeature(caller, 'formulas')) mustKeepFormulas(stored, written);
    return undefined;
  },
};
