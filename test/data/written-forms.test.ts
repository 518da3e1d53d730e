import type { JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { versionPath, versionRows, type VersionRows } from '../support/version-rows.ts';
import { text } from '../support/world.ts';
import { ownRows, uploaded } from './own-rows.ts';

const csvType = 'text/csv';

describe('numbers and dates as people write them', () => {
  const api = useApi('sqlite', {});
  const upload = uploaded(api);
  const { push, refusal } = ownRows(api);

  const stored = async (
    content: string,
    query: Record<string, string> = {},
  ): Promise<VersionRows & { readonly id: string; readonly warnings: readonly JsonObject[] }> => {
    const { status, body, warnings } = await upload(
      new URLSearchParams(query).toString(),
      csvType,
      Buffer.from(content),
    );
    expect(status, JSON.stringify(body)).toBe(200);
    const id = text(body, 'id');
    return { ...(await versionRows(versionPath(api.service.dataDir, id))), id, warnings };
  };
  const column = (cells: readonly string[]): string => `v\n${cells.map((cell) => `"${cell}"`).join('\n')}\n`;

  it('are read as spreadsheets in German, French and Dutch export them', async () => {
    const content = 'Artikel;Preis;Datum\nA;1,5;31.01.2026\nB;1.234,56;01.02.2026\n';
    expect(await stored(content)).toMatchObject({
      names: ['Artikel', 'Preis', 'Datum'],
      types: ['VARCHAR', 'DOUBLE', 'DATE'],
      rows: [
        ['A', '1.5', '2026-01-31'],
        ['B', '1234.56', '2026-02-01'],
      ],
      warnings: [],
    });
    const declared = await stored(content, { columns: '{"Preis":"decimal"}' });
    expect(declared).toMatchObject({ types: ['VARCHAR', 'DECIMAL(18,2)', 'DATE'], warnings: [] });
  });

  it.each([
    ['a decimal comma', ['1,5', '-,25', '1e3', '12'], ['1.5', '-0.25', '1000.0', '12.0']],
    ['thousands with points and a decimal comma', ['1.234.567', '12,5'], ['1234567.0', '12.5']],
    ['thousands with commas and a decimal point', ['1,234.50', '7'], ['1234.5', '7.0']],
    ['thousands with spaces that do not break', ['1\u00A0234,5', '12\u202F345,75'], ['1234.5', '12345.75']],
    ['thousands with apostrophes', ["1'234.5", '1\u2019000'], ['1234.5', '1000.0']],
    ['one reading that groups all thousands', ['1,234', '1500'], ['1.234', '1500.0']],
    ['many digits', ['1.234.567.890.123,123456789'], ['1234567890123.123456789']],
  ])('such as numbers with %s', async (_form, cells, numbers) => {
    expect(await stored(column(cells))).toMatchObject({ rows: numbers.map((one) => [one]), warnings: [] });
  });

  it.each([
    ['dates with points', ['1.2.2026', '31.12.1999'], ['2026-02-01', '1999-12-31']],
    ['dates with the month first', ['1/31/2026', '02/01/2026'], ['2026-01-31', '2026-02-01']],
    ['dates with the day first', ['31-01-2026', '01-02-2026'], ['2026-01-31', '2026-02-01']],
    ['dates with the year first', ['2026/1/31'], ['2026-01-31']],
    [
      'dates and times',
      ['31.01.2026 9:05', '01.02.2026', '1.2.2026 23:59:58.5'],
      ['2026-01-31 09:05:00', '2026-02-01 00:00:00', '2026-02-01 23:59:58.5'],
    ],
  ])('such as %s', async (_form, cells, dates) => {
    expect(await stored(column(cells))).toMatchObject({ rows: dates.map((one) => [one]), warnings: [] });
  });

  it.each([
    ['a leading zero', ['0123,5', '1,5']],
    ['groups of other sizes', ['1.23.456', '1,5']],
    ['two forms of dates', ['31/01/2026', '01/31/2026']],
    ['a day that no month has', ['31.02.2026', '01.03.2026']],
    ['a word', ['1,5', 'none']],
    ['an empty text', ['1,5', '']],
    ['versions', ['1.2.3', '1.10.0']],
    ['pairs', ['1,2', '3, 4']],
    ['no decimal sign and groups of spaces', ['552 100 554', '20 115 200']],
    ['no decimal sign and groups of points', ['1.234.567', '12']],
    ['no decimal sign and groups of commas', ['1,234,567', '12']],
    ['no decimal sign and groups of apostrophes', ["1'234", "12'345"]],
    ['an IP address', ['10.100.200.100', '10.100.200.101']],
    ['a number that no type holds', ['1,5e3', '2,5e400']],
    ['more digits than a number has', [`1${'.234'.repeat(13)},5`, '1,5']],
  ])('but texts where there is %s among them', async (_what, cells) => {
    expect(await stored(column(cells))).toMatchObject({ rows: cells.map((one) => [one]), warnings: [] });
  });

  it.each([
    [
      'a point before three digits',
      ['1.234', '5'],
      ['1.234', '5.0'],
      /"1.234" .* is 1.234 with a decimal point or 1234 with a decimal comma.*as numbers with a decimal point.*options.decimal/u,
    ],
    [
      'a comma before three digits',
      ['1,234', '5'],
      ['1,234', '5'],
      /"1,234" .* is 1234 with a decimal point or 1.234 with a decimal comma.*as text.*options.decimal/u,
    ],
    [
      'days up to twelve',
      ['01/02/2026', '03/04/2026'],
      ['01/02/2026', '03/04/2026'],
      /"01\/02\/2026" .* dd\/MM\/yyyy or by MM\/dd\/yyyy.*as text.*options.date_pattern/u,
    ],
  ])('stay as they are with a warning that names both readings of %s', async (_what, cells, rows, says) => {
    const found = await stored(column(cells));
    expect(found.rows).toEqual(rows.map((one) => [one]));
    expect(found.warnings).toEqual([
      { path: 'columns.v', code: 'values_ambiguous', message: expect.stringMatching(says) },
    ]);
  });

  it('are read as others of the file are where they have two readings', async () => {
    expect(await stored('a;b;c;d\n1,5;1.234;31/01/2026;01/02/2026\n')).toMatchObject({
      rows: [['1.5', '1234', '2026-01-31', '2026-02-01']],
      warnings: [],
    });
    expect(await stored('a;b;c\n1,5;1.234.567;1 234,5\n')).toMatchObject({
      rows: [['1.5', '1234567', '1234.5']],
      warnings: [],
    });
    expect(await stored('a;b\n1 234,5;12 345\n')).toMatchObject({ rows: [['1234.5', '12345']], warnings: [] });
    expect(await stored('a;b\n1.5;1.234\n')).toMatchObject({ rows: [['1.5', '1.234']], warnings: [] });
  });

  it('are not found in identifiers because other columns of the file have a decimal sign', async () => {
    expect(await stored('price;siren;address\n1,5;552 100 554;10.100.200.100\n')).toMatchObject({
      rows: [['1.5', '552 100 554', '10.100.200.100']],
      warnings: [],
    });
    expect(await stored('price;phone\n1.5;20 115 200\n')).toMatchObject({
      rows: [['1.5', '20 115 200']],
      warnings: [],
    });
    expect(await stored('part;other\n1.234.567;1.234\n')).toMatchObject({
      rows: [['1.234.567', '1.234']],
      warnings: [{ path: 'columns.other', code: 'values_ambiguous' }],
    });
  });

  it('are found behind thousands of rows of whole numbers', async () => {
    const found = await stored(`v;w\n${'1;2\n'.repeat(30_000)}2,5;1.000\n`);
    expect(found.types).toEqual(['DOUBLE', 'BIGINT']);
    expect(found.rows.at(-1)).toEqual(['2.5', '1000']);
    expect(found.warnings).toEqual([]);
  });

  it.each([
    [{ decimal: ',' }, ['1.234', '5'], ['1234', '5']],
    [{ decimal: '.' }, ['1.234', '5'], ['1.234', '5.0']],
    [{ decimal: '.' }, ['1,234', '5'], ['1234', '5']],
    [{ thousands: '.' }, ['1.234', '5'], ['1234', '5']],
    [{ thousands: ' ' }, ['1 234', '12 345 678'], ['1234', '12345678']],
    [{ decimal: ',' }, ['1.234.567', '12'], ['1234567', '12']],
    [{ decimal: ',' }, ['10.100.200.100'], ['10.100.200.100']],
    [{ decimal: ',', columns: '{"v":"integer"}' }, ['1.234.567.890'], ['1234567890']],
    [{ thousands: "'", decimal: ',' }, ["1'234,5", '5,25'], ['1234.5', '5.25']],
    [{ thousands: "'" }, ["1'234,5", '5,25'], ['1234.5', '5.25']],
    [{ decimal: ',', thousands: ' ' }, ['1.234', '5'], ['1.234', '5.0']],
    [
      { date_pattern: 'dd/MM/yyyy' },
      ['01/02/2026', '03/04/2026 10:30'],
      ['2026-02-01 00:00:00', '2026-04-03 10:30:00'],
    ],
    [
      { date_pattern: 'M/d/yy H:mm' },
      ['1/2/26 9:30', '12/31/99 23:59'],
      ['2026-01-02 09:30:00', '1999-12-31 23:59:00'],
    ],
    [{ date_pattern: 'dd/MM/yyyy' }, ['2026-01-31'], ['2026-01-31']],
    [{ decimal: ',' }, ['a, b', '1,5'], ['a, b', '1,5']],
  ])('are read as options %j say', async (query, cells, rows) => {
    expect(await stored(column(cells), query)).toMatchObject({ rows: rows.map((one) => [one]), warnings: [] });
  });

  it('join columns that have their type', async () => {
    const { id } = await stored('n;price;day\na;1.5;2026-01-31\n');
    const more = 'n;price;day\nb;2,25;01.02.2026\nc;1.000,5;28.02.2026\n';
    expect(await stored(more, { type: 'append', securable_id: id })).toMatchObject({
      rows: [
        ['a', '1.5', '2026-01-31'],
        ['b', '2.25', '2026-02-01'],
        ['c', '1000.5', '2026-02-28'],
      ],
    });
    const query = new URLSearchParams({ type: 'append', securable_id: id, decimal: ',' }).toString();
    const { status, body } = await upload(
      query,
      csvType,
      Buffer.from('n;price;day\nd;1,5;2026-01-01\ne;x;2026-01-01\n'),
    );
    expect([status, text(body, 'message')]).toEqual([
      400,
      expect.stringContaining('row 2, column price: not a number'),
    ]);
    const nulled = await upload(
      `${query}&on_invalid=null`,
      csvType,
      Buffer.from('n;price;day\nd;1,5;2026-01-01\ne;x;2026-01-01\n'),
    );
    expect(nulled.warnings.map((one) => text(one, 'code'))).toEqual(['values_invalid']);
    expect((await versionRows(versionPath(api.service.dataDir, id))).rows.slice(-2)).toEqual([
      ['d', '1.5', '2026-01-01'],
      ['e', null, '2026-01-01'],
    ]);
  });

  it('never are IP addresses that join a column of numbers', async () => {
    const { id } = await stored('v\n1\n');
    const query = new URLSearchParams({ type: 'append', securable_id: id }).toString();
    const { status, body } = await upload(query, csvType, Buffer.from('v\n10.100.200.100\n'));
    expect([status, text(body, 'message')]).toEqual([400, expect.stringContaining('row 1, column v: not a number')]);
  });

  it('are texts in pushed rows, unless the options say how they are written', async () => {
    const data = [
      ['v', 'w', 'n'],
      ['1,5', '31.01.2026', 1.5],
    ];
    const rowsOf = async (options: JsonObject): Promise<unknown> => {
      const id = text(await push({ type: 'create', data, options: { header: true, ...options } }), 'id');
      return (await versionRows(versionPath(api.service.dataDir, id))).rows;
    };
    expect(await rowsOf({})).toEqual([['1,5', '31.01.2026', '1.5']]);
    expect(await rowsOf({ decimal: ',', date_pattern: 'd.M.yyyy' })).toEqual([['1.5', '2026-01-31', '1.5']]);
  });

  it.each([
    [{ decimal: ';' }, 'options.decimal'],
    [{ thousands: 'x' }, 'options.thousands'],
    [{ decimal: ',', thousands: ',' }, 'options.thousands'],
    [{ date_pattern: 'dd/dd/yyyy' }, 'options.date_pattern'],
    [{ date_pattern: "dd.MM.yyyy') or 1" }, 'options.date_pattern'],
    [{ date_pattern: 'HH:mm dd.MM.yyyy' }, 'options.date_pattern'],
  ])('are refused where the options %j mean nothing', async (options, member) => {
    const { status, validation } = await refusal({ type: 'create', data: [['a']], options });
    expect([status, Object.keys(validation ?? {})]).toEqual([400, [`properties.${member}`]]);
  });
});
