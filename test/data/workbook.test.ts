import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { WorkbookFault } from '../../packages/service/src/workbook/fault.ts';
import { sheetRows } from '../../packages/service/src/workbook/read-sheet.ts';
import { RowCounter } from '../../packages/service/src/workbook/row-count.ts';
import { roomy, workbookOf } from '../support/workbooks.ts';

describe('a workbook', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-workbook-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'book.xlsx');
  beforeAll(async () => {
    const sheet: SheetData = [
      ['text', null, 'flag', 'time'],
      [
        '= not a formula',
        1.5,
        true,
        { value: new Date('2024-02-29T13:30:00Z'), type: Date, format: 'yyyy-mm-dd hh:mm' },
      ],
      [null, null, null, null],
      ['ünï', -2e-7, false, null],
    ];
    await writeXlsxFile(sheet).toFile(path);
  });

  it('is read row by row, with dates as dates', async () => {
    const rows = [];
    for await (const some of sheetRows(path, null, roomy)) rows.push(...some);
    expect(rows).toEqual([
      ['text', null, 'flag', 'time'],
      ['= not a formula', 1.5, true, '2024-02-29T13:30:00.000'],
      ['ünï', -2e-7, false],
    ]);
  });

  it('says which sheets it has where the one asked for is not there', async () => {
    await expect(sheetRows(path, 'Nowhere', roomy).next()).rejects.toThrow(WorkbookFault);
  });

  it('that is cut short is refused', async () => {
    const cut = join(folder, 'cut.xlsx');
    const whole = readFileSync(path);
    await writeFile(cut, whole.subarray(0, whole.length - 40));
    await expect(sheetRows(cut, null, roomy).next()).rejects.toThrow(WorkbookFault);
  });

  const cell = (place: string, value: string, type = 'n'): string => `<c r="${place}" t="${type}"><v>${value}</v></c>`;
  const row = (number: number, cells: string): string => `<row r="${number}">${cells}</row>`;
  const text = (of: string): string => `<si><t>${of}</t></si>`;
  const long = 'x'.repeat(32_768);

  /** Workbooks that are small as files and large as sheets, or that no spreadsheet makes, and what is said of each. */
  const hostile: Readonly<Record<string, readonly [Buffer, string]>> = {
    'a value past the last column': [
      workbookOf(row(1, cell('A1', '1')) + row(3, cell('A3', '1') + cell('XFD3', '2'))),
      'row 3, column XFD: a value past column SF; at most 500 columns are taken',
    ],
    'a value in a column that no spreadsheet has': [workbookOf(row(1, cell('ZZZZZ1', '1'))), 'row 1, column ZZZZZ'],
    'values without a place past the last column': [
      workbookOf(`<row>${'<c><v>1</v></c>'.repeat(501)}</row>`),
      'row 1, column SG',
    ],
    'texts that take more than there is for them': [
      workbookOf('', text('abcdefghijklmnop').repeat(500_000)),
      'its texts take more',
    ],
    'empty texts without end': [workbookOf('', '<si/>'.repeat(1_300_000)), 'its texts take more'],
    'a shared text that is too long': [workbookOf('', text(long)), 'a text of more than 32767 characters'],
    'a cell that is too long': [workbookOf(row(7, cell('B7', long, 'str'))), 'row 7, column B: more than 32767'],
    'one long text in every cell': [
      workbookOf(row(1, '<c t="s"><v>0</v></c>'.repeat(400)), text(long.slice(1))),
      'too large for the size of its file',
    ],
    'a part that unpacks to hundreds of times its size': [
      workbookOf(' '.repeat(20_000_000)),
      'unpacks to more than this service reads',
    ],
    'a tag without end': [workbookOf(`<row ${'a="1" '.repeat(500_000)}`), 'a piece that is too large'],
    'a comment without end': [workbookOf(`<!-- ${'ab '.repeat(1_000_000)}`), 'a piece that is too large'],
    'tags in tags': [workbookOf('<a>'.repeat(10_000)), 'nested too deeply'],
    'an entity that stands for more': [
      workbookOf('', '<!DOCTYPE a [<!ENTITY b "cccc">]><si><t>&b;</t></si>'),
      'is not XML',
    ],
    'thousands of parts': [
      workbookOf('', null, Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`p${at}`, '']))),
      'too many parts',
    ],
  };

  it.each(Object.entries(hostile))('with %s is refused in a moment', async (name, [bytes, says]) => {
    const file = join(folder, `${Object.keys(hostile).indexOf(name)}.xlsx`);
    await writeFile(file, bytes);
    const all = async (): Promise<number> => {
      let count = 0;
      for await (const some of sheetRows(file, null, roomy)) count += some.length;
      return count;
    };
    await expect(all()).rejects.toThrow(WorkbookFault);
    await expect(all()).rejects.toThrow(says);
  });

  it('may have styles without values in any column, and rows in any place', async () => {
    const file = join(folder, 'styled.xlsx');
    await writeFile(file, workbookOf('<row r="9"><c r="B9"><v>5</v></c><c r="XFD9" s="1"/></row>'));
    const rows = [];
    for await (const some of sheetRows(file, null, roomy)) rows.push(...some);
    expect(rows).toEqual([[null, 5]]);
  });

  const inline = (value: string): string => `<c t="inlineStr"><is>${value}</is></c>`;

  it.each<readonly [string, string, readonly unknown[], string | null]>([
    ['CDATA as a value', '<row><c t="str"><v><![CDATA[x]]></v></c></row>', [['x']], null],
    ['CDATA as a number', '<row><c><v><![CDATA[5]]></v></c></row>', [[5]], null],
    ['CDATA without text', '<row><c><v><![CDATA[]]></v></c></row>', [], null],
    ['CDATA between texts', `<row>${inline('<t>a <![CDATA[<row>]]]> b</t>')}</row>`, [['a <row>] b']], null],
    [
      'CDATA in a shared text',
      '<row><c t="s"><v>0</v></c></row>',
      [['hello world']],
      '<si><t>hello <![CDATA[world]]></t></si>',
    ],
    ['a comment with tags', '<!-- <row><c><v>1</v></c></row> --><row><c><v>2</v></c></row>', [[2]], null],
    ['a comment in a row', '<row><c><v>2</v></c><!-- ></row><row> --></row>', [[2]], null],
    ['a comment in a value', '<row><c><v><!--<v>-->2</v></c></row>', [[2]], null],
    ['an instruction with tags', '<?a <row><v>1</v></row> ?><row><c><v>2</v></c></row>', [[2]], null],
    ['a blank for a number', '<row><c><v> </v></c><c><v>2</v></c></row>', [[null, 2]], null],
    ['a blank for true or false', '<row><c t="b"><v> </v></c><c><v>2</v></c></row>', [[null, 2]], null],
    ['a blank for a shared text', '<row><c t="s"><v> </v></c><c><v>2</v></c></row>', [[null, 2]], '<si><t>a</t></si>'],
    ['blanks alone', '<row><c><v> </v></c></row>', [[]], null],
    ['a blank text', '<row><c t="str"><v> </v></c></row>', [[' ']], null],
  ])('with %s has the rows that are counted', async (name, sheet, expected, texts) => {
    const file = join(folder, `${name}.xlsx`);
    await writeFile(file, workbookOf(sheet, texts));
    const counter = new RowCounter();
    const rows = [];
    for await (const some of sheetRows(file, null, roomy, (bytes) => counter.take(bytes))) rows.push(...some);
    expect(rows).toEqual(expected);
    expect(counter.rows).toBe(expected.length);
  });
});
