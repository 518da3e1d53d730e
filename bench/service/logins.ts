// npm run bench:logins: a burst of logins from many addresses at once, and gets of others before and meanwhile, in one run.
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { say } from '../measure.ts';
import { call, freshInstallation } from '../../test/support/command.ts';
import { startService } from '../../test/support/process.ts';

const burst = Number(process.env['BENCH_LOGINS'] ?? 32);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const password = 'correct horse battery staple';

const { env, owner } = await freshInstallation('sqlite');
const service = await startService({ env: { ...env, INLAY_RATE_LIMIT: '0', INLAY_LOG_REQUESTS: 'false' } });

/** Returns a request from an address of this machine; its status, and how long it took in ms. */
const ask = (path: string, body: object, from: string): Promise<{ readonly status: number; readonly ms: number }> =>
  new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const sent = request(
      `${service.url}/0.1.0/${path}`,
      { method: 'POST', localAddress: from, headers: { 'content-type': 'application/json' } },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startedMs }));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });

const p95 = (times: readonly number[]): number =>
  times.toSorted((left, right) => left - right)[Math.floor(times.length * 0.95)] ?? 0;

const user = { name: 'Ada', email: 'ada@example.com', password };
const made = await call(service.url, 'user', { ...owner, properties: user });
if (made.status !== 200) throw new Error(`${JSON.stringify(made.body)}`);
const get = { ...owner, action: 'get', find: { limit: 1 } };

async function gets(until: () => boolean): Promise<readonly number[]> {
  const times: number[] = [];
  while (!until()) {
    times.push((await ask('user', get, '127.0.0.1')).ms);
    await wait(4);
  }
  return times;
}

for (let index = 0; index < 50; index += 1) await ask('user', get, '127.0.0.1');
for (let round = 1; round <= rounds; round += 1) {
  const untilMs = performance.now() + 1500;
  const before = await gets(() => performance.now() > untilMs);
  let over = false;
  const meanwhile = gets(() => over);
  const logins = await Promise.all(
    Array.from({ length: burst }, (_, index) =>
      ask(
        'authorization',
        { action: 'create', properties: { type: 'login', email: user.email, password } },
        `127.0.0.${index + 2}`,
      ),
    ),
  );
  over = true;
  const during = await meanwhile;
  const ok = logins.filter(({ status }) => status === 200).length;
  const lastMs = Math.max(...logins.map(({ ms }) => ms));
  say(
    `${ok} of ${burst} logins from as many addresses, the last after ${lastMs.toFixed(0)} ms; gets of others p95 ${p95(before).toFixed(1)} ms before, ${p95(during).toFixed(1)} ms meanwhile (${(p95(during) / p95(before)).toFixed(2)}x)`,
  );
}
await service.stop();
