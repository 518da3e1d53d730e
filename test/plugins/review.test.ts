import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { call, freshInstallation, inlay, type Installation } from '../support/command.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { type Credential, storesToTest } from '../support/service.ts';

vi.setConfig({ testTimeout: 60_000 });

describe.each(storesToTest)('inlay plugin review on %s', (store) => {
  let env: Installation;
  let owner: Credential;
  let service: ServiceProcess;
  beforeAll(async () => {
    ({ env, owner } = await freshInstallation(store));
    service = await startService({ env });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(env['INLAY_DATA_DIR'] ?? '', { recursive: true, force: true });
  });

  it('marks a plugin as reviewed and takes it back, while the service runs', async () => {
    const made = await call(service.url, 'plugin', { ...owner, properties: { slug: 'nasa', color: '#2F80ED' } });
    expect(made.body).toMatchObject({ reviewed: false });
    const seen = async (): Promise<unknown> =>
      (await call(service.url, 'plugin', { ...owner, find: { where: { reviewed: true } } })).body['count'];
    expect(await inlay(['plugin', 'review', 'nasa'], env)).toMatchObject({ code: 0, err: '' });
    expect(await seen()).toBe(1);
    expect(await inlay(['plugin', 'review', 'nasa', '--undo'], env)).toMatchObject({ code: 0, err: '' });
    expect(await seen()).toBe(0);
    expect(await inlay(['plugin', 'review', 'nosuch'], env)).toMatchObject({
      code: 1,
      err: 'There is no plugin with the slug "nosuch".\n',
    });
  });
});
