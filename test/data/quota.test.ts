import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { datasetIn } from '../support/world.ts';

const csv = (mb: number): Buffer => {
  const lines = ['id,word'];
  let state = 1;
  for (let bytes = 0; bytes < mb * 1024 ** 2; bytes += lines.at(-1)?.length ?? 0) {
    state = (state * 48_271) % 2_147_483_647;
    lines.push(`${lines.length},${state.toString(36)}${(state * 31).toString(36)}${(state * 101).toString(36)}`);
  }
  return Buffer.from(lines.join('\n'));
};

// Made before the service runs: it would take the time for its own.
const files = new Map([1, 2, 5, 9].map((mb) => [mb, csv(mb)]));
/** Returns a copy: what is sent is given back to the system as it comes in. */
const fileOf = (mb: number): Buffer => Buffer.from(files.get(mb) ?? []);

describe('an organization with a quota', () => {
  const api = useApi('sqlite', { INLAY_ORGANIZATION_MB: '8', INLAY_SIGNUP: 'true' });
  const upload = async (payload: Buffer, query = 'name=Rows&header=true') => {
    const { key, token } = api.owner;
    const answer = await api.service.server.inject({
      method: 'POST',
      url: `/0.1.0/data/file?${query}`,
      headers: { authorization: `Bearer ${key}:${token}`, 'content-type': 'text/csv' },
      payload,
    });
    const body: unknown = answer.json();
    return { status: answer.statusCode, body };
  };
  const exceeded = { status: 400, body: { code: 'quota_exceeded' } };
  const left = (): readonly string[] => readdirSync(join(api.service.dataDir, 'uploads'));

  it('stores rows up to it, refuses a file while it comes and rows while they are written, and keeps what it has', async () => {
    expect(await upload(fileOf(9))).toMatchObject(exceeded);
    expect(left()).toEqual([]);
    const first = await upload(fileOf(2));
    expect(first).toMatchObject({ status: 200 });
    const { id } = datasetIn(first.body);
    // The version before gives its place to the next one.
    for (let time = 0; time < 3; time += 1)
      expect(await upload(fileOf(2), `type=replace&securable_id=${id}&header=true`)).toMatchObject({ status: 200 });
    expect(await upload(fileOf(5), `type=append&securable_id=${id}&header=true`)).toMatchObject({ status: 200 });
    const again = await upload(fileOf(5), `type=append&securable_id=${id}&header=true`);
    expect(again).toMatchObject(exceeded);
    const pushed = await api.call('data', {
      action: 'create',
      properties: {
        type: 'create',
        // Texts of 200 letters that no two rows share: small ones would fit beside what is there or not, by a few blocks.
        data: [
          ['a'],
          ...csv(2)
            .toString()
            .split('\n')
            .slice(1, 9000)
            .map((line) => [line.repeat(4)]),
        ],
        options: { header: true },
      },
    });
    expect(pushed).toMatchObject(exceeded);
    expect(left()).toEqual([]);
    expect(await upload(fileOf(1))).toMatchObject(exceeded);
  });
});
