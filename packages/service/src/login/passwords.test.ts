import { describe, expect, test } from 'vitest';
import { createPasswords, needsRehash, PasswordsBusy } from './passwords.ts';

const passwords = createPasswords({ concurrency: 2, queueLimit: 8 });

describe('a password', () => {
  test('is kept as an argon2id hash of its own and recognised by it alone', async () => {
    const [one, other] = await Promise.all([
      passwords.hash('blue harbour kettle'),
      passwords.hash('blue harbour kettle'),
    ]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/u);
    expect(one).not.toBe(other);
    expect(await passwords.verify('blue harbour kettle', one)).toBe(true);
    expect(await passwords.verify('blue harbour kettlf', one)).toBe(false);
    expect(await passwords.verify('', one)).toBe(false);
  });

  test('is the same however its letters are composed', async () => {
    const stored = await passwords.hash('caf\u00e9 harbour kettle');
    expect(await passwords.verify('cafe\u0301 harbour kettle', stored)).toBe(true);
  });

  test('made by another argon2id library is recognised', async () => {
    // The argon2 reference implementation's own test vector for argon2id, t=2, m=256 KiB, p=1.
    const stored = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
    expect(await passwords.verify('password', stored)).toBe(true);
    expect(needsRehash(stored)).toBe(true);
  });

  test.each([
    '',
    'blue harbour kettle',
    '$2b$10$abcdefghijklmnopqrstuv',
    '$argon2id$v=19$m=1,t=0,p=0$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  ])('never fits what is no hash: %s', async (stored) => {
    expect(await passwords.verify('blue harbour kettle', stored)).toBe(false);
    expect(needsRehash(stored)).toBe(true);
  });

  test('of nobody is refused after the same work', async () => {
    const stored = await passwords.hash('blue harbour kettle');
    expect(needsRehash(stored)).toBe(false);
    const times = { known: 0, nobody: 0 };
    for (let round = 0; round < 8; round += 1) {
      const started = performance.now();
      expect(await passwords.verify('wrong', stored)).toBe(false);
      const between = performance.now();
      expect(await passwords.verify('wrong', undefined)).toBe(false);
      times.known += between - started;
      times.nobody += performance.now() - between;
    }
    // A skipped hash would be a thousand times faster; the bounds leave room for a busy machine.
    expect(times.nobody / times.known).toBeGreaterThan(0.3);
    expect(times.nobody / times.known).toBeLessThan(3);
  });

  test('is refused at once when too many wait, and the others are answered', async () => {
    const narrow = createPasswords({ concurrency: 1, queueLimit: 2 });
    const taken = [1, 2, 3].map(() => narrow.verify('x', undefined, 'one'));
    expect(narrow.pending()).toBe(3);
    await expect(narrow.verify('x', undefined, 'one')).rejects.toBeInstanceOf(PasswordsBusy);
    await expect(narrow.hash('x', 'one')).rejects.toBeInstanceOf(PasswordsBusy);
    expect(await Promise.all(taken)).toEqual([false, false, false]);
    expect(narrow.pending()).toBe(0);
    expect(await narrow.verify('x', undefined)).toBe(false);
  });

  test('waits in turn with those of others, and one sender cannot take all places', async () => {
    const narrow = createPasswords({ concurrency: 1, queueLimit: 6 });
    const order: string[] = [];
    const told = (sender: string): Promise<void> =>
      narrow.verify('x', undefined, sender).then(
        () => void order.push(sender),
        () => void order.push(`${sender} refused`),
      );
    const many = Array.from({ length: 7 }, () => told('many'));
    const [late, later] = [told('late'), told('later')];
    await Promise.all([...many, late, later]);
    expect(order).toEqual(['many refused', 'many refused', 'many', 'many', 'late', 'later', 'many', 'many', 'many']);
    const wide = createPasswords({ concurrency: 1, queueLimit: 64 });
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => wide.verify('x', undefined, 'one')));
    expect(results.filter(({ status }) => status === 'rejected').length).toBe(20 - 9);
  });
});
