import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneStore, startTestService, type TestService } from '../support/service.ts';

const run = promisify(execFile);

/** Small clients as a README of a client library has them, by the program that runs them. */
const clients = [
  ['Node', process.execPath, 'hello.mjs'],
  ['Python', 'python3', 'hello.py'],
  ['PHP', 'php', 'hello.php'],
  ['Java', 'java', 'Hello.java'],
  ['curl', 'sh', 'hello.sh'],
] as const;

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v "${program}"`], { stdio: 'ignore' });
    return true;
  } catch {
    process.stdout.write(`skipped: ${program} is not installed\n`);
    return false;
  }
}

describe('a client of its first day', () => {
  let service: TestService;
  const at = { url: '' };
  beforeAll(async () => {
    service = await startTestService({ store: oneStore });
    at.url = await service.server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => service?.stop());

  describe.each(clients)('in %s', (_name, program, file) => {
    it.runIf(isInstalled(program))('makes a dataset, pushes, queries, embeds and deletes', async () => {
      const { key, token } = service.owner;
      const { stdout } = await run(program, [join(import.meta.dirname, 'programs', file), at.url, key, token]);
      expect(JSON.parse(stdout)).toEqual({ rows: 2, total: expect.closeTo(478.36, 6), token: true });
    });
  });
});
