import { execFile, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escape, html, prose } from '../../packages/service/src/docs/html.ts';
import { docsPage } from '../../packages/service/src/docs/page.ts';
import { pageStyle } from '../../packages/service/src/docs/page-style.ts';
import { catalogue } from '../../packages/service/src/problems/catalogue.ts';
import { define } from '../../packages/service/src/resource/define.ts';
import { field } from '../../packages/service/src/declare/fields.ts';
import { createRegistry } from '../../packages/service/src/resource/registry.ts';
import { resources } from '../../packages/service/src/resources/index.ts';
import { operators } from '../../packages/service/src/search/find.ts';
import { startService, type ServiceProcess } from '../support/process.ts';

const page = docsPage(createRegistry(resources));
const run = promisify(execFile);
const haveCurl = spawnSync('curl', ['--version']).status === 0;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescape = (text: string): string => text.replaceAll(/&(#?\w+);/gu, (all, name: string) => entities[name] ?? all);

const ids = [...page.matchAll(/\sid="([^"]+)"/gu)].map(([, id = '']) => id);
const shells = [...page.matchAll(/<pre class="run" tabindex="0"><code>([^]*?)<\/code><\/pre>/gu)].map(([, text = '']) =>
  unescape(text),
);

const channel = (value: number): number => {
  const part = value / 255;
  return part <= 0.039_28 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => channel(Number.parseInt(color.slice(at, at + 2), 16)));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: string, other: string): number => {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((left, right) => right - left);
  return (lighter + 0.05) / (darker + 0.05);
};
const palettes = [...pageStyle.matchAll(/:root \{([^}]*)\}/gu)].map(
  ([, text = '']) =>
    new Map([...text.matchAll(/--(\w+): (#\w{6})/gu)].map(([, name = '', color = '']) => [name, color])),
);

describe('the docs page', () => {
  it('loads nothing and runs nothing', () => {
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object|embed|form|base)\b/iu);
    expect(page).not.toMatch(/\s(?:on\w+|style|src|srcset)=/iu);
    expect(pageStyle).not.toMatch(/url\(|@import/u);
  });

  it('escapes whatever the declarations say', () => {
    const hostile = '<script>alert("1")</script>&\'';
    const resource = define({
      name: 'tag',
      description: hostile,
      fields: { id: field.uuid(hostile), name: field.text(hostile, { values: [hostile] }) },
      roles: { create: { kind: 'loggedIn' } },
      example: { name: hostile },
    });
    const shown = docsPage(createRegistry([resource]));
    expect(shown).not.toContain('<script>');
    expect(shown.split(escape(hostile)).length).toBeGreaterThan(4);
    expect(prose('`<b>` and *use* 2 * 3 * 4').markup).toBe('<code>&lt;b&gt;</code> and <em>use</em> 2 * 3 * 4');
    expect(html`<p title="${'"'}">${['a', 'b'].map((one) => html`<i>${one}</i>`)}</p>`.markup).toBe(
      '<p title="&quot;"><i>a</i><i>b</i></p>',
    );
  });

  it('has every element closed that was opened', () => {
    const open: string[] = [];
    const crossed: string[] = [];
    for (const [, end, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/gu)) {
      if (name === 'meta') continue;
      if (end !== '/') open.push(name);
      else if (open.pop() !== name) crossed.push(name);
    }
    expect([...open, ...crossed]).toEqual([]);
  });

  it('can be read with a keyboard and a screen reader', () => {
    for (const landmark of ['<header>', '<nav aria-label=', '<main id="main"', '<footer>', '<html lang="en">']) {
      expect(page).toContain(landmark);
    }
    expect(page).toContain('<a class="skip" href="#main">');
    expect(page.match(/<h1>/gu)).toHaveLength(1);
    const levels = [...page.matchAll(/<h(\d)\b/gu)].map(([, level]) => Number(level));
    levels.forEach((level, at) => expect(level - (levels[at - 1] ?? 0), `heading ${at}`).toBeLessThanOrEqual(1));
    const tables = page.split('<table').slice(1);
    for (const table of tables) {
      expect(table).toContain('<caption>');
      expect(table.match(/<th(?! scope=")[ >]/gu)).toBeNull();
    }
    expect(page.match(/<pre(?![^>]*tabindex="0")/gu)).toBeNull();
  });

  it('leads with every link of its own to something that is there, once', () => {
    const targets = [...page.matchAll(/href="#([^"]+)"/gu)].map(([, id = '']) => id);
    expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('can be read in light and in dark', () => {
    expect(palettes).toHaveLength(2);
    for (const palette of palettes) {
      for (const ink of ['ink', 'quiet', 'link', 'mark']) {
        for (const ground of ['paper', 'tint']) {
          const found = contrast(palette.get(ink) ?? '', palette.get(ground) ?? '');
          expect(found, `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });

  it('names every resource, every error and every operator', () => {
    for (const { name } of resources) expect(ids).toContain(`resource-${name}`);
    for (const word of [...Object.keys(catalogue), ...Object.keys(operators)])
      expect(page).toContain(`<code>${word}</code>`);
  });
});

describe.skipIf(!haveCurl)('the commands on the docs page', () => {
  const key = randomUUID();
  const token = randomBytes(32).toString('base64url');
  const held: { service?: ServiceProcess } = {};
  beforeAll(async () => {
    held.service = await startService({ env: { INLAY_BOOTSTRAP_KEY: key, INLAY_BOOTSTRAP_TOKEN: token } });
  });
  afterAll(async () => {
    await held.service?.stop();
  });

  it('work when they are pasted from top to bottom', async () => {
    expect(shells.length).toBeGreaterThan(9);
    const env = { ...process.env, INLAY: held.service?.url ?? '', KEY: key, TOKEN: token };
    const marked = shells.map((text) => `${text}\necho`).join('\n');
    const { stdout } = await run('sh', ['-eu', '-c', marked], { env });
    expect(stdout).not.toContain('"type":{"code":');
    expect(stdout).toContain('"tags":[{');
    expect(stdout.match(/\{"code":200\}/gu)).toHaveLength(2);
  });

  it('are served with a policy that allows styles alone', async () => {
    const answer = await fetch(`${held.service?.url ?? ''}/docs`, { headers: { connection: 'close' } });
    expect(await answer.text()).toBe(page);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/u);
  });
});
