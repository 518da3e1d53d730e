import { expect, test } from 'vitest';
import { counted } from '../support/counts.ts';
import { describeStores, startPair } from '../support/load-pair.ts';
import { codeOf, done, textIn } from '../support/load.ts';

const pairs = counted(100, 1_000);

describeStores((newStore) => {
  test('two updates of different fields at once both hold, and of two with one ETag the later is refused', async () => {
    const pair = await startPair(await newStore());
    const [first, second] = pair.clients();
    const properties = { name: 'Account', provider: 'postgresql', token: 'a secret of the source' };
    const made = await first.call('account', { action: 'create', properties });
    const id = textIn(done(made), 'id');
    for (let turn = 0; turn < pairs; turn += 1) {
      const update = (fields: object): object => ({ action: 'update', id, properties: fields });
      const find = { action: 'get', id };
      const [name, cache] = [`Account ${turn}`, turn];
      const answers = await Promise.all([
        first.call('account', update({ name })),
        second.call('account', update({ cache })),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const read = await second.call('account', find);
      expect(done(read)).toMatchObject({ name, cache });
      expect(read.etag).toBeTypeOf('string');
      const etag = { 'if-match': read.etag ?? '' };
      const same = await Promise.all([
        first.call('account', update({ scope: `one ${turn}` }), etag),
        second.call('account', update({ scope: `two ${turn}` }), etag),
      ]);
      expect(same.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
      expect(same.map(codeOf).toSorted()).toEqual(['', 'precondition_failed']);
      const winner = same[0].status === 200 ? `one ${turn}` : `two ${turn}`;
      expect(done(await first.call('account', find))['scope']).toBe(winner);
    }
    await pair.stop();
  }, 1_800_000);
});
