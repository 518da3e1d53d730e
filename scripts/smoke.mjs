// Starts the service on embedded defaults in a new folder, waits until it is ready, and stops it: what `npm start` needs of a platform.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'inlay-smoke-'));
const program = join(import.meta.dirname, '../packages/service/bin/inlay.mjs');
const env = { ...process.env, INLAY_DATA_DIR: folder, INLAY_PORT: '18080' };
const service = spawn(process.execPath, [program, 'start'], { env, stdio: 'inherit' });
const ended = new Promise((resolve) => service.once('exit', resolve));

const isReady = async () => {
  try {
    return (await fetch('http://127.0.0.1:18080/readyz')).ok;
  } catch {
    return false;
  }
};

const until = Date.now() + 60_000;
let ready = false;
while (!ready && service.exitCode === null && Date.now() < until) {
  await new Promise((resolve) => setTimeout(resolve, 250));
  ready = await isReady();
}
service.kill();
await ended;
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
console.log(ready ? 'The service started.' : 'The service did not become ready.');
process.exitCode = ready ? 0 : 1;
