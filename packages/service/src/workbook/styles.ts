import type { Archive } from './archive.ts';
import { WorkbookFault } from './fault.ts';
import { parseWhole } from './xml.ts';

/** Formats of dates and times that have no code; those of East Asia come second and last. */
const dateFormats = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/** What of a format code is no part of the value: texts, colours and conditions, single characters, and the width of one. */
const decoration = /"[^"]*"|\[[^[\]]*\]|[\\_*]./gu;

const isDateFormat = (id: number, code: string | undefined): boolean =>
  code === undefined
    ? dateFormats.some(([first, last]) => id >= first && id <= last)
    : /[ymdhs]/iu.test(code.replaceAll(decoration, ''));

/** As many as spreadsheets themselves allow, and more. */
const mostStyles = 100_000;
const longestCode = 1000;

/** For each cell style, whether it shows a number as a date. Raises WorkbookFault. */
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
      if (Math.max(codes.size, styles.length) > mostStyles) throw new WorkbookFault('the workbook has too many styles');
    },
    closed: (name) => {
      if (name === 'cellXfs') at.inside = false;
    },
  });
  return styles;
}

const dayMs = 86_400_000;
/** The 31st of December 9999, the last day of spreadsheets. */
const lastDay = 2_958_465;

/** A day number of a spreadsheet as ISO 8601, a date where it has no time of day; null for one that is none. */
export function dateOf(serial: number, since1904: boolean): string | null {
  // Day 60 of the older system is the 29th of February 1900, which never was.
  const days = since1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  if (days < 0 || days >= lastDay + 1) return null;
  const iso = new Date(Math.round((days - 25_569) * dayMs)).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 23);
}
