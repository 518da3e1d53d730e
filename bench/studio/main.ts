// npm run bench:studio: how long a dashboard of 20 items takes to open for editing, beside the same one in the viewer, and the
// time that script, style and layout take for each frame of a drag.
import { listOr, objectOr, textOr, type JsonObject } from '@inlay/contract';
import { endBrowser, openDashboard, rendered, startBrowser } from '../../test/browser/page.ts';
import type { SalesDataset } from '../../test/browser/sales.ts';
import { startEmbedWorld } from '../../test/browser/world.ts';
import { EditorPage, fiveItems } from '../../test/studio/editor-page.ts';
import { median, say, within } from '../measure.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const frames = 120;

/** Four times the items of the tests, below each other. */
function twentyItems(dataset: SalesDataset): JsonObject {
  const contents = fiveItems(dataset);
  const views = listOr(contents['views']).map((view, index) => {
    const items = listOr(objectOr(view)['items']).map(objectOr);
    const copies = [0, 1, 2, 3].flatMap((copy) =>
      items.map((item) => {
        const position = objectOr(item['position']);
        return {
          ...item,
          id: `${textOr(item['id'], '')}-${copy}`,
          position: { ...position, row: Number(position['row']) + copy * 30 },
        };
      }),
    );
    return index === 0 ? { ...objectOr(view), items: copies } : view;
  });
  return { ...contents, views };
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const world = await startEmbedWorld();
const browser = await startBrowser();
const id = await world.dashboard(twentyItems(world.dataset));
const opened: { readonly viewer: number[]; readonly editor: number[] } = { viewer: [], editor: [] };
const dragged: number[] = [];

for (let round = 0; round < rounds + 1; round += 1) {
  const viewer = await openDashboard(browser, world, id, world.owner, { width: 1440 });
  await rendered(viewer.page);
  const viewerMs = await viewer.page.evaluate<number>(`performance.now()`);
  await viewer.context.close();
  const editor = await EditorPage.open(browser, world, id);
  const editorMs = await editor.page.evaluate<number>(`performance.now()`);
  if (round > 0) {
    opened.viewer.push(viewerMs);
    opened.editor.push(editorMs);
  }
  if (round === rounds) {
    const session = await editor.watched.context.newCDPSession(editor.page);
    await session.send('Performance.enable');
    const workMs = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
      return (of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration')) * 1000;
    };
    const box = await editor.page.locator('inlay-grid .frame > .body').first().boundingBox();
    const [x, y] = [(box?.x ?? 0) + 60, (box?.y ?? 0) + 60];
    await editor.page.mouse.move(x, y);
    await editor.page.mouse.down();
    for (let frame = 1; frame <= frames; frame += 1) {
      const before = await workMs();
      await editor.page.mouse.move(x + 4 * frame, y + 60 * Math.sin(frame / 8));
      await editor.page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      );
      dragged.push((await workMs()) - before);
    }
    await editor.page.mouse.up();
  }
  await editor.watched.context.close();
}

say(`A dashboard of 20 items, ${rounds} rounds`);
const [viewerMs, editorMs] = [median(opened.viewer), median(opened.editor)];
say(
  `  in the viewer ${viewerMs.toFixed(0)} ms, in the editor ${editorMs.toFixed(0)} ms: ${(editorMs / viewerMs).toFixed(2)} x`,
);
within('open for editing', editorMs, 1000, 'ms');
within(`script, style and layout of a frame of a drag, p95 of ${frames}`, percentile(dragged, 0.95), 8, 'ms');
await browser.close();
await endBrowser();
await world.stop();
