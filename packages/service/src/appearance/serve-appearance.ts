import type { Serve } from '../resource/served.ts';
import { loadAppearance, type Looking } from './load-appearance.ts';

/** The part that answers `get` on appearance. */
export const createAppearancePart =
  (looking: Looking): Serve =>
  async ({ asked, caller }) => {
    const id = asked['dashboard_id'];
    const found = await loadAppearance(looking, caller, typeof id === 'string' ? id : null);
    const { dashboard, themes, css, locale, timeZone } = found;
    const shown =
      dashboard === null
        ? null
        : { id: dashboard['id'] ?? null, name: dashboard['name'] ?? null, contents: dashboard['contents'] ?? {} };
    return { body: JSON.stringify({ dashboard: shown, themes, css, locale_id: locale, timezone_id: timeZone }) };
  };
