import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sheetRows } from '../../packages/service/src/workbook/read-sheet.ts';
import type { SheetRow } from '../../packages/service/src/workbook/fault.ts';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { versionPath, versionRows, type VersionRows } from '../support/version-rows.ts';
import { roomy, workbookOf, zipOf } from '../support/workbooks.ts';
import { part, text } from '../support/world.ts';
import { uploaded } from './own-rows.ts';

const csvType = 'text/csv';

describe.each(storesToTest)('a file is stored whole or refused, on %s', (store) => {
  const api = useApi(store, {});
  const upload = uploaded(api);

  const stored = async (content: string | Buffer, query = '', type = csvType): Promise<VersionRows> => {
    const { status, body } = await upload(query, type, Buffer.from(content));
    expect(status, JSON.stringify(body)).toBe(200);
    const found = await versionRows(versionPath(api.service.dataDir, text(body, 'id')));
    expect(body).toMatchObject({ rows: found.rows.length });
    return found;
  };
  const refused = async (content: string | Buffer, query = '', type = csvType): Promise<string> => {
    const { status, body } = await upload(query, type, Buffer.from(content));
    expect(status, JSON.stringify(body)).toBe(400);
    return text(body, 'message');
  };

  it.each([
    ['in its first cell', 'name,v\nAda,1\n"Bob,2\nCy,3', 'line 3, column 1: a quote is opened here and never closed'],
    ['in a later cell', 'id,note\n1,"ok"\n2,"fine"\n3,"cut of', 'line 4, column 3: '],
    ['behind characters of several bytes', '\uFEFFä,b\r\nöü,"x', 'line 2, column 4: '],
    ['in its header', 'a,"b\n1,2\n', 'line 1, column 3: '],
    ['behind a text of several lines', 'a,b\r\n"x\r\ny",1\r\n"z', 'line 4, column 1: '],
    ['behind many rows', `a,b\n${'1,"x"\n'.repeat(300_000)}2,"x\n`, 'line 300002, column 3: '],
  ])('where a quote is never closed %s', async (_where, content, says) => {
    expect(await refused(content)).toContain(says);
  });

  it.each(['append', 'replace', 'upsert'])('and a cut file leaves the rows as they are on %s', async (mode) => {
    const { body } = await upload('', csvType, Buffer.from('name,v\nAda,1\nBob,2\n'));
    const id = text(body, 'id');
    const key = mode === 'upsert' ? '&key=name' : '';
    expect(await refused('name,v\nAda,9\n"Bob,2\nCy,3', `type=${mode}&securable_id=${id}${key}`)).toContain('line 3');
    const { rows } = await versionRows(versionPath(api.service.dataDir, id));
    expect(rows).toEqual([
      ['Ada', '1'],
      ['Bob', '2'],
    ]);
  });

  it('with long cells, quoted or not', async () => {
    for (const quote of ['', '"']) {
      const cell = (at: number): string => `${quote}${'a'.repeat(9000)}${at}${quote}`;
      const lines = Array.from({ length: 600 }, (_, at) => `${at},${cell(at)}`);
      const { rows } = await stored(`n,word\n${lines.join('\n')}\n`);
      expect(rows).toHaveLength(600);
      expect(rows.at(-1)?.[1]).toBe(`${'a'.repeat(9000)}599`);
    }
  });

  it('where something follows a closing quote', async () => {
    expect(await refused('a,b\n1,"x"y\n')).toContain('line 2, column 5: after this closing quote');
  });

  it.each([
    ['a line feed in a header and CRLF elsewhere', 'Date,"Ben\nNorth",Tom\r\n10/1,F,T\r\n10/2,T,F\r\n', 2],
    ['CRLF in a header and line feeds elsewhere', 'a,"b\r\nc"\n1,"x\r\ny"\n2,z\n', 2],
    ['a carriage return in a header and CRLF elsewhere', 'a,"b\rc"\r\n1,2\r\n', 1],
    ['line feeds in quotes and carriage returns elsewhere', 'a,"b\nc"\r1,"\n"\r2,3\r', 2],
    ['CRLF in quotes and a last line without an end', 'a,b\n"1\r\n",2\n3,4', 2],
  ])('with %s', async (_what, content, count) => {
    expect((await stored(content, 'header=true')).rows).toHaveLength(count);
  });
});

describe('a CSV file is read however it is written', () => {
  const api = useApi('sqlite', {});
  const upload = uploaded(api);

  const stored = async (
    bytes: Buffer | string,
    query = '',
    type = csvType,
  ): Promise<VersionRows & { readonly warnings: readonly string[] }> => {
    const { status, body, warnings } = await upload(query, type, Buffer.from(bytes));
    expect(status, JSON.stringify(body)).toBe(200);
    const found = await versionRows(versionPath(api.service.dataDir, text(body, 'id')));
    expect(readdirSync(api.service.dataDir, { recursive: true, encoding: 'utf8' }).join()).not.toMatch(/utf8|csv/u);
    return { ...found, warnings: warnings.map((one) => text(one, 'code')) };
  };
  const refused = async (bytes: Buffer | string, query = '', type = csvType): Promise<string> => {
    const { status, body } = await upload(query, type, Buffer.from(bytes));
    expect([status, part(body, 'code')], JSON.stringify(body)).toEqual([400, 'rows_invalid']);
    return text(body, 'message');
  };
  const utf16 = (content: string, isBig = false): Buffer => {
    const bytes = Buffer.from(`\uFEFF${content}`, 'utf16le');
    return isBig ? bytes.swap16() : bytes;
  };

  it.each([
    [
      'lines that end in several ways',
      'a,b\n1,x\r\n2,"y\r\nz"\r3,w\n',
      [
        ['1', 'x'],
        ['2', 'y\r\nz'],
        ['3', 'w'],
      ],
    ],
    [
      'spaces around quotes',
      'a,b\n"p" ,1\n  " q ",2\nr , 3\n',
      [
        ['p ', '1'],
        [' q ', '2'],
        ['r ', ' 3'],
      ],
    ],
    [
      'quotes within cells',
      'a,b\n"p" ,5" x\n"q""",""\n',
      [
        ['p ', '5" x'],
        ['q"', ''],
      ],
    ],
    [
      'blank lines',
      '\n\na,b\r\n\r\n"p" ,1\n\nq,2\n\n',
      [
        ['p ', '1'],
        ['q', '2'],
      ],
    ],
    ['one column', 'a\n"p" \n\n""\nq\r\n\n', [['p '], [null], [''], ['q']]],
    [
      'a mark before a quoted header of two lines',
      '\uFEFF"a\nx",b\r\n1,2\r\n3,4\r\n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['a line that names the delimiter', 'sep=;\na;b\n1;x,y\n', [['1', 'x,y']]],
    ['a delimiter that is named alone', '\uFEFFSEP=^\r\na^b\r\n1^"x\r\ny"\r\n', [['1', 'x\r\ny']]],
  ])('with %s', async (_what, content, rows) => {
    expect((await stored(content, 'header=true')).rows).toEqual(rows);
  });

  it('with the line of a fault counted from its first', async () => {
    expect(await refused('sep=;\r\na;b\r\n1;"x\r\n')).toContain('line 3, column 3');
  });

  it.each([
    ['years', 'country,2019,2020,2021\nBE,1,2,3\nFR,4,5,6\n', ['country', '2019', '2020', '2021']],
    ['dates', 'country;01.01.2026;01.02.2026\nBE;1,5;2\n', ['country', '01.01.2026', '01.02.2026']],
    ['years that fall', 'country,code,2021,2020\nBE,b,1,2.5\n', ['country', 'code', '2021', '2020']],
  ])('with a header of %s', async (_what, content, names) => {
    expect(await stored(content)).toMatchObject({ names, warnings: [] });
  });

  it.each([
    ['texts and numbers', 'BE,1\nFR,x\n'],
    ['texts and numbers with a decimal comma', 'BE;1,5\nFR;x\n'],
    ['a span of years', 'one,2018,2019\ntwo,2019,2020\n'],
    ['years alone', '2019,2020\n1,2\n'],
  ])('with a warning where its first row of %s may be a header', async (_what, content) => {
    expect(await stored(content)).toMatchObject({ warnings: ['header_not_found'] });
    for (const query of ['header=true', 'header=false'])
      expect(await stored(content, query)).toMatchObject({ warnings: [] });
  });

  it.each(['1,2\n3,4\n', 'a,b\n1,2\n'])('without a warning where there is no doubt, as in %j', async (content) => {
    expect(await stored(content)).toMatchObject({ warnings: [] });
  });

  const rows = [['é€', '1']];
  const western = Buffer.from('a,b\n\xe9\x80,1\n', 'latin1');

  it.each([
    ['UTF-16 with a mark', utf16('a,b\r\né€,1\r\n'), csvType, []],
    ['UTF-16 the other way round', utf16('a\tb\né€\t1\n', true), csvType, []],
    ['UTF-16 that is announced', utf16('a,b\né€,1\n').subarray(2), `${csvType}; charset="UTF-16LE"`, []],
    ['Windows-1252 that is announced', western, `${csvType};charset=Windows-1252`, []],
    ['Windows-1252 by its other name', western, `${csvType}; header=present; charset=ISO-8859-1`, []],
    ['Windows-1252 that nobody announced', western, csvType, ['encoding_detected']],
    ['UTF-8 that is announced', Buffer.from('a,b\né€,1\n'), `${csvType}; charset=utf-8`, []],
    ['UTF-8 with a mark', Buffer.from('\uFEFFa,b\né€,1\n'), csvType, []],
  ])('in %s', async (_encoding, bytes, type, warnings) => {
    expect(await stored(bytes, '', type)).toMatchObject({ names: ['a', 'b'], rows, warnings });
  });

  it('in UTF-16 as NDJSON, too', async () => {
    expect(await stored(utf16('{"a":"é€","b":1}\n'), '', 'application/x-ndjson')).toMatchObject({ rows });
  });

  it.each([
    ['cut within a character of UTF-8', Buffer.from('a,b\né,1\n2,é').subarray(0, -1), csvType, /line 3: .*cut off/u],
    ['not all UTF-8', Buffer.from('a,b\né,1\nx\xe9y,2\n', 'latin1'), `${csvType}; charset=utf-8`, /not UTF-8/u],
    [
      'UTF-8 but for a byte',
      Buffer.concat([Buffer.from('a,b\né,1\n'), western]),
      csvType,
      /line 4: not UTF-8.*windows-1252/u,
    ],
    ['UTF-16 without a mark', utf16('a,b\n1,2\n').subarray(2), csvType, /charset=utf-16le/u],
    ['UTF-16 that is cut', utf16('a,b\n1,2\n').subarray(0, -1), csvType, /utf-16le.*cut off/u],
  ])('or refused where it is %s', async (_what, bytes, type, says) => {
    expect(await refused(bytes, '', type)).toMatch(says);
  });

  it('or refused where its charset is unknown', async () => {
    const { status, body } = await upload('', `${csvType}; charset=x-unknown`, western);
    expect([status, part(body, 'code')]).toEqual([415, 'media_type_unsupported']);
    expect(text(body, 'message')).toContain('charset');
  });
});

describe('a workbook is read as spreadsheets show it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-books-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = async (bytes: Buffer): Promise<readonly SheetRow[]> => {
    const path = join(folder, 'book.xlsx');
    writeFileSync(path, bytes);
    const rows: SheetRow[] = [];
    for await (const some of sheetRows(path, null, roomy)) rows.push(...some);
    return rows;
  };
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const dated = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';
  const sheets = '<sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets>';
  const bookOf = (properties: string, more = ''): string =>
    `<workbook xmlns="${main}" xmlns:r="${office}">${properties}${sheets}${more}</workbook>`;
  /** As Excel 2016 and R write it: the extension has an element of the same name. */
  const extension =
    '<extLst><ext uri="{79F54976-1DA5-4618-B147-4CDE4B953A38}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:workbookPr defaultImageDpi="32767"/></ext></extLst>';
  const dates = '<row r="1"><c r="A1" s="1"><v>41331</v></c><c r="B1" s="1"><v>0.5</v></c></row>';

  it.each([
    ['1904 by Excel', bookOf('<workbookPr date1904="1"/>', extension), '2017-02-27'],
    ['1904 by openpyxl', bookOf('<workbookPr date1904="1" />'), '2017-02-27'],
    ['1904 in words', bookOf('<workbookPr date1904="true"/>', extension), '2017-02-27'],
    ['1900 by Excel', bookOf('<workbookPr defaultThemeVersion="124226"/>', extension), '2013-02-26'],
    ['1900 in words', bookOf('<workbookPr date1904="false"/>'), '2013-02-26'],
    ['1900 without properties', bookOf('', extension), '2013-02-26'],
  ])('with dates that count from %s', async (_calendar, workbook, date) => {
    const [row] = await read(workbookOf(dates, null, { 'xl/workbook.xml': workbook, 'xl/styles.xml': dated }));
    expect(row?.[0]).toBe(date);
  });

  it('with a chart sheet before the first sheet of cells', async () => {
    const bytes = workbookOf('<row r="1"><c r="A1"><v>7</v></c></row>', null, {
      'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Chart" sheetId="2" r:id="r2"/><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${office}/worksheet" Target="/xl/worksheets/sheet1.xml"/><Relationship Id="r2" Type="${office}/chartsheet" Target="chartsheets/sheet1.xml"/></Relationships>`,
      'xl/chartsheets/sheet1.xml': '<chartsheet/>',
    });
    expect(await read(bytes)).toEqual([[7]]);
  });

  it('with prefixes, other names of parts, and the namespaces of the strict form', async () => {
    const strict = 'http://purl.oclc.org/ooxml';
    const to = `${strict}/officeDocument/relationships`;
    const bytes = zipOf({
      '_rels/.rels': `<p:Relationships xmlns:p="urn:p"><p:Relationship Id="a" Type="${to}/officeDocument" Target="book/main.xml"/></p:Relationships>`,
      'book/main.xml': `<x:workbook xmlns:x="${strict}/spreadsheetml/main" xmlns:d3p1="${to}"><x:workbookPr date1904="1"/><x:sheets><x:sheet name="One" sheetId="1" d3p1:id="b"/></x:sheets></x:workbook>`,
      'book/_rels/main.xml.rels': `<Relationships><Relationship Id="b" Type="${to}/worksheet" Target="../one.xml"/><Relationship Id="c" Type="${to}/sharedStrings" Target="words.xml"/></Relationships>`,
      'one.xml': `<x:worksheet xmlns:x="${strict}/spreadsheetml/main" xmlns:y="urn:y"><x:sheetData><x:row r="1"><y:c><y:v>9</y:v></y:c><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1" t="d"><x:v>2026-01-31</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
      'book/words.xml': `<x:sst xmlns:x="${strict}/spreadsheetml/main"><x:si><x:t>word</x:t></x:si></x:sst>`,
    });
    expect(await read(bytes)).toEqual([['word', '2026-01-31']]);
  });

  it('with characters that XML has by their numbers alone', async () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>a_x005F_b</t></is></c><c r="C1" t="str"><v>_x0041_</v></c></row>';
    expect(await read(workbookOf(rows, '<si><t>one_x000D_two_x005F_x000D__x0000__xD83D__xDE00_</t></si>'))).toEqual([
      ['one\rtwo_x000D__x0000_😀', 'a_b', 'A'],
    ]);
  });

  it('with rows of errors alone, and without the pronunciation of texts', async () => {
    const rows =
      '<row r="1"><c r="A1" t="e"><v>#N/A</v></c></row><row r="2"><c r="A2"/></row><row r="3"><c r="A3" t="inlineStr"><is><t>東京</t><rPh><t>とうきょう</t></rPh></is></c></row>';
    expect(await read(workbookOf(rows))).toEqual([[], ['東京']]);
  });

  it.each([
    ['refers to a text that is not there', '<c r="A1" t="s"><v>3</v></c>', 'row 1, column A: it refers to a text'],
    ['has no place', '<c r="1"><v>3</v></c>', 'row 1, column A: the cell has no place'],
  ])('or refused where a cell %s', async (_what, cell, says) => {
    await expect(read(workbookOf(`<row r="1">${cell}</row>`, '<si><t>a</t></si>'))).rejects.toThrow(says);
  });
});
