import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { WorkbookFault } from '../../packages/service/src/rows/workbook-fault.ts';
import { sheetRows } from '../../packages/service/src/rows/workbook.ts';

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
    for await (const some of sheetRows(path, null)) rows.push(...some);
    expect(rows).toEqual([
      ['text', null, 'flag', 'time'],
      ['= not a formula', 1.5, true, '2024-02-29T13:30:00.000'],
      ['ünï', -2e-7, false],
    ]);
  });

  it('says which sheets it has where the one asked for is not there', async () => {
    await expect(sheetRows(path, 'Nowhere').next()).rejects.toThrow(WorkbookFault);
  });

  it('that is cut short is refused', async () => {
    const cut = join(folder, 'cut.xlsx');
    const whole = readFileSync(path);
    await writeFile(cut, whole.subarray(0, whole.length - 40));
    await expect(sheetRows(cut, null).next()).rejects.toThrow(WorkbookFault);
  });
});
