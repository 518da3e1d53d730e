import { describe, expect, it } from 'vitest';
import { createTenantTurns } from './tenant-turns.ts';

const turnsOf = (places: number, waiting = 10) =>
  createTenantTurns({ places, waiting, refusal: (count) => new Error(`${count} wait`) });

/** Enters for each tenant in order and leaves in sequence; returns the order of their places. */
async function order(places: number, tenants: readonly string[]): Promise<string> {
  const turns = turnsOf(places);
  const entered: (() => void)[] = [];
  let seen = '';
  const all = tenants.map(async (tenant) => {
    const leave = await turns.enter(tenant);
    seen += tenant;
    entered.push(leave);
  });
  while (seen.length < tenants.length) {
    await new Promise((resolve) => setImmediate(resolve));
    entered.shift()?.();
  }
  await Promise.all(all);
  return seen;
}

describe('turns of tenants', () => {
  it('go from tenant to tenant, however much one of them waits', async () => {
    expect(await order(1, ['a', 'a', 'a', 'a', 'b', 'b', 'c'])).toBe('aabcaba');
  });

  it('leave the last place to another tenant', async () => {
    const turns = turnsOf(2);
    await turns.enter('a');
    const second = turns.enter('a');
    const other = await turns.enter('b');
    other();
    expect(await Promise.race([second, Promise.resolve('waits')])).toBe('waits');
  });

  it('refuse whoever finds too many of their own waiting, and nobody else', async () => {
    const turns = turnsOf(1, 2);
    await turns.enter('a');
    void turns.enter('a');
    void turns.enter('a');
    await expect(turns.enter('a')).rejects.toThrow('2 wait');
    expect(await Promise.race([turns.enter('b'), Promise.resolve('waits')])).toBe('waits');
  });

  it('are given up by a signal, before and while waiting', async () => {
    const turns = turnsOf(1);
    const leave = await turns.enter('a');
    const given = new AbortController();
    const waits = turns.enter('a', given.signal);
    const behind = turns.enter('a');
    given.abort(new Error('gone'));
    await expect(waits).rejects.toThrow('gone');
    await expect(turns.enter('a', given.signal)).rejects.toThrow('gone');
    leave();
    (await behind)();
  });

  it('are given back once, and when work fails', async () => {
    const turns = turnsOf(1);
    const leave = await turns.enter('a');
    leave();
    leave();
    await expect(turns.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await turns.run('b', () => Promise.resolve(1))).toBe(1);
    await turns.enter('a');
    expect(await Promise.race([turns.enter('a'), Promise.resolve('waits')])).toBe('waits');
  });
});
