import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlugin } from '../../examples/plugin/plugin.ts';
import { inlay } from '../support/command.ts';
import { freePort } from '../support/free-port.ts';
import { startPlugin, type Misbehaviour, type TestPlugin } from '../support/plugin.ts';

const example = join(import.meta.dirname, '../../examples/plugin/server.ts');
const check = (url: string, ...args: readonly string[]) => inlay(['plugin', 'check', url, ...args], {});

describe('inlay plugin check', () => {
  it('passes the example, run as its author runs it', async () => {
    const port = await freePort();
    const env = { ...process.env, PORT: String(port), PLUGIN_SECRET: 'canary-s', PLUGIN_TOKEN: 'canary-t' };
    const child = spawn(process.execPath, [example], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(child.stdout, 'data');
      const url = `http://127.0.0.1:${port}`;
      const { code, out, err } = await check(url, '--secret', 'canary-s', '--token', 'canary-t', '--pushdown');
      expect({ code, err }, out).toEqual({ code: 0, err: '' });
      expect(out).toContain('pass  secret: another one is refused (403)');
      expect(out).toContain('pass  datasets: lists 2 with 9 columns');
      expect(out).toContain('pass  groups of missions: launch week, count *: agree with the rows');
      expect(out).not.toMatch(/fail|note|canary/u);
      const wrong = await check(url, '--secret', 'canary-s', '--token', 'canary-wrong');
      expect(wrong.code).toBe(1);
      expect(wrong.out).toContain('fail  authorize: refuses these credentials: The token is wrong.');
      expect(wrong.out).toContain('fail  datasets: it refuses the credentials (401)');
    } finally {
      child.kill();
    }
  });

  it('is told in a line why the example does not start', async () => {
    const port = await freePort();
    const env = { PATH: process.env['PATH'], PORT: String(port), PLUGIN_SECRET: 's', PLUGIN_TOKEN: 't' };
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    const said = (settings: NodeJS.ProcessEnv): Promise<string> => {
      const child = spawn(process.execPath, [example], { env: settings, stdio: ['ignore', 'ignore', 'pipe'] });
      return text(child.stderr);
    };
    expect(await said(env)).toBe(`Port ${port} is taken. Choose another: PORT=${port + 1}\n`);
    expect(await said({ ...env, PLUGIN_TOKEN: undefined })).toBe('Set PLUGIN_SECRET and PLUGIN_TOKEN.\n');
    taken.close();
  });

  it('tells how it is used', async () => {
    for (const args of [[], ['ftp://x'], ['http://x', '--property', 'a b=c'], ['http://x', '--protocol', '2']]) {
      const { code, err } = await inlay(['plugin', 'check', ...args], {});
      expect([args, code]).toEqual([args, 2]);
      expect(err).toContain('Usage: inlay plugin check URL');
    }
  });

  describe('of a plugin that does not keep to the protocol', () => {
    let plugin: TestPlugin;
    beforeEach(async () => {
      plugin = await startPlugin({ pushdown: true });
    });
    afterEach(() => plugin.stop());

    const answers = (body: unknown, status = 200): Misbehaviour => ({
      kind: 'answer',
      status,
      body: JSON.stringify(body),
    });

    it('notes what is no fault', async () => {
      const { code, out } = await check(plugin.url, '--secret', 's');
      expect(code).toBe(0);
      expect(out).toContain('note  secret: is not looked at');
    });

    const lies: readonly (readonly [string, Parameters<TestPlugin['set']>[0], Misbehaviour, string])[] = [
      [
        'refuses',
        '/authorize',
        answers({ message: 'no\u001b[2J' }, 403),
        'fail  authorize: refuses these credentials: no [2J',
      ],
      [
        'lists nothing',
        '/datasets',
        answers({}),
        'fail  datasets: it answers /datasets with something that is not a list',
      ],
      [
        'leads elsewhere',
        '/datasets',
        { kind: 'redirect', to: 'http://127.0.0.1:1/' },
        'answers with a redirect (302)',
      ],
      [
        'leaves cells out',
        '/query',
        answers([['x']]),
        'fail  rows of missions: it answers row 0 with 1 cells instead of 5',
      ],
      ['hangs up', '/query', { kind: 'reset' }, 'fail  rows of missions: it cannot be used'],
      [
        'never ends',
        '/query',
        { kind: 'flood', start: '[', piece: '[],'.repeat(1000) },
        'row 0 with 0 cells instead of 5',
      ],
    ];

    it.each(lies)('fails where it %s', async (_what, endpoint, how, says) => {
      plugin.set(endpoint, how);
      const { code, out } = await check(plugin.url);
      expect(code, out).toBe(1);
      expect(out).not.toContain('\u001b');
      expect(out).toContain(says);
    });

    it('says the same as JSON', async () => {
      plugin.set('/datasets', answers({}));
      const { code, out } = await check(plugin.url, '--json');
      expect(code).toBe(1);
      expect(JSON.parse(out)).toMatchObject({
        ok: false,
        checks: [{ level: 'pass' }, { level: 'fail', check: 'datasets' }],
      });
    });

    it('fails where filters lose rows, and where groups are not those of the rows', async () => {
      const server = createPlugin({ secret: 's', token: 't' });
      server.prependListener('request', (_request, response) => {
        const end = response.end.bind(response);
        // Whoever filters or groups is told half of it.
        Object.assign(response, {
          end: (body: string) => {
            const value: unknown = JSON.parse(body);
            const lies = Array.isArray(value) && value.length > 2 && value.length !== 11 && value.length !== 8;
            end(lies ? JSON.stringify(value.slice(1)) : body);
          },
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
      const { code, out } = await check(url, '--secret', 's', '--token', 't', '--pushdown');
      server.close();
      expect(code).toBe(1);
      expect(out).toMatch(/^fail {2}filter is null on missions\.samples: gives 4 of the 5 rows/mu);
      expect(out).toMatch(/^fail {2}groups of missions: launch year, count \*: differ/mu);
    });
  });
});
