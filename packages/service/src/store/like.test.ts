import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLike } from './like.ts';

const like = createLike(() => undefined);

describe('a pattern', () => {
  it('is read as SQLite reads it, whatever it is', () => {
    const database = new DatabaseSync(':memory:');
    database.exec('pragma case_sensitive_like = on');
    const asked = database.prepare(`select ? like ? escape '\\' as held`);
    const sign = fc.constantFrom('a', 'b', 'A', '_', '%', '\\', 'é', '😀', 'ab');
    const text = fc.array(sign, { maxLength: 12 }).map((signs) => signs.join(''));
    const escaped = text.map((pattern) => pattern.replace(/(?<!\\)(?:\\\\)*\\$/u, '$&\\'));
    fc.assert(
      fc.property(text, escaped, (value, pattern) => {
        expect([value, pattern, like(value, pattern)]).toEqual([
          value,
          pattern,
          asked.get(value, pattern)?.['held'] === 1,
        ]);
      }),
      { numRuns: 20_000, seed: 7 },
    );
    database.close();
  });

  it('of many wildcards over a long text is over soon', () => {
    const text = 'a'.repeat(200_000);
    expect(like(text, `%${'_a'.repeat(50)}b%`)).toBe(false);
    expect(like(text, `${'%a_'.repeat(50)}b`)).toBe(false);
    expect(like(text, `${'%a_'.repeat(50)}%`)).toBe(true);
  }, 5000);

  it('stops when it is told to', () => {
    const late = createLike(() => {
      throw new Error('late');
    });
    expect(() => late('a', '%a%')).toThrow('late');
  });
});
