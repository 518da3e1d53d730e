import { inWords, parseObject } from '@inlay/contract';
import { hasFeature, mustHaveFeature } from '../../../access/features.ts';
import { writerOf } from '../../../access/end-user.ts';
import { Problem } from '../../../problems/problem.ts';
import type { Rule } from '../../../resource/rules.ts';
import { entityTag, mainTable, storedColumns, storedOf } from '../../../resource/tables.ts';
import { sql } from '../../../store/sql.ts';

const needEditing: Rule = {
  name: 'need-editing',
  on: ['create', 'update', 'delete'],
  description: 'Drafts need one of the features `edit_full` and `edit_limited`.',
  run: async ({ caller, after }) => {
    if (caller === null || after['state'] !== 'draft' || hasFeature(caller, 'edit_limited')) return undefined;
    mustHaveFeature(caller, 'edit_full');
    return undefined;
  },
};

const rememberWriter: Rule = {
  name: 'remember-writer',
  on: ['create'],
  description:
    'A draft belongs to the person who creates it, or to the end user of the embed token: every token of the same suborganization and username. A token without a username has no drafts.',
  run: async ({ caller }) => {
    const writer = caller === null ? null : writerOf(caller);
    if (caller === null || writer === null)
      throw new Problem('forbidden', {
        message: 'Drafts belong to an end user, and this token names none: issue it with a username.',
      });
    const { userId, suborganization, username } = caller;
    return { record: { user_id: userId, suborganization, username }, hidden: { writer } };
  },
};

const beginFromDashboard: Rule = {
  name: 'begin-from-dashboard',
  on: ['create', 'update'],
  description:
    'Without contents, a draft begins with those that the dashboard has now; without `based_on`, with its ETag of now.',
  run: async ({ after }, { transaction }) => {
    const { state, contents = null, based_on: basedOn = null, securable_id: dashboardId = null } = after;
    if (state !== 'draft' || (contents !== null && basedOn !== null)) return undefined;
    const [row] = await transaction.rows(
      sql`select ${storedColumns(mainTable)} from securable t where t.id = ${inWords(dashboardId)}`,
    );
    if (row === undefined) throw new Problem('not_found');
    const stored = storedOf(row);
    return {
      record:
        contents === null
          ? { contents: parseObject(stored.text)['contents'] ?? null, based_on: entityTag(stored) }
          : { based_on: entityTag(stored) },
    };
  },
};

export const draftRules: readonly Rule[] = [needEditing, rememberWriter, beginFromDashboard];
