import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isList, isObject, member, type JsonObject } from '@inlay/contract';
import { openApi } from '../../packages/service/src/docs/openapi.ts';
import { exchange } from '../support/arbitrary-socket.ts';
import { startTestService, type TestService } from '../support/service.ts';

const words = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.flatMap((one) => (typeof one === 'string' ? [one] : [])) : [];

/**
 * Returns the methods of a path as the OpenAPI description has them: those it has a place for, and those named next to.
 */
const documented = (item: JsonObject): readonly string[] => {
  const beside = member(item, 'x-inlay-methods');
  const placed = Object.keys(item).flatMap((name) => (name.startsWith('x-') ? [] : [name.toUpperCase()]));
  return [...new Set([...placed, ...(beside !== undefined && isList(beside) ? words(beside) : [])])].toSorted();
};

describe('methods', () => {
  let service: TestService;
  const at = { port: 0 };
  beforeAll(async () => {
    service = await startTestService({ store: 'sqlite' });
    await service.server.listen({ host: '127.0.0.1', port: 0 });
    const address = service.server.server.address();
    at.port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterAll(() => service?.stop());

  /** Status, `Allow` and code of an answer, as they come over a real connection. */
  const answer = async (method: string, path: string, headers: string, body: string): Promise<readonly unknown[]> => {
    const text = await exchange(
      at.port,
      `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`,
    );
    const allow = /^allow: (.*)$/imu.exec(text)?.[1] ?? null;
    return [Number(text.slice(9, 12)), allow, /"code":"(\w+)"/u.exec(text)?.[1] ?? null];
  };

  it('that an address does not take are answered 405 with those it takes, whichever Node reads', async () => {
    const paths = {
      '/0.1.0/theme': 'api',
      '/0.1.0/data/file': 'file',
      '/livez': 'probe',
      '/sso/token': 'sso',
    } as const;
    const taken = {
      api: ['POST', 'SEARCH', 'PATCH', 'DELETE', 'LINK', 'UNLINK'],
      file: ['POST'],
      probe: ['GET', 'HEAD'],
      sso: ['OPTIONS', 'POST'],
    };
    const typed = 'content-type: application/json\r\n';
    for (const [path, kind] of Object.entries(paths)) {
      for (const method of METHODS) {
        if (taken[kind].includes(method) || method === 'CONNECT') continue;
        for (const [headers, body] of [
          ['', ''],
          [typed, '{}'],
          [typed, '{'],
          ['content-type: a/b\r\n', 'x'],
        ] as const) {
          const [status, allow, code] = await answer(method, path, headers, body);
          const listed = typeof allow === 'string' ? allow.split(', ').toSorted() : [];
          const said = method === 'HEAD' ? null : 'method_not_allowed';
          expect([path, method, status, listed, code]).toEqual([path, method, 405, taken[kind].toSorted(), said]);
        }
      }
      expect((await answer('CONNECT', path, '', ''))[0]).toBe(405);
    }
  });

  it('at an address that is none are answered 404', async () => {
    for (const method of METHODS) {
      if (method === 'CONNECT') continue;
      expect([method, ...(await answer(method, '/nothing/at/all', '', ''))].slice(0, 3)).toEqual([method, 404, null]);
    }
  });

  it('that name an operation which a resource lacks are 405, unless the body names another', async () => {
    const typed = 'content-type: application/json\r\n';
    const taken = 'POST, SEARCH';
    expect(await answer('DELETE', '/0.1.0/data', typed, '{}')).toEqual([405, taken, 'method_not_allowed']);
    expect(await answer('PATCH', '/0.1.0/data', typed, '[1]')).toEqual([405, taken, 'method_not_allowed']);
    const override = `${typed}x-http-method-override: LINK\r\n`;
    expect(await answer('POST', '/0.1.0/data', override, '{}')).toEqual([405, taken, 'method_not_allowed']);
    const named = '{"action":"get","find":{}}';
    expect(await answer('DELETE', '/0.1.0/data', typed, named)).toEqual([401, null, 'credentials_missing']);
  });

  it('are the same in Allow and in the OpenAPI description', async () => {
    const paths = member(openApi(service.app.service.registry), 'paths');
    expect(paths !== undefined && isObject(paths)).toBe(true);
    for (const [path, item] of Object.entries(paths !== undefined && isObject(paths) ? paths : {})) {
      const [status, allow] = await answer('REPORT', path, '', '');
      const listed = typeof allow === 'string' ? allow.split(', ').filter((method) => method !== 'HEAD') : [];
      expect([path, status, listed.toSorted()]).toEqual([path, 405, isObject(item) ? documented(item) : []]);
    }
  });
});
