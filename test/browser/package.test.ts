import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { publint } from 'publint';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../../packages/embed/build-package.mjs';
import { card, noBrowser, startBrowser, tableOf, until } from './page.ts';
import { contentsOf, inSlot, item, slot } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const types: Readonly<Record<string, string>> = { html: 'text/html; charset=utf-8', js: 'text/javascript' };
const folder = mkdtempSync(join(tmpdir(), 'inlay-package-'));
const installed = join(folder, 'node_modules/@inlay/embed');

/** What `npm pack` writes, unpacked where npm would put it; what it needs is linked to what is installed here. */
async function install(): Promise<readonly string[]> {
  const built = join(folder, 'built');
  await buildPackage(built);
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: built,
  });
  const [{ filename, files }]: [{ filename: string; files: { path: string }[] }] = JSON.parse(stdout);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  const pages = ['react', 'react-dom', 'vue', 'vite', '@vitejs/plugin-vue', '@types/react', '@types/react-dom'];
  for (const name of [...Object.keys(dependencies), ...pages]) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  return files.map(({ path }) => path);
}

/** Returns a program run by Node in the folder of the app, where there is no window. */
async function inNode(text: string): Promise<string> {
  writeFileSync(join(folder, 'program.js'), text);
  return (await run(process.execPath, ['program.js'], { cwd: folder })).stdout;
}

describe('the npm package', () => {
  let files: readonly string[];

  beforeAll(async () => {
    files = await install();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('holds JavaScript, types, a README and the licence, and nothing of the workspace', () => {
    for (const wanted of [
      'index.js',
      'define.js',
      'react.js',
      'types/embed/react.d.ts',
      'types/embed/index.d.ts',
      'README.md',
      'LICENSE',
    ])
      expect(files).toContain(wanted);
    expect(files.filter((path) => !/^(?:[\w-]+\.js|chunks\/[\w-]+\.js|types\/.+\.d\.ts)$/u.test(path))).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json']),
    );
    for (const path of files.filter((name) => /\.(?:js|ts)$/u.test(name))) {
      const text = readFileSync(join(installed, path), 'utf8');
      expect(text, path).not.toMatch(/@inlay\/contract|from '[^']*\.ts'/u);
    }
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty('private');
  });

  it('has nothing that publint finds', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it('can be imported where there is no window, and its elements are known to TypeScript', async () => {
    expect(
      await inNode(
        `import { defineElements, InlayItem } from '@inlay/embed'; import '@inlay/embed/define';
         defineElements(); console.log(typeof window, InlayItem.name);`,
      ),
    ).toBe('undefined InlayItem\n');
    writeFileSync(
      join(folder, 'typed.ts'),
      `import { defineElements, Failure, type Credential, type InlayEvents } from '@inlay/embed';
       defineElements();
       const dashboard = document.querySelector('inlay-dashboard');
       if (dashboard !== null) {
         dashboard.getToken = async (): Promise<Credential> => ({ key: 'k', token: 't' });
         dashboard.dashboardId = 'd';
         const rows: number | undefined = dashboard.getData()?.texts.length;
         console.log(rows, new Failure('code', 400, 'said').status);
       }
       export type Drawn = InlayEvents['rendered']['ms'];
       export const drawn: Drawn = 7;`,
    );
    const strict = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--types', ''];
    for (const module of [
      ['--module', 'nodenext'],
      ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ])
      await run(
        process.execPath,
        [join(root, 'node_modules/typescript/bin/tsc'), ...strict, ...module, 'typed.ts', '--ignoreConfig'],
        { cwd: folder },
      ).catch((error: { stdout?: string }) => expect(error.stdout).toBe(''));
  });

  it('gives React the types of the elements (examples/embed-react)', async () => {
    const typed = join(folder, 'typed-react');
    cpSync(join(root, 'examples/embed-react'), typed, { recursive: true });
    writeFileSync(
      join(typed, 'wrong.tsx'),
      `import '@inlay/embed/react';
       // @ts-expect-error -- there is no such attribute
       export const attribute = <inlay-item dashbordId="d" />;
       // @ts-expect-error -- it is a function
       export const property = <inlay-dashboard getToken="x" />;
       // @ts-expect-error -- the event has no such detail
       export const event = <inlay-dashboard onrendered={({ detail }) => detail.seconds} />;
       export const known = <inlay-dashboard dashboardId="d" contents={null} onrendered={({ detail }) => detail.ms} />;`,
    );
    const options = {
      strict: true,
      noEmit: true,
      jsx: 'react-jsx',
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      types: ['react'],
    };
    writeFileSync(join(typed, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['.'] }));
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', typed], { cwd: folder }).catch(
      (error: { stdout?: string }) => expect(error.stdout).toBe(''),
    );
  });

  describe.skipIf(noBrowser !== undefined)('in a page', () => {
    let world: EmbedWorld;
    let browser: Browser;
    let dashboard: string;
    const open: Page[] = [];

    beforeAll(async () => {
      [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
      const at = (name: 'region' | 'revenue') => inSlot(world.dataset, name);
      const slots = [slot('x-axis', at('region')), slot('measure', at('revenue'))];
      dashboard = await world.dashboard(
        contentsOf(world.dataset, [item('Regions', 'column-chart', slots, [0, 0, 24, 16])]),
      );
      world.site.show('/tokens', JSON.stringify(await world.token([dashboard])), 'application/json');
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map((page) => page.context().close()));
    });
    afterAll(async () => {
      await browser?.close();
      await world?.stop();
    });

    /** Builds an app and shows what Vite made of it at a path of the site. */
    async function show(app: string, path: string): Promise<void> {
      const outDir = join(folder, `dist-${app}`);
      const vite = join(root, 'node_modules/vite/bin/vite.js');
      const env = { ...process.env, NODE_ENV: 'production' };
      await run(process.execPath, [vite, 'build', '--outDir', outDir, '--logLevel', 'error'], {
        env,
        cwd: join(folder, app),
      });
      for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        const [, type] = /\.(js|html)$/u.exec(name) ?? [];
        if (type !== undefined)
          world.site.show(type === 'html' ? path : `/${name}`, readFileSync(join(outDir, name), 'utf8'), types[type]);
      }
    }

    async function visit(path: string): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
      const page = await (await browser.newContext()).newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      open.push(page);
      await page.goto(`${world.site.url}${path}?dashboard=${dashboard}&service=${world.service.url}&tokens=/tokens`);
      return { page, errors };
    }

    it.each(['react', 'vue'])(
      'works in %s, which gives it functions and hears its events (examples/embed-…)',
      async (name) => {
        cpSync(join(root, `examples/embed-${name}`), join(folder, name), { recursive: true });
        rmSync(join(folder, name, 'tsconfig.json'), { force: true });
        await show(name, `/${name}`);
        const { page, errors } = await visit(`/${name}`);
        await page.getByText(/^Drawn in \d+ ms$/u).waitFor();
        await page.getByRole('button', { name: 'How many rows?' }).click();
        await page.getByText('3 rows').waitFor();
        await page.getByRole('button', { name: 'Dark or light' }).click();
        await until(page, `getComputedStyle(document.querySelector('inlay-dashboard')).colorScheme === 'dark'`);
        expect(await tableOf(page, 'Regions')).toHaveLength(4);
        expect(errors).toEqual([]);
      },
    );

    it('is shown in a page that React wrote on a server', async () => {
      const { key, token } = await world.token([dashboard]);
      const given = { 'dashboard-id': dashboard, 'api-host': world.service.url, 'auth-key': key, 'auth-token': token };
      const html = await inNode(
        `import { defineElements } from '@inlay/embed'; import { createElement } from 'react';
         import { renderToString } from 'react-dom/server';
         defineElements(); console.log(renderToString(createElement('inlay-dashboard', ${JSON.stringify(given)})));`,
      );
      mkdirSync(join(folder, 'server'));
      writeFileSync(
        join(folder, 'server/index.html'),
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sales</title><link rel="icon" href="data:,"></head><body>${html}<script type="module">import '@inlay/embed/define';</script></body></html>`,
      );
      await show('server', '/server');
      const { page, errors } = await visit('/server');
      await card(page, 'Regions').locator('canvas').waitFor();
      expect(await tableOf(page, 'Regions')).toHaveLength(4);
      expect(errors).toEqual([]);
    });
  });
});
