import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from './process.ts';

const program = `
import { createServer } from 'node:http';
if (process.env.SAY) { console.error(process.env.SAY); process.exit(3); }
console.log('hello', process.argv[2]);
let asked = 0;
const server = createServer((request, response) => response.writeHead(asked++ < 2 ? 503 : 200).end());
server.listen(Number(process.env.INLAY_PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`;

let folder: string;
let main: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-process-test-'));
  main = join(folder, 'main.mjs');
  writeFileSync(main, program);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the service process is handed out once it is ready, and ends when asked', async () => {
  const service = await startService({ env: {}, main });
  expect(service.output()).toBe('hello start\n');
  expect((await fetch(service.url)).status).toBe(200);
  expect(existsSync(service.dataDir)).toBe(true);
  expect(await service.stop()).toBe(0);
  expect(existsSync(service.dataDir)).toBe(false);
});

test('a killed service process is noticed', async () => {
  const service = await startService({ env: {}, main });
  service.kill('SIGKILL');
  expect(await service.exited).toBeNull();
  expect(await service.stop()).toBe(-1);
});

test('a service that does not start is reported with its own words', async () => {
  await expect(startService({ env: { SAY: 'the key is missing' }, main })).rejects.toThrow(
    /ended with 3:\s+the key is missing/,
  );
});
