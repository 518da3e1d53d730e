import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { counted } from '../support/counts.ts';
import { canTrace } from '../support/installed.ts';
import { done, firstOwner, openClient, textIn } from '../support/load.ts';
import { startService } from '../support/process.ts';

const creates = counted(100, 1_000);
const atOnce = 8;
const calls = 'fdatasync,fsync,write,writev,sendto,sendmsg,pwrite64';

interface Call {
  readonly begun: number;
  readonly ended: number;
  readonly text: string;
}

/** System calls in the order in which they ended, with the lines of the trace on which they began and ended. */
function callsOf(trace: string): readonly Call[] {
  const open = new Map<string, { readonly begun: number; readonly text: string }>();
  return trace.split('\n').flatMap((line, at): Call[] => {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/u.exec(line) ?? [];
    if (text.endsWith('<unfinished ...>')) open.set(thread, { begun: at, text });
    const resumed = /^<\.\.\. \w+ resumed>/u.test(text) ? open.get(thread) : undefined;
    if (resumed !== undefined) return [{ begun: resumed.begun, ended: at, text: resumed.text + text }];
    return text.endsWith('<unfinished ...>') ? [] : [{ begun: at, ended: at, text }];
  });
}

const toSockets = /^(?:write|writev|sendto|sendmsg)\(\d+<(?:socket|TCP)/u;

/** Where each acknowledged record was answered before what was written to the log for it was flushed. */
function earlyAnswers(ids: readonly string[], trace: string, isAnswer = toSockets): readonly string[] {
  const all = callsOf(trace);
  const logWrites = all.filter(({ text }) => /^(?:pwrite64|write|writev)\(\d+<[^>]*-wal>/u.test(text));
  const flushes = all.filter(({ text }) => /^f(?:data)?sync\(\d+<[^>]*-wal>.*= 0$/u.test(text));
  const answers = all.filter(({ text }) => isAnswer.test(text));
  return ids.flatMap((id) => {
    const written = logWrites.find(({ text }) => text.includes(id));
    const answered = answers.find(({ text }) => text.includes(id));
    if (written === undefined || answered === undefined) return [`${id} is not in the trace`];
    const flushed = flushes.some(({ begun, ended }) => begun > written.ended && ended < answered.begun);
    return flushed ? [] : [`${id} was answered before the log was flushed`];
  });
}

describe.skipIf(!canTrace())('under strace', () => {
  test('no write of the embedded store is answered before its log is flushed to disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inlay-strace-'));
    const file = join(folder, 'trace');
    const owner = firstOwner();
    const prefix = ['strace', '-f', '-y', '-s', '6000', '-e', `trace=${calls}`, '-o', file];
    const service = await startService({ env: owner.settings, prefix, readyLimitMs: 60_000 });
    const client = openClient(service.url, owner.credential, { timeoutMs: 60_000 });
    const ids: string[] = [];
    const make = async (): Promise<void> => {
      ids.push(
        textIn(done(await client.call('tag', { action: 'create', properties: { name: { en: 'a tag' } } })), 'id'),
      );
    };
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (ids.length < creates) await make();
      }),
    );
    client.close();
    // The tracer would take a signal for itself, so the service is told directly.
    const children = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number);
    for (const child of children) process.kill(child, 'SIGTERM');
    expect(await service.exited).toBe(0);
    await service.stop();
    const trace = readFileSync(file, 'latin1');
    rmSync(folder, { recursive: true });
    expect(ids.length).toBeGreaterThanOrEqual(creates);
    expect(earlyAnswers(ids, trace)).toEqual([]);
    const unflushed = trace.replaceAll(/^.*f(?:data)?sync\(.*$/gmu, '');
    expect(earlyAnswers(ids, unflushed).length, 'a trace without flushes is noticed').toBe(ids.length);
    process.stdout.write(
      `${ids.length} acknowledged writes, ${trace.match(/f(?:data)?sync\(\d+<[^>]*-wal>/gu)?.length ?? 0} flushes of the log\n`,
    );
  }, 600_000);
});
