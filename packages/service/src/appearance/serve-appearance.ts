import type { JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { Serve } from '../resource/served.ts';
import { loadAppearance, type AppearanceContext } from './load-appearance.ts';

/** Gives the values with which the filter items of a dashboard start for a caller. */
type StartingValues = (caller: Caller, dashboardId: string) => Promise<readonly JsonObject[]>;

/** The part that answers `get` on appearance. */
export const createAppearancePart =
  (context: AppearanceContext, startingValues: StartingValues): Serve =>
  async ({ asked, caller }) => {
    const id = asked['dashboard_id'];
    const dashboardId = typeof id === 'string' ? id.toLowerCase() : null;
    const [found, starting] = await Promise.all([
      loadAppearance(context, caller, dashboardId),
      dashboardId === null ? [] : startingValues(caller, dashboardId),
    ]);
    const { dashboard, themes, css, locale, timeZone } = found;
    const shown =
      dashboard === null
        ? null
        : { id: dashboard['id'] ?? null, name: dashboard['name'] ?? null, contents: dashboard['contents'] ?? {} };
    const initial = { initial_filters: starting };
    const settings = { themes, css, locale_id: locale, timezone_id: timeZone };
    return { body: JSON.stringify({ dashboard: shown, ...settings, ...initial }) };
  };
