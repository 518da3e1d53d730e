import { Problem } from '../problems/problem.ts';
import type { Rule } from '../resource/rules.ts';

const typeIsFixed: Rule = {
  name: 'type-is-fixed',
  on: ['update'],
  source: 'decision X2',
  sentence: 'The type may be sent again but not changed.',
  run: async ({ before, sent }) => {
    if (before === null || sent['type'] === undefined || sent['type'] === before['type']) return undefined;
    throw new Problem('field_read_only', { validation: { 'properties.type': ['cannot be changed once made'] } });
  },
};

const rememberModifier: Rule = {
  name: 'remember-modifier',
  on: ['update'],
  source: 'API document: Securable, modified_at and modifier_id',
  sentence: 'An update sets modified_at, and modifier_id to the person who made it.',
  run: async ({ caller, now, before }) => ({
    record: { modified_at: now, modifier_id: caller?.userId ?? before?.['modifier_id'] ?? null },
  }),
};

const keepVersion: Rule = {
  name: 'keep-version',
  on: ['update'],
  source: 'decision X2',
  sentence: 'Every dashboard update keeps the previous contents as a dashboardversion.',
  afterwards: true,
  run: async ({ id, before, sent }, work) => {
    if (before?.['type'] !== 'dashboard' || sent['contents'] === undefined) return undefined;
    await work.insert('dashboardversion', { securable_id: id, contents: before['contents'] ?? null });
    return undefined;
  },
};

export const securableRules: readonly Rule[] = [typeIsFixed, rememberModifier, keepVersion];
