import { describe, expect, it } from 'vitest';
import { createPreparedTexts } from './postgres/prepared.ts';
import { maxCharacters, preparing } from './statements.ts';

const text = (at: number, letters: number): string => `select ${at} -- `.padEnd(letters, 'x');
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

describe.each([
  { letters: 20, least: 100, most: 300 },
  { letters: 20_000, least: 40, most: 200 },
  { letters: 300_000, least: 5, most: 13 },
  { letters: 400_001, least: 0, most: 9 },
])('prepared statements of $letters letters', ({ letters, least, most }) => {
  const bounds = { least, most: Math.min(most, Math.floor(maxCharacters / letters)) };

  it('are kept in SQLite as long as all of them have few letters', () => {
    const prepared: string[] = [];
    const prepare = preparing((one) => (prepared.push(one), { one }));
    for (const at of numbers(600)) prepare(text(at, letters));
    prepared.length = 0;
    for (const at of numbers(600).toReversed()) prepare(text(at, letters));
    const kept = 600 - prepared.length;
    expect(kept).toBeGreaterThanOrEqual(bounds.least);
    expect(kept).toBeLessThanOrEqual(bounds.most);
  });

  it('are kept in PostgreSQL as long as all of them have few letters', () => {
    const prepares = createPreparedTexts();
    for (const at of numbers(600)) for (const _turn of [1, 2]) prepares(text(at, letters));
    const kept = numbers(600).filter((at) => prepares(text(at, letters))).length;
    expect(kept).toBeGreaterThanOrEqual(bounds.least);
    expect(kept).toBeLessThanOrEqual(bounds.most);
  });
});
