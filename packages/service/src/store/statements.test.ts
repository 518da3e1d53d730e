import { describe, expect, it } from 'vitest';
import { keptTexts } from './postgres/prepared.ts';
import { keptStatements, preparing } from './statements.ts';

const { most, longest } = keptStatements;
const long = (at: number, letters: number): string => `select ${at} -- `.padEnd(letters, 'x');

describe('prepared statements', () => {
  it('are kept up to a number and a length in SQLite, so that their bytes are bounded', () => {
    const prepared = new Map<string, number>();
    const prepare = preparing((text) => {
      prepared.set(text, (prepared.get(text) ?? 0) + 1);
      return { text };
    });
    for (let turn = 0; turn < 3; turn += 1) {
      prepare(long(1, longest));
      prepare(long(2, longest + 1));
    }
    expect([...prepared.values()]).toEqual([1, 3]);
    for (let at = 0; at < 2 * most; at += 1) prepare(`select ${at}`);
    prepare(long(1, longest));
    expect(prepared.get(long(1, longest))).toBe(2);
  });

  it('are kept up to a number and a length in PostgreSQL, where they last as long as the connection', () => {
    const prepares = keptTexts();
    for (let turn = 0; turn < 3; turn += 1) expect(prepares(long(1, longest + 1))).toBe(false);
    expect([1, 2, 3].map(() => prepares(long(2, longest)))).toEqual([false, true, true]);
    for (let at = 0; at < 2 * most; at += 1) for (let turn = 0; turn < 2; turn += 1) prepares(`select ${at}`);
    const kept = Array.from({ length: 2 * most }, (_, at) => prepares(`select ${at}`)).filter((is) => is);
    expect(kept).toHaveLength(most - 1);
  });
});
