import type { Json } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reader, Snapshots } from '../../packages/service/src/store/store.ts';
import { rowsOf } from '../support/api.ts';
import { startTestService, type TestService, storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

type Way = keyof Snapshots;

/** Calls `then` after the first read of a reader. */
function afterFirst(reader: Reader, then: () => Promise<void>): Reader {
  let isFirst = true;
  const next = async <Result>(read: Promise<Result>): Promise<Result> => {
    const result = await read;
    const first = isFirst;
    isFirst = false;
    if (first) await then();
    return result;
  };
  const { long } = reader;
  const atOnce = long?.atOnce ?? null;
  return {
    ...reader,
    rows: (statement) => next(reader.rows(statement)),
    ...(long === undefined
      ? {}
      : { long: { ...long, atOnce: atOnce === null ? null : (statement) => next(atOnce(statement)) } }),
  };
}

describe.each(storesToTest)('records and what is included with them on %s', (store) => {
  let service: TestService;
  let writeBetween: (way: Way) => Promise<void> = async () => undefined;
  beforeAll(async () => {
    service = await startTestService({
      store,
      // The writes between two reads need a connection too.
      settings: { INLAY_POSTGRES_POOL: '10' },
      around: (opened) => {
        const { snapshots } = opened;
        if (snapshots === undefined) throw new Error('the store has no snapshots');
        return {
          ...opened,
          snapshots: {
            near: (work) => snapshots.near((reader) => work(afterFirst(reader, () => writeBetween('near')))),
            apart: (tenant, work) =>
              snapshots.apart(tenant, (reader) => work(afterFirst(reader, () => writeBetween('apart')))),
          },
        };
      },
    });
  });
  afterAll(() => service.stop());

  const done = async (resource: string, body: object): Promise<Json> => {
    const answer = await service.call(resource, body, service.owner);
    expect([answer.status, answer.body]).toEqual([200, answer.body]);
    return answer.body;
  };

  it.each([
    ['get', {}],
    ['search', {}],
    // Looks for a text, which may take long.
    ['search', { name: { like: '%ll%' } }],
  ] as const)('are of one state when both change between two reads: %s by %o', async (kind, where) => {
    const dashboard = text(await done('dashboard', { action: 'create', properties: { name: { en: 'It' } } }), 'id');
    const id = text(await done('tag', { action: 'create', properties: { name: { en: 'hollow' } } }), 'id');
    let isFull = false;
    const change = async (): Promise<void> => {
      isFull = !isFull;
      const resource = { role: 'Securables', id: dashboard };
      await done('tag', { action: 'update', id, properties: { name: { en: isFull ? 'full' : 'hollow' } } });
      await done('tag', { action: isFull ? 'associate' : 'dissociate', id, resource });
    };
    const include = [{ model: 'Securables', attributes: ['name'] }];
    const asked =
      kind === 'get' ? { id, find: { include } } : { find: { where: { id, ...where }, include, attributes: ['name'] } };
    const ways: Way[] = [];
    for (const changedIn of [['near'], ['near', 'apart'], ['near', 'apart']]) {
      writeBetween = async (way) => {
        ways.push(way);
        if (changedIn.includes(way)) await change();
      };
      const answer = await done('tag', { action: 'get', ...asked });
      writeBetween = async () => undefined;
      const tag = kind === 'get' ? answer : rowsOf(answer)[0];
      const name = text(part(tag, 'name'), 'en');
      expect([name, part(tag, 'securables')]).toMatchObject(name === 'full' ? [name, [{ id: dashboard }]] : [name, []]);
      expect(['full', 'hollow']).toContain(name);
    }
    const isNear = store === 'sqlite' || !('name' in where);
    const isApart = store === 'sqlite' || !isNear;
    expect([ways.includes('near'), ways.includes('apart')]).toEqual([isNear, isApart]);
  });
});
