import { isObject, listOr, textOr } from '@inlay/contract';
import type { WriteMode } from '../commands/record.ts';
import type { WriteResult } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import type { Resource } from '../resource/define.ts';
import { recordOf } from '../resource/tables.ts';

/** Raised to roll back a write that should only be validated. */
export class NothingStored extends Error {}

/** Limit of paths in one answer. */
const maxPaths = 100;

/**
 * Refuses a write with warnings, in strict mode and in validate mode. In validate mode, a write without warnings is
 * rolled back. Raises Problem `validation_failed`, NothingStored.
 */
export function mustBeSound(resource: Resource, result: WriteResult, mode: WriteMode): void {
  if (result.kind === 'record') {
    const shown = listOr(result.shown['warnings']).filter(isObject);
    const about = (resource.warns?.of(recordOf(result.stored)) ?? []).map(({ path, message }) => ({
      path: `properties.${path}`,
      message,
    }));
    const validation: Record<string, string[]> = {};
    for (const { path, message } of [...shown, ...about].slice(0, maxPaths)) {
      const at = textOr(path, '');
      validation[at] = [...(validation[at] ?? []), textOr(message, '')];
    }
    if (Object.keys(validation).length > 0) throw new Problem('validation_failed', { validation });
  }
  if (mode === 'validate') throw new NothingStored('checked, and nothing is stored');
}
