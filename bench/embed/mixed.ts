import { galleryCases } from '../../test/gallery/cases.ts';
import { sheetSvg } from '../../test/gallery/sheet.ts';
import { percentile } from '../../test/support/load.ts';
import { say, within } from '../measure.ts';

const count = 80;
const rounds = 5;

/** Draws items of all types, themes, languages and widths as SVG on the server, one by one and in turn. */
export async function measureMixed(): Promise<void> {
  const cases = galleryCases();
  // Evenly among all, since those of one type stand together.
  const mixed = Array.from({ length: count }, (_, index) => cases[Math.floor((index * cases.length) / count)]);
  const times: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const all: number[] = [];
    for (const one of mixed) {
      if (one === undefined) continue;
      const context = { theme: { id: one.theme }, locale: one.locale, columns: 1, widthPx: one.widthPx, heightPx: 260 };
      const startMs = performance.now();
      await sheetSvg([one.sample], context);
      all.push(performance.now() - startMs);
    }
    times.push(all);
  }
  const [first = [], ...later] = times;
  say(`\nA mixed set of ${count} items on the server, one SVG each`);
  within('p95, the first round of a new process', percentile(first, 95), 150, 'ms');
  within('p95, later rounds', percentile(later.flat(), 95), 150, 'ms');
}
