import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { datasetIn, part, text } from '../support/world.ts';

const csvType = 'text/csv';
const linesType = 'application/x-ndjson';
const wide = (columns: number): string =>
  `${Array.from({ length: columns }, (_, index) => `c${index}`).join(',')}\n${Array.from({ length: columns }, () => 'x').join(',')}\n`;
const deep = (depth: number): string => `{"id":1,"tree":${'['.repeat(depth)}${']'.repeat(depth)}}\n`;

describe('odd files and rows', () => {
  const api = useApi('sqlite', {});

  const upload = async (type: string, content: string): Promise<{ status: number; body: Json }> => {
    const { key, token } = api.owner;
    const answer = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/data/file?header=true',
      headers: { 'content-type': type, authorization: `Bearer ${key}:${token}` },
      payload: Buffer.from(content),
    });
    return { status: answer.statusCode, body: JSON.parse(answer.body) };
  };
  const namesOf = async (dataset: Json): Promise<readonly string[]> =>
    (await api.find('column', { where: { securable_id: datasetIn(dataset).id } })).map((row) =>
      text(row, 'source_name'),
    );

  it.each([
    ['NUL in a name', csvType, 'a\0,b\n1,2\n', /format/u],
    ['more columns than are taken', csvType, wide(501), /501 columns, at most 500/u],
    ['more columns than there is room for', csvType, wide(5000), /columns/u],
  ])('are refused in words where a file has %s', async (_what, type, content, says) => {
    const { status, body } = await upload(type, content);
    expect([status, part(body, 'code')], JSON.stringify(body)).toEqual([400, 'rows_invalid']);
    expect(text(body, 'message')).toMatch(says);
    expect(readdirSync(join(api.service.dataDir, 'uploads'))).toEqual([]);
  });

  it('are refused by line where lists are nested beyond what a reader stands', async () => {
    const { status, body } = await upload(linesType, deep(200_000));
    expect([status, part(body, 'code')], JSON.stringify(body)).toEqual([400, 'rows_invalid']);
    expect(text(body, 'message')).toContain('line 1: it is nested too deeply');
    expect((await upload(csvType, 'a,b\n1,2\n')).status).toBe(200);
  });

  it('are stored where lists are nested deeply, as JSON', async () => {
    const { status, body } = await upload(linesType, deep(3000));
    expect(status, JSON.stringify(body)).toBe(200);
    expect((await namesOf(body)).toSorted()).toEqual(['id', 'tree']);
  });

  it('are stored with as many columns as are taken', async () => {
    const { status, body } = await upload(csvType, wide(500));
    expect(status, JSON.stringify(body)).toBe(200);
    expect(datasetIn(body)).toMatchObject({ rows: 1 });
  });

  it('are stored under names that mean something elsewhere', async () => {
    const { status, body } = await upload(
      linesType,
      '{"constructor":1,"toString":"x","a\\"; drop table rows; --":2}\n',
    );
    expect(status, JSON.stringify(body)).toBe(200);
    expect((await namesOf(body)).toSorted()).toEqual(['a"; drop table rows; --', 'constructor', 'toString']);
  });

  it.each([
    ['no rows', [], {}],
    ['rows without cells', [[], []], {}],
    ['more columns than are taken', [Array.from({ length: 501 }, () => 1)], {}],
  ] as const)('are refused as pushed rows with %s', async (_what, data, options) => {
    const properties: JsonObject = { type: 'create', data: data.map((row) => [...row]), options };
    const { status, body } = await api.call('data', { action: 'create', properties });
    expect([status, part(body, 'code')]).toEqual([400, 'rows_invalid']);
    expect(JSON.stringify(part(body, 'validation'))).toContain('properties.data');
  });
});
