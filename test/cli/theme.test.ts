import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { Resvg } from '@resvg/resvg-js';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { themeFaults } from '../../packages/service/src/theming/measure.ts';
import { inlay } from '../support/command.ts';

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'inlay-theme-'));
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="12" height="20" fill="#0a7d5a"/></svg>';

const read = (text: string): JsonObject => {
  const made: Json = JSON.parse(text);
  return isObject(made) ? made : {};
};
const part = (of: JsonObject, name: string): JsonObject => {
  const value = of[name] ?? null;
  return isObject(value) ? value : {};
};

describe('inlay theme from', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['a colour', '#e4002b', '#e4002b'],
    ['an SVG', file('logo.svg', logo), '#0a7d5a'],
    ['a PNG', file('logo.png', new Resvg(logo).render().asPng()), '#088058'],
  ])('prints a whole theme that keeps to what is measured of themes, from %s', async (_what, given, color) => {
    const { code, out, err } = await inlay(['theme', 'from', given], {});
    expect([code, err]).toEqual([0, '']);
    const made = read(out);
    expect(Object.keys(made)).toEqual(['color', 'light', 'dark']);
    expect(made['color']).toBe(color);
    for (const form of ['light', 'dark']) expect(themeFaults(part(made, form))).toEqual([]);
  });

  it.each([
    [[], 2, 'COLOUR or FILE is missing'],
    [['#12'], 2, '"#12" is neither a colour nor a file; give a colour such as "#1d4e89", or a PNG or SVG file'],
    [['#1d4e8980'], 2, '"#1d4e8980" lets through what is behind it'],
    [[join(folder, 'none.png')], 2, 'is neither a colour nor a file'],
    [['#fff', '#000'], 2, '"#000" is an unexpected argument'],
    [[file('logo.jpg', new Uint8Array([0xff, 0xd8, 0xff]))], 1, 'is neither PNG nor SVG'],
    [[folder], 1, 'EISDIR'],
  ])('says what is wrong with %j and ends with %d', async (args, code, message) => {
    const end = await inlay(['theme', 'from', ...args], {});
    expect(end).toMatchObject({ code, out: '' });
    expect(end.err).toContain(message);
  });

  it('prints what the guide shows', async () => {
    const guide = readFileSync(new URL('../../docs/guides/theming.md', import.meta.url), 'utf8');
    const [, color = '', shown = '{}'] =
      /npx inlay theme from '([^']+)'\n```[^`]+```json\n([^`]+)```/u.exec(guide) ?? [];
    expect(color).not.toBe('');
    const { out } = await inlay(['theme', 'from', color], {});
    expect(read(out)).toMatchObject(read(shown));
  });
});
