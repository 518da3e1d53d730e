import { fileTypes, hostileFiles, type FileType } from '../../../test/support/hostile-files.ts';
import { workbookOf } from '../../../test/support/workbooks.ts';
import { bearer } from '../client.ts';
import { done, either, megabyte, refused, type LargestRequest, type Part } from './request.ts';

/** Files that are uploaded, hostile ones among them. */
export const files: Part = (stage, { part }) => {
  const sent = (name: string, type: FileType, body: Buffer | string, statuses: readonly number[]): LargestRequest => ({
    name,
    statuses,
    sent: {
      path: '/0.1.0/data/file?name=File&header=true',
      headers: { ...bearer(stage.owner), 'content-type': fileTypes[type] },
      body,
    },
  });
  const wide = Array.from({ length: 500 }, (_, index) => `c${index}`).join(',');
  const line = `${Array.from({ length: 500 }, (_, index) => index).join(',')}\n`;
  const cells = (at: number): string =>
    Array.from(
      { length: 10 },
      (_, index) => `<c r="${String.fromCharCode(65 + index)}${at}"><v>${at * index}</v></c>`,
    ).join('');
  const sheet = Array.from({ length: part(20_000) }, (_, at) => `<row r="${at + 1}">${cells(at + 1)}</row>`).join('');
  return [
    sent('CSV of 500 columns', 'csv', `${wide}\n${line.repeat(part(10_000))}`, done),
    sent('CSV of one long line', 'csv', `a\n${'x'.repeat(part(20 * megabyte))}\n`, either),
    sent('NDJSON', 'ndjson', '{"a":1,"b":"some text","c":[1,2,3]}\n'.repeat(part(500_000)), either),
    sent('XLSX of 20,000 × 10', 'xlsx', workbookOf(sheet), done),
    ...hostileFiles.map(({ name, type, make }) => sent(name, type, make(), refused)),
  ];
};
