import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { residentMb } from '../../packages/service/src/engine/memory-watch.ts';
import { counted, lateMs } from '../support/counts.ts';
import { causeOf, jobOver, never, rowsOf, startTestEngine, textOf } from '../support/engine.ts';

const engine = startTestEngine();

const columns = [
  { name: 'id', storageType: 'integer' },
  { name: 'word', storageType: 'text' },
  { name: 'price', storageType: 'decimal' },
] as const;

const rows = Array.from({ length: 50_000 }, (_, id) => [id, `word ${id % 7}`, `${id % 100}.25`] as const);
const slow =
  'select json_array(count(*))::varchar from range(3000000) a, range(3000000) b where (a.range * b.range) % 7 = 3';
const quick = 'select json_array(count(*))::varchar from ds';
const all = "select json_array(id, word, repeat('x', 200))::varchar from ds order by id";
const many = "select concat(a.id, ',', a.word, ',', b.word, ',', repeat('x', 100), chr(10)) from ds a, ds b";

beforeAll(async () => {
  await engine.writeRows('v1', columns, rows);
  await rowsOf(engine.query(jobOver(engine, 'v1', quick), never));
});
afterAll(() => engine.stop());

const ask = (sql: string, more = {}) => rowsOf(engine.query(jobOver(engine, 'v1', sql, more), never));
const running = () => engine.pool.children().filter((child) => child.running > 0);
const exporting = () => engine.exporters.children().filter((child) => child.running > 0);
const busy = async (count = 1): Promise<void> => {
  await expect.poll(() => running().reduce((sum, child) => sum + child.running, 0)).toBe(count);
};

describe('a query', () => {
  it('is answered with rows as JSON text in the order asked for', async () => {
    const answer = await engine.query(
      jobOver(engine, 'v1', 'select json_array(id, word, price)::varchar from ds order by id'),
      never,
    );
    const text = await textOf(answer);
    expect(JSON.parse(`[${text}]`)).toEqual(rows.map(([id, word, price]) => [id, word, Number(price)]));
    expect(await answer.summary).toMatchObject({ rows: 50_000, truncated: false });
  });

  it('takes values only as bound parameters', async () => {
    const sql = 'select json_array(count(*), $2, $3, $4)::varchar from ds where word = $1';
    expect(await ask(sql, { params: ["word 1' or 1=1", 3, 2.5, null] })).toEqual([[0, 3, 2.5, null]]);
    expect(await ask('select json_array(count(*))::varchar from ds where id = $1', { params: [5] })).toEqual([[1]]);
  });

  it('is cut at its row limit and at its byte limit, between two rows, and says so', async () => {
    for (const limit of [
      { rowLimit: 7 },
      { rowLimit: 5000 },
      { byteLimit: 1000 },
      { byteLimit: 1_000_000 },
      { byteLimit: 5 },
    ]) {
      const answer = await engine.query(jobOver(engine, 'v1', all, limit), never);
      const text = await textOf(answer);
      const read: unknown = JSON.parse(`[${text}]`);
      const summary = await answer.summary;
      expect(summary).toMatchObject({ truncated: true, rows: Array.isArray(read) ? read.length : -1 });
      expect(text.length).toBeLessThanOrEqual(limit.byteLimit ?? Infinity);
      if (limit.rowLimit !== undefined) expect(summary.rows).toBe(limit.rowLimit);
    }
  });

  it('that cannot be run says why without paths, texts of statements or values of rows', async () => {
    const message = (sql: string) => ask(sql).then(String, (error: unknown) => String(error));
    expect(await message('select json_array(missing)::varchar from ds')).toContain('"missing"');
    expect(await message('select json_array(word::int)::varchar from ds')).not.toContain('word 0');
    expect(await message("select json_array(1)::varchar from read_csv('/etc/passwd')")).not.toContain('passwd');
    expect(await causeOf(ask('select json_array(1)::varchar; select 2'))).toBe('sql');
    expect(
      await causeOf(
        ask(quick, {
          tables: [{ name: 'ds', source: { kind: 'file', path: engine.versionPath('here', 'ds', 'gone') } }],
        }),
      ),
    ).toBe('missing');
  });

  it('reads rows that are handed in, with every digit', async () => {
    const source = {
      kind: 'rows',
      columns: [...columns, { name: 'at', storageType: 'timestamptz' }, { name: 'ok', storageType: 'boolean' }],
      rows: (async function* () {
        yield [['9007199254740993', 'é', '12345678901234567890.123', '2026-01-01T00:00:00.000Z', true]];
        yield [
          [null, null, '0.5', null, null],
          [1, '', 2, '2026-01-01T00:00:00+02:00', false],
        ];
      })(),
    };
    const sql =
      'select json_array(id::varchar, word, price::varchar, epoch_ms("at"), ok)::varchar from t order by id nulls first';
    expect(await ask(sql, { tables: [{ name: 't', source }] })).toEqual([
      [null, null, '0.500', null, null],
      ['1', '', '2.000', 1_767_218_400_000, false],
      ['9007199254740993', 'é', '12345678901234567890.123', 1_767_225_600_000, true],
    ]);
  });

  it('fails as its rows fail', async () => {
    const broken = {
      kind: 'rows',
      columns,
      rows: (async function* () {
        yield [[1, 'a', '1']];
        throw new Error('the source went away');
      })(),
    };
    expect(
      await causeOf(ask('select json_array(1)::varchar from t', { tables: [{ name: 't', source: broken }] })),
    ).toBe('the source went away');
    const wrong = {
      kind: 'rows',
      columns,
      rows: (async function* () {
        yield [[1, 'a', '1']];
        yield [
          [2, 'b', '1'],
          ['x', 'c', '1'],
        ];
      })(),
    };
    const message = ask('select json_array(1)::varchar from t', { tables: [{ name: 't', source: wrong }] });
    await expect(message).rejects.toThrow('row 3, column id: not a whole number');
  });
});

describe('a query that takes too long', () => {
  it('ends at its deadline, and the next one is answered', async () => {
    const startedMs = performance.now();
    expect(await causeOf(ask(slow, { deadlineMs: 300 }))).toBe('deadline');
    expect(performance.now() - startedMs).toBeLessThan(300 + lateMs);
    expect(await ask(quick)).toEqual([[50_000]]);
  });

  it('ends within a second when its caller gives it up, and leaves its place', async () => {
    for (let time = 0; time < counted(5, 50); time += 1) {
      const abort = new AbortController();
      const asked = causeOf(engine.query(jobOver(engine, 'v1', slow), abort.signal));
      await busy();
      const startedMs = performance.now();
      abort.abort(new Error('the client has gone'));
      expect(await asked).toBe('the client has gone');
      await busy(0);
      expect(performance.now() - startedMs).toBeLessThan(lateMs);
    }
  });

  it('ends when nobody reads its answer any more', async () => {
    const { chunks } = await engine.exportRows(jobOver(engine, 'v1', many, { rowLimit: 100_000_000 }), never);
    for await (const _ of chunks) break;
    await expect.poll(exporting).toEqual([]);
    expect(await ask(quick)).toEqual([[50_000]]);
  });
});

describe('a child that dies', () => {
  it('in the middle of a query is replaced, and the query is run again', async () => {
    for (let time = 0; time < counted(3, 30); time += 1) {
      const sql =
        'select json_array(count(*))::varchar from range(3000) a, range(10000) b where (a.range * b.range) % 7 = 3';
      const asked = ask(sql);
      await busy();
      process.kill(running()[0]?.pid ?? 0, 'SIGKILL');
      expect(await asked).toEqual([[3_672_674]]);
    }
  }, 240_000);

  it('twice under a query ends it with a clear problem, and the next one is answered', async () => {
    const asked = causeOf(ask(slow));
    for (let time = 0; time < 2; time += 1) {
      await busy();
      const pid = running()[0]?.pid ?? 0;
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => engine.pool.children().some((child) => child.pid === pid)).toBe(false);
    }
    expect(await asked).toBe('failed');
    expect(await ask(quick)).toEqual([[50_000]]);
  });

  it('after the first rows ends the answer, never as if it were whole', async () => {
    const answer = await engine.exportRows(jobOver(engine, 'v1', many, { rowLimit: 100_000_000 }), never);
    const read = async () => {
      for await (const _ of answer.chunks) process.kill(exporting()[0]?.pid ?? 0, 'SIGKILL');
    };
    expect(await causeOf(read())).toBe('failed');
    expect(await causeOf(answer.summary)).toBe('failed');
  });
});

describe('tenants', () => {
  it('never share a child, and take turns when all are busy', async () => {
    const small = startTestEngine({ children: 2 });
    const long =
      'select json_array(count(*))::varchar from range(2000) a, range(10000) b where (a.range * b.range) % 7 = 3';
    const order: string[] = [];
    const asked = ['a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'b', 'c'].map((tenant) =>
      rowsOf(small.query({ ...jobOver(small, 'v1', long), tables: [], tenant }, never)).then(() => order.push(tenant)),
    );
    const pids = new Map<number, Set<string>>();
    const watch = setInterval(() => {
      for (const { pid, tenant } of small.pool.children()) pids.set(pid, (pids.get(pid) ?? new Set()).add(tenant));
    }, 5);
    await Promise.all(asked);
    clearInterval(watch);
    expect([...pids.values()].filter((tenants) => tenants.size > 1)).toEqual([]);
    expect(order.lastIndexOf('a')).toBeGreaterThan(order.indexOf('b'));
    await small.stop();
  });

  it('do not reach the versions of another', async () => {
    const foreign = jobOver(engine, 'v1', 'select json_array(count(*))::varchar from ds');
    expect(await rowsOf(engine.query(foreign, never))).toEqual([[50_000]]);
    const path = engine.versionPath('here', 'ds', 'v1');
    const stolen = {
      ...foreign,
      tenant: 'there',
      tables: [],
      sql: `select json_array(count(*))::varchar from '${path}'`,
    };
    expect(await causeOf(engine.query(stolen, never))).not.toBe('none');
  });

  it('keep their children only as long as they use them', async () => {
    const brief = startTestEngine({ idleMs: 200 });
    await rowsOf(brief.query({ ...jobOver(brief, 'v1', 'select json_array(1)::varchar'), tables: [] }, never));
    expect(brief.pool.children()).toHaveLength(1);
    await expect.poll(() => brief.pool.children(), { timeout: lateMs }).toEqual([]);
    await brief.stop();
  });
});

describe('memory', () => {
  it('of a child stays within its bound when a query asks for more', async () => {
    const heavy =
      "select json_array(count(distinct hash(a.id * 1000 + b.range) || repeat('y', 50)))::varchar from ds a, range(200) b";
    let most = 0;
    const watch = setInterval(() => {
      for (const { pid } of engine.pool.children()) most = Math.max(most, residentMb(pid));
    }, 20);
    const cause = await causeOf(ask(heavy, { deadlineMs: counted(6000, 20_000) }));
    clearInterval(watch);
    expect(['none', 'memory', 'deadline']).toContain(cause);
    expect(most).toBeLessThan(430);
    expect(await ask(quick)).toEqual([[50_000]]);
  });

  /** Statements that take memory which the engine does not count. */
  const growing = {
    range: 'select json_array(len(range(300000000)))::varchar from ds',
    replace: `select json_array(max(length(${'replace('.repeat(5)}word${", 'r', repeat('r', 40))".repeat(5)})))::varchar from ds`,
  };

  it.each(Object.entries(growing))(
    'a child that takes too much by %s is ended, alone',
    async (_name, sql) => {
      let most = 0;
      const watch = setInterval(() => {
        for (const { pid } of engine.pool.children()) most = Math.max(most, residentMb(pid));
      }, 20);
      const beside = rowsOf(
        engine.query({ ...jobOver(engine, 'v1', 'select json_array(7)::varchar'), tables: [], tenant: 'there' }, never),
      );
      expect(await causeOf(ask(sql, { deadlineMs: 30_000 }))).toBe('memory');
      clearInterval(watch);
      expect(await beside).toEqual([[7]]);
      expect(most).toBeLessThan(520);
      expect(await ask(quick)).toEqual([[50_000]]);
    },
    60_000,
  );

  it('that one statement takes too much of does not refuse those that shared its child', async () => {
    const long =
      'select json_array(count(*))::varchar from range(3000) a, range(10000) b where (a.range * b.range) % 7 = 3';
    const by = (authorizationId: string) => ({ caller: { suborganization: null, authorizationId } });
    const honest = ['ada', 'bo'].map((who) => ask(long, by(who)));
    await busy(2);
    expect(await causeOf(ask(growing.replace, { ...by('cleo'), deadlineMs: 30_000 }))).toBe('memory');
    expect(await Promise.all(honest)).toEqual([[[3_672_674]], [[3_672_674]]]);
  });

  it('of the service does not grow with an export, nor with a slow reader', async () => {
    const target = counted(400_000, 10_000_000);
    globalThis.gc?.();
    const idle = process.memoryUsage().rss;
    let most = 0;
    let bytes = 0;
    const answer = await engine.exportRows(jobOver(engine, 'v1', many, { rowLimit: target, byteLimit: 1e12 }), never);
    let chunks = 0;
    for await (const chunk of answer.chunks) {
      bytes += chunk.length;
      if ((chunks += 1) % 100 === 0) {
        most = Math.max(most, process.memoryUsage().rss);
        if (chunks < 500) await wait(100);
      }
    }
    expect(await answer.summary).toMatchObject({ rows: target, truncated: true });
    expect(bytes).toBeGreaterThan(target * 110);
    expect((most - idle) / 1_048_576).toBeLessThan(256);
  });
});

describe('an export', () => {
  it('is lines as the statement gives them, cut at its limits', async () => {
    const sql = "select concat('line ', id, chr(10)) from ds order by id";
    const answer = await engine.exportRows(jobOver(engine, 'v1', sql, { rowLimit: 2 }), never);
    expect(await textOf(answer)).toBe('line 0\nline 1\n');
    expect(await answer.summary).toMatchObject({ rows: 2, truncated: true });
  });

  it('that waits for its reader holds up no query', async () => {
    const slowly = await Promise.all(
      [1, 2].map(() => engine.exportRows(jobOver(engine, 'v1', many, { rowLimit: 100_000_000 }), never)),
    );
    expect(exporting()).toMatchObject([{ running: 2 }]);
    expect(await ask(quick)).toEqual([[50_000]]);
    for (const { chunks } of slowly) for await (const _ of chunks) break;
    await expect.poll(exporting).toEqual([]);
  });
});
