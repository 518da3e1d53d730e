import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inWords, isObject, type Json } from '@inlay/contract';
import { startTestService, type Answer, type TestService, storesToTest } from '../support/service.ts';

const textIn = (body: Json, name: string): string => inWords(isObject(body) ? body[name] : null);
const remaining = ({ headers }: Answer): number => Number(/r=(\d+)/u.exec(headers['ratelimit'] ?? '')?.[1]);

describe.each(storesToTest)('the limit of a caller on %s', (store) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ store, settings: { INLAY_RATE_LIMIT: '1', INLAY_RATE_BURST: '100' } });
  });
  afterAll(() => service.stop());

  it('counts a request once, even where the caller was another one than a moment ago', async () => {
    const { owner } = service;
    const make = (): Promise<Answer> => service.call('group', { properties: { name: { en: 'Makers' } } }, owner);
    const id = textIn((await make()).body, 'id');
    const ask = (): Promise<Answer> => service.call('group', { action: 'get', id }, owner);
    const before = remaining(await ask());
    const rounds = 10;
    // Whoever makes a group is in it, so that each time the store says something else of the caller.
    for (let round = 0; round < rounds; round += 1)
      expect([(await make()).status, (await ask()).status]).toEqual([200, 200]);
    // What is given back meanwhile can only make it less.
    expect(before - remaining(await ask())).toBeLessThanOrEqual(2 * rounds + 1);
  });
});
