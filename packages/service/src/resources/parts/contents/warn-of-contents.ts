import { isObject, type Json } from '@inlay/contract';
import { ReferenceCheck } from '@inlay/query';
import type { Caller } from '../../../access/caller.ts';
import { withItemDefaults } from '../../../dashboards/stored-items/shown-items.ts';
import { isTooLarge } from '../../../dashboards/stored-items/stored-item.ts';
import type { Rule } from '../../../resource/rules.ts';
import { membersOf } from '../../../declare/warnings.ts';
import type { Warning } from '../../../declare/warning.ts';
import type { Reader } from '../../../store/store.ts';
import { column } from '../../column.ts';
import { formula } from '../../formula.ts';
import { theme } from '../../theme.ts';
import { knownRecords } from './known.ts';
import { unknownThemes } from './themes.ts';

const place = 'properties.contents';

/** Warns of items and filters whose queries would be refused. */
async function queryWarnings(
  reader: Reader,
  caller: Caller,
  contents: Json,
  nowMs: number,
): Promise<readonly Warning[]> {
  const check = new ReferenceCheck(await withItemDefaults(reader, caller, { column, formula }, contents), place);
  const { named } = check;
  return named === null ? [] : check.warnings(await knownRecords(reader, caller, column, named), nowMs);
}

export const warnOfContents: Rule = {
  name: 'warn-of-contents',
  on: ['create', 'update'],
  description:
    'The response to a write of contents warns of filters, formulas and columns that a query would refuse, and of themes that are not there.',
  afterwards: true,
  run: async ({ caller, sent, after, now }, { transaction }) => {
    const contents: Json = after['contents'] ?? null;
    if (caller === null || after['type'] === 'dataset' || sent['contents'] === undefined) return undefined;
    if (!isObject(contents) || isTooLarge(contents)) return undefined;
    const warnings = [
      ...(await queryWarnings(transaction, caller, contents, Date.parse(now))),
      ...(await unknownThemes(transaction, caller, theme, contents)),
    ];
    return warnings.length === 0 ? undefined : { shown: membersOf(warnings) };
  },
};
