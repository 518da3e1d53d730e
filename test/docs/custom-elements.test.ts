import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface Manifest {
  readonly modules: readonly {
    readonly declarations: readonly {
      readonly tagName: string;
      readonly description: string;
      readonly attributes: readonly { readonly name: string; readonly fieldName: string }[];
      readonly members: readonly { readonly name: string; readonly description: string }[];
    }[];
  }[];
}

it('the manifest has every element, and each attribute with its property', () => {
  const textOf = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  const { modules }: Manifest = JSON.parse(textOf('docs/reference/custom-elements.json'));
  const parts = textOf('packages/studio/src/editor/parts.ts').matchAll(/^ {2}'(inlay-[\w-]+)': \{$/gmu);
  const elements = modules.flatMap(({ declarations }) => declarations);
  expect(elements.map(({ tagName }) => tagName)).toEqual([
    'inlay-dashboard',
    'inlay-item',
    'inlay-editor',
    'inlay-grid',
    ...[...parts].map(([, name]) => name),
  ]);
  for (const { tagName, description, attributes, members } of elements) {
    expect(description, tagName).not.toBe('');
    expect(members.length, tagName).toBeGreaterThan(5);
    for (const { name, fieldName } of attributes) {
      expect(name.replaceAll('-', ''), tagName).toBe(fieldName.toLowerCase());
      expect(members.map((member) => member.name)).toContain(fieldName);
    }
    for (const { name, description: says } of members) expect(says, `${tagName} ${name}`).not.toBe('');
  }
});
