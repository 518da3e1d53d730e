import { afterEach } from 'vitest';
import { openDashboard, rendered, type Watched } from './page.ts';

/** Opens dashboards without motion, waits until they are rendered, and closes them after each test of the file. */
export function openedPages(): (...given: Parameters<typeof openDashboard>) => Promise<Watched> {
  const open: Watched[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ context }) => context.close()));
  });
  return async (browser, world, dashboard, token, seen = {}) => {
    const context = { reducedMotion: 'reduce', ...seen.context } as const;
    const watched = await openDashboard(browser, world, dashboard, token, { ...seen, context });
    open.push(watched);
    await rendered(watched.page);
    return watched;
  };
}
