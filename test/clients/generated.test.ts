import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { objectOr } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileDocument } from '../support/answers.ts';
import { isFull } from '../support/counts.ts';
import { oneStore, startTestService, type TestService } from '../support/service.ts';
import { cachedTool, havePackages, havePython } from '../support/tools.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const programs = join(import.meta.dirname, 'generated');

const pythonFolder = cachedTool('openapi-python-client-0.29.1');
const packagesFolder = cachedTool('openapi-typescript-7.13.0');
// The generator needs TypeScript 5; what it generates is compiled by that of the repository.
const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'];
const [python, typescript] = await Promise.all([
  isFull ? havePython(['openapi-python-client==0.29.1'], pythonFolder) : 'it takes long; the full run has it',
  havePackages(packages, packagesFolder),
]);
for (const [language, why] of Object.entries({ Python: python, TypeScript: typescript }))
  if (why !== undefined) process.stdout.write(`skipped the generated client in ${language}: ${why}\n`);

/** What the first programs answer. */
const hello = {
  rows: 2,
  total: expect.closeTo(478.36, 6),
  uploaded: 3,
  name: 'Hi',
  token: true,
  deleted: [200, 200, 200],
};

const operations = Object.values(objectOr(compileDocument().document['paths'])).flatMap((path) =>
  Object.values(objectOr(path)).flatMap((operation) => {
    const { operationId: named } = objectOr(operation);
    return typeof named === 'string' ? [named] : [];
  }),
);

const tsconfig = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  },
  files: ['hello.ts'],
};

describe('a client that is generated from /openapi.json', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-generated-'));
  let service: TestService;
  const at = { url: '' };
  beforeAll(async () => {
    service = await startTestService({ store: oneStore });
    at.url = await service.server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const credential = (): readonly string[] => [at.url, service.owner.key, service.owner.token];

  it.runIf(python === undefined)('in Python has every operation, without a warning, and works', async () => {
    const client = join(folder, 'inlay_client');
    const config = join(folder, 'config.yml');
    // The code is not formatted, which takes as long again.
    writeFileSync(config, 'post_hooks: []\n');
    const { stdout, stderr } = await run(join(pythonFolder, 'bin/openapi-python-client'), [
      'generate',
      '--fail-on-warning',
      '--url',
      `${at.url}/openapi.json`,
      '--meta',
      'none',
      '--output-path',
      client,
      '--config',
      config,
    ]);
    expect(`${stdout}${stderr}`.trim()).toBe(`Generating ${client}`);
    const modules = readdirSync(join(client, 'api'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.py') && !path.endsWith('__init__.py'))
      .map((path) => basename(path, '.py').replaceAll('_', '-'));
    expect(modules.toSorted()).toEqual(operations.toSorted());

    const env = { ...process.env, PYTHONPATH: folder };
    const program = [join(programs, 'hello.py'), ...credential()];
    const said = await run(join(pythonFolder, 'bin/python'), program, { env });
    expect(JSON.parse(said.stdout)).toEqual(hello);
  });

  it.runIf(typescript === undefined)('in TypeScript has the types that are known, and works', async () => {
    symlinkSync(join(packagesFolder, 'node_modules'), join(folder, 'node_modules'));
    copyFileSync(join(programs, 'hello.ts'), join(folder, 'hello.ts'));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}\n');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    const types = join(folder, 'inlay.d.ts');
    const generator = join(packagesFolder, 'node_modules/openapi-typescript/bin/cli.js');
    await run(process.execPath, [generator, `${at.url}/openapi.json`, '-o', types]);
    expect(readFileSync(types, 'utf8')).not.toMatch(/\| unknown|unknown \||@enum \{unknown\}/u);

    const compiler = join(root, 'node_modules/.bin/tsc');
    const faults = await run(compiler, ['-p', folder]).catch((error: unknown) => error);
    expect(faults).toEqual({ stdout: '', stderr: '' });
    const said = await run(process.execPath, [join(folder, 'hello.ts'), ...credential()]);
    expect(JSON.parse(said.stdout)).toEqual(hello);
  });
});
