import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue, isProblemCode } from '../../packages/service/src/problems/catalogue.ts';
import { resources } from '../../packages/service/src/resources/index.ts';
import { settings, variableOf } from '../../packages/service/src/config/settings.ts';
import { recordsFile, recordTypes, referenceFolder, referencePages } from '../../scripts/write-reference.ts';

const pages = referencePages();
const source = join(import.meta.dirname, '../../packages/service/src');
const files = globSync('**/*.ts', { cwd: source })
  .filter((path) => !path.endsWith('.test.ts') && path !== join('problems', 'catalogue.ts'))
  .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }));

const page = (name: string): string => pages[name] ?? '';

describe('the reference', () => {
  it.each(Object.keys(pages))('has %s as the declarations give it; "npm run docs" writes it', (name) => {
    const file = join(referenceFolder, name);
    expect(existsSync(file), `${name} is missing`).toBe(true);
    expect(readFileSync(file, 'utf8') === page(name), `${name} is out of date: run "npm run docs"`).toBe(true);
  });

  it('has the types of records in the client; "npm run docs" writes them', async () => {
    expect(readFileSync(recordsFile, 'utf8') === (await recordTypes()), 'run "npm run docs"').toBe(true);
  });

  it.each(Object.entries(catalogue))('documents the error %s with its status', (code, { status, message }) => {
    expect(page('errors.md')).toContain(`| \`${code}\` | ${status} | ${message.replaceAll('|', String.raw`\|`)} |`);
  });

  it('documents only errors that the service can raise', () => {
    const raised = Object.keys(catalogue).filter((code) => files.some(({ text }) => text.includes(`'${code}'`)));
    expect(Object.keys(catalogue).filter((code) => !raised.includes(code))).toEqual([]);
  });

  it('documents every error that the service raises', () => {
    const raised = files.flatMap(({ path, text }) =>
      [...text.matchAll(/new Problem\(\s*'(\w+)'/gu)].map(([, code = '']) => ({ path, code })),
    );
    expect(raised.length).toBeGreaterThan(20);
    expect(raised.filter(({ code }) => !isProblemCode(code))).toEqual([]);
  });

  it.each(Object.keys(settings))('documents the setting %s', (name) => {
    expect(page('settings.md')).toContain(`| \`${variableOf(name)}\` |`);
  });

  it.each(resources.map((resource) => [resource.name, resource] as const))(
    'documents every part of %s',
    (name, resource) => {
      const text = page('resources.md');
      expect(text).toContain(`\n## ${name}\n`);
      const section = text.slice(text.indexOf(`\n## ${name}\n`));
      const seen = Object.entries(resource.fields).filter(([, { hidden }]) => hidden !== true);
      for (const [field] of seen) expect(section, `${name}.${field}`).toContain(`| \`${field}\` |`);
      for (const role of Object.keys(resource.associations ?? {})) expect(section, role).toContain(`| \`${role}\` |`);
      for (const { description: sentence } of resource.rules ?? []) expect(section).toContain(sentence);
    },
  );
});
