import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

interface Work {
  readonly name: string;
  readonly ms: number;
}

const started = (waiting = 100) => {
  const time = { nowMs: 0 };
  const refused: string[] = [];
  const queue = new FairQueue<Work>({
    waiting,
    refuse: ({ name }) => refused.push(name),
    now: () => time.nowMs,
  });
  const add = (party: string, name: string, ms: number, expectedMs = ms) =>
    queue.add(party.split('/'), { name, ms }, expectedMs);
  /** Runs at most this many items in sequence, each for its own duration; returns their names. */
  const run = (most = Infinity): string => {
    const order: string[] = [];
    while (order.length < most) {
      const next = queue.next((one) => one);
      if (next === null) break;
      time.nowMs += next.item.ms;
      next.ran(next.item.ms);
      order.push(next.item.name);
    }
    return order.join(' ');
  };
  return { queue, add, run, refused, time };
};

describe('a fair queue', () => {
  it('serves one party in the order in which its items came', () => {
    const { add, run } = started();
    for (const name of ['1', '2', '3']) add('org/a', name, 10);
    expect(run()).toBe('1 2 3');
  });

  it('gives parties the same time, not the same number of items', () => {
    const { add, run } = started();
    for (let index = 0; index < 4; index += 1) add('org/heavy', 'H', 100);
    for (let index = 0; index < 12; index += 1) add('org/light', 'l', 25);
    const order = run();
    expect(order.replaceAll(' ', '')).toMatch(/^l{3,4}H/u);
    expect(order.replaceAll(' ', '').slice(0, 11).match(/H/gu)).toHaveLength(2);
  });

  it('measures what items took where that was expected to be less', () => {
    const { add, run } = started();
    for (let index = 0; index < 5; index += 1) add('org/heavy', 'H', 200, 10);
    for (let index = 0; index < 5; index += 1) add('org/light', 'l', 20, 20);
    expect(run(7)).toBe('H l l l l l H');
  });

  it('gives parties within a party one share together', () => {
    const { add, run } = started();
    for (const token of ['a', 'b', 'c', 'd']) for (let index = 0; index < 5; index += 1) add(`x/${token}`, 'x', 10);
    for (let index = 0; index < 5; index += 1) add('y/a', 'y', 10);
    expect(run(10).match(/y/gu)).toHaveLength(5);
  });

  it('starves nobody, however many short items come before a long one', () => {
    const { add, run } = started();
    add('org/heavy', 'H', 60_000);
    let shorts = 0;
    for (; shorts < 1000; shorts += 1) {
      add('org/light', 'l', 10);
      if (run(1) === 'H') break;
    }
    expect(shorts).toBeGreaterThan(50);
    expect(shorts).toBeLessThan(150);
    add('org/heavy', 'H', 60_000);
    for (shorts = 0; shorts < 2000; shorts += 1) {
      add('org/light', 'l', 10);
      if (run(1) === 'H') break;
    }
    expect(shorts).toBeLessThan(400);
  });

  it('gives no credit for time in which a party wanted nothing', () => {
    const { add, run } = started();
    for (let index = 0; index < 50; index += 1) add('org/busy', 'b', 100);
    run();
    for (let index = 0; index < 5; index += 1) {
      add('org/new', 'n', 100);
      add('org/busy', 'b', 100);
    }
    expect(run(6).match(/b/gu)?.length).toBeGreaterThanOrEqual(2);
  });

  it('passes over what cannot be taken now', () => {
    const { queue, add } = started();
    add('org/a', 'first', 10);
    add('org/b', 'second', 20);
    expect(queue.next(({ name }) => (name === 'second' ? name : null))?.taken).toBe('second');
    expect(queue.next(() => null)).toBeNull();
    expect(queue.waiting('org')).toBe(1);
  });

  it('refuses whoever has the most waiting, never somebody with little', () => {
    const { queue, add, run, refused } = started(4);
    for (const name of ['1', '2', '3', '4']) expect(add('org/many', name, 10)).not.toBeNull();
    expect(add('org/many', '5', 10)).toBeNull();
    expect(add('other/one', 'o', 10)).not.toBeNull();
    expect(add('org/few', 'f', 10)).not.toBeNull();
    expect(refused).toEqual(['4']);
    expect(queue.waiting()).toBe(5);
    expect(run().split(' ').toSorted().join(' ')).toBe('1 2 3 f o');
  });

  it('lets an item leave, once', () => {
    const { queue, add, run } = started();
    const leave = add('org/a', 'gone', 10);
    add('org/a', 'stays', 10);
    leave?.();
    leave?.();
    expect(queue.waiting()).toBe(1);
    expect(run()).toBe('stays');
  });

  it('tells what a party and those within it used lately, and forgets it by and by', () => {
    const { queue, add, run, time } = started();
    const used = (...path: readonly string[]): number => Math.round(queue.usedRecently(path));
    for (const name of ['1', '2']) add('org/a', name, 300, 10);
    expect(run(1)).toBe('1');
    expect([used('org', 'a'), used('org')]).toEqual([300, 300]);
    add('org/b', 'b', 0, 0);
    expect([used('org', 'b'), used('org', 'c'), used('other')]).toEqual([0, 0, 0]);
    time.nowMs += 1000;
    expect(used('org', 'a')).toBe(110);
    time.nowMs += 4000;
    expect(used('org', 'a')).toBe(2);
  });

  it('does not count as used lately what is expected of an item that runs', () => {
    const { queue, add } = started();
    add('org/a', '1', 300);
    const turn = queue.next((one) => one);
    expect(queue.usedRecently(['org', 'a'])).toBe(0);
    turn?.ran(300);
    turn?.ran(300);
    expect(queue.usedRecently(['org', 'a'])).toBe(300);
  });

  it('forgets parties that want nothing for a while', () => {
    const { queue, add, run, time } = started();
    add('org/a', 'a', 10);
    run();
    expect(queue.partiesIn(['org'])).toEqual(['a']);
    time.nowMs += 61_000;
    add('org/b', 'b', 10);
    expect(queue.partiesIn(['org'])).toEqual(['b']);
  });
});
