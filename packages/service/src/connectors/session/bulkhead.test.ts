import { expect, it } from 'vitest';
import { Bulkhead, BulkheadProblem } from './bulkhead.ts';

const never = new AbortController().signal;
const later = (): number => Date.now() + 60_000;
const limits = { size: 2, waiting: 2, failures: 3, pauseMs: 1000 };
const reasonOf = (entering: Promise<unknown>): Promise<unknown> =>
  entering.then(
    () => 'entered',
    (error: unknown) => (error instanceof BulkheadProblem ? error.reason : error),
  );

it('a target has so many leases at once, the next callers wait in order, and the others are refused', async () => {
  const compartment = new Bulkhead(100, Date.now).compartment(limits);
  const first = await compartment.enter('a', later(), never);
  await compartment.enter('a', later(), never);
  const order: number[] = [];
  const waiting = [1, 2].map(async (number) => {
    const lease = await compartment.enter('a', later(), never);
    order.push(number);
    lease.release();
  });
  expect(await reasonOf(compartment.enter('a', later(), never))).toBe('full');
  expect(await reasonOf(compartment.enter('b', later(), never))).toBe('entered');
  expect(compartment.held()).toBe(5);
  first.release();
  first.release();
  await Promise.all(waiting);
  expect(order).toEqual([1, 2]);
  expect(compartment.held()).toBe(2);
});

it('callers wait until their deadline or until they are aborted', async () => {
  const compartment = new Bulkhead(100, Date.now).compartment({ ...limits, size: 1 });
  await compartment.enter('a', later(), never);
  expect(await reasonOf(compartment.enter('a', Date.now() + 10, never))).toBe('late');
  expect(await reasonOf(compartment.enter('a', later(), AbortSignal.abort()))).toBe('aborted');
  expect(compartment.held()).toBe(1);
});

it('all compartments together have so many leases at once', async () => {
  const bulkhead = new Bulkhead(3, Date.now);
  const [databases, plugins] = [bulkhead.compartment(limits), bulkhead.compartment(limits)];
  const lease = await databases.enter('a', later(), never);
  await databases.enter('b', later(), never);
  await plugins.enter('a', later(), never);
  expect(await reasonOf(plugins.enter('b', later(), never))).toBe('total');
  lease.release();
  expect(await reasonOf(plugins.enter('b', later(), never))).toBe('entered');
});

it('a closed bulkhead refuses those who wait and those who come', async () => {
  const bulkhead = new Bulkhead(100, Date.now);
  const compartment = bulkhead.compartment({ ...limits, size: 1 });
  await compartment.enter('a', later(), never);
  const waiting = reasonOf(compartment.enter('a', later(), never));
  bulkhead.close();
  expect([await waiting, await reasonOf(compartment.enter('b', later(), never))]).toEqual(['closed', 'closed']);
});

it('the circuit breaker of a target stays while it is not fresh', async () => {
  const compartment = new Bulkhead(100, () => 0).compartment(limits);
  for (let failure = 0; failure < 3; failure += 1) {
    const { breaker, release } = await compartment.enter('a', later(), never);
    breaker.admits();
    breaker.failed();
    release();
  }
  (await compartment.enter('b', later(), never)).release();
  expect((await compartment.enter('a', later(), never)).breaker.admits()).toBe(false);
});
