import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { editorParts } from '../../packages/studio/src/editor/parts.ts';

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
  const file = join(import.meta.dirname, '../../docs/reference/custom-elements.json');
  const { modules }: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  const elements = modules.flatMap(({ declarations }) => declarations);
  expect(elements.map(({ tagName }) => tagName)).toEqual([
    'inlay-dashboard',
    'inlay-item',
    'inlay-editor',
    'inlay-grid',
    ...Object.keys(editorParts),
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
