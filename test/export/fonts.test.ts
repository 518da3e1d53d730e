import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fontFile } from '../support/font-file.ts';
import { contentsOf, inSlot, item, slot } from '../browser/sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from '../browser/world.ts';
import { textsOfPdf } from './pdf-texts.ts';

const family = 'DejaVu Sans Mono';
const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const fileOf = (name: string): string => readFileSync(join(folder, `${name}.ttf`)).toString('base64');

describe('the fonts of an organization', () => {
  let world: EmbedWorld;
  let dashboard: string;
  let token: Credential;

  const post = (resource: string, body: JsonObject, by: Credential): Promise<Response> =>
    fetch(`${world.service.url}/0.1.0/${resource}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${by.key}:${by.token}` },
      body: JSON.stringify(body),
    });
  const exported = async (properties: JsonObject, fontFamily = `"${family}", sans-serif`): Promise<Buffer> => {
    const theme = { type: 'custom', font: { fontFamily } };
    const answer = await post(
      'export',
      { action: 'create', properties: { dashboard_id: dashboard, theme, ...properties } },
      token,
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.status, bytes.toString('utf8', 0, 300)).toBe(200);
    return bytes;
  };
  const fontsOfPdf = (bytes: Buffer): readonly string[] =>
    [...bytes.toString('latin1').matchAll(/\/BaseFont \/[A-Z]*\+?([\w-]+)/gu)].map(([, name = '']) => name);
  const upload = async (properties: JsonObject): Promise<Response> =>
    post('font', { action: 'create', properties }, world.owner);

  beforeAll(async () => {
    world = await startEmbedWorld();
    const revenue = item(
      'Revenue',
      'bar-chart',
      [slot('y-axis', inSlot(world.dataset, 'product')), slot('measure', inSlot(world.dataset, 'revenue'))],
      [0, 0, 24, 16],
    );
    dashboard = await world.dashboard(contentsOf(world.dataset, [revenue]));
    token = await world.token([dashboard]);
    expect((await upload({ name: family, data: fileOf('DejaVuSansMono') })).status).toBe(200);
    expect((await upload({ name: family, weight: 'bold', data: fileOf('DejaVuSansMono-Bold') })).status).toBe(200);
  });
  afterAll(() => world.stop());

  it('are those of a PDF, whose texts can be found', async () => {
    const bytes = await exported({ type: 'pdf' });
    expect(new Set(fontsOfPdf(bytes))).toEqual(new Set(['DejaVuSansMono', 'DejaVuSansMono-Bold']));
    expect(textsOfPdf(bytes)).toContain('Revenue');
  });

  it('come along with an SVG, and are drawn in a PNG', async () => {
    expect((await exported({ type: 'svg' })).toString('utf8')).toContain(
      `@font-face{font-family:"${family}";font-weight:bold`,
    );
    const [own, bundled] = [await exported({ type: 'png' }), await exported({ type: 'png' }, 'sans-serif')];
    expect(own.equals(bundled)).toBe(false);
  });

  it('are left out where a theme names another family, or a text has a letter that they lack', async () => {
    expect(fontsOfPdf(await exported({ type: 'pdf' }, 'Georgia, serif'))).not.toContain('DejaVuSansMono');
    expect((await upload({ name: 'Hollow', data: fontFile('Hollow').toString('base64') })).status).toBe(200);
    const bytes = await exported({ type: 'pdf' }, 'Hollow');
    expect(fontsOfPdf(bytes).every((name) => name.startsWith('DejaVuSans'))).toBe(true);
    expect(textsOfPdf(bytes)).toContain('Revenue');
  });

  it.each([
    ['1 MB', 1_048_576, 200],
    ['more', 1_100_000, 400],
  ])('of %s: %i bytes are answered %i', async (_, bytes, status) => {
    const data = Buffer.concat([fontFile('Large'), Buffer.alloc(bytes)]).subarray(0, bytes);
    expect((await upload({ name: 'Large', data: data.toString('base64') })).status).toBe(status);
  });

  it.each([
    ['no font', { name: 'Brand', data: 'aGVsbG8=' }, 'properties.data', 'must be a TrueType or OpenType font'],
    ['no base64', { name: 'Brand', data: 'data:font/ttf;base64,AAAA' }, 'properties.data', 'must be base64'],
    [
      'another family',
      { name: 'Brand', data: fontFile('Other').toString('base64') },
      'properties.name',
      'must be "Other"',
    ],
    [
      'a licence that forbids it',
      { name: 'Brand', data: fontFile('Brand', { fsType: 2 }).toString('base64') },
      'properties.data',
      'licence forbids',
    ],
    [
      'a name that is no family',
      { name: 'B"<', data: fontFile('B').toString('base64') },
      'properties.name',
      'letters, digits',
    ],
  ])('are refused with %s', async (_, properties, place, says) => {
    const answer = await upload(properties);
    const body: unknown = await answer.json();
    expect([answer.status, body]).toEqual([
      400,
      expect.objectContaining({ validation: expect.objectContaining({ [place]: [expect.stringContaining(says)] }) }),
    ]);
  });
});
