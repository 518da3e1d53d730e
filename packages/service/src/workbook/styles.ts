import type { Archive } from './archive.ts';
import { WorkbookFault } from './fault.ts';
import { parseWhole } from './xml.ts';

/**
 * Ids of built-in date and time formats, which have no format code. Ids 27 to 36 and 50 to 58 are East Asian formats.
 */
const dateFormats = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/**
 * Matches parts of a format code that are not placeholders for the value: literals, colours and conditions, escaped
 * characters, and spacing.
 */
const decoration = /"[^"]*"|\[[^[\]]*\]|[\\_*]./gu;

const isDateFormat = (id: number, code: string | undefined): boolean =>
  code === undefined
    ? dateFormats.some(([firstId, lastId]) => id >= firstId && id <= lastId)
    : /[ymdhs]/iu.test(code.replaceAll(decoration, ''));

/** More styles than spreadsheet applications allow. */
const maxStyles = 100_000;
const longestCode = 1000;

/** Returns for each cell style whether it formats numbers as dates, by index of the style. Raises WorkbookFault. */
export async function datedStyles(archive: Archive, part: string): Promise<readonly boolean[]> {
  const styles: boolean[] = [];
  if (!archive.has(part)) return styles;
  const codes = new Map<number, string>();
  const at = { inside: false };
  await parseWhole(archive, part, {
    opened: (name, attributes) => {
      if (name === 'numFmt')
        codes.set(Number(attributes['numFmtId']), (attributes['formatCode'] ?? '').slice(0, longestCode));
      if (name === 'cellXfs') at.inside = true;
      if (name === 'xf' && at.inside) {
        const id = Number(attributes['numFmtId'] ?? 0);
        styles.push(isDateFormat(id, codes.get(id)));
      }
      if (Math.max(codes.size, styles.length) > maxStyles) throw new WorkbookFault('the workbook has too many styles');
    },
    closed: (name) => {
      if (name === 'cellXfs') at.inside = false;
    },
  });
  return styles;
}

const dayMs = 86_400_000;
/** Day number of 31 December 9999, the last date that spreadsheets support. */
const lastDay = 2_958_465;

/** Converts a spreadsheet day number to ISO 8601; null if it is out of range. A whole day has no time. */
export function dateOf(serial: number, since1904: boolean): string | null {
  // Day 60 of the 1900 date system is 29 February 1900, which did not exist.
  const days = since1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  if (days < 0 || days >= lastDay + 1) return null;
  const iso = new Date(Math.round((days - 25_569) * dayMs)).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 23);
}
