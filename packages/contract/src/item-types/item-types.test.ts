import { describe, expect, it } from 'vitest';
import { declarations, slotsOf } from './index.ts';
import { slotRoles } from './declare/slot.ts';
import { ownSlotParts, slotParts } from './tables/query-tables.ts';
import * as types from './types.ts';

describe('types of items', () => {
  it('are listed once each', () => {
    const listed = declarations.map(({ type }) => type);
    const declared = Object.values(types).map(({ declaration }) => declaration.type);
    expect(listed.toSorted()).toEqual(declared.toSorted());
  });

  it.each(declarations)('have the parts of a query that the roles of their slots have: $type', ({ type }) => {
    for (const { name, role } of slotsOf(type))
      expect(ownSlotParts[`${type} ${name}`] ?? slotParts[name] ?? 'dimension').toBe(slotRoles[role].part);
  });

  it('are asked for by words whose ranks differ', () => {
    const ranks = declarations.flatMap((one) =>
      one.kind === 'content' ? [] : one.questionWords.map(({ rank }) => rank),
    );
    expect(new Set(ranks).size).toBe(ranks.length);
  });
});
