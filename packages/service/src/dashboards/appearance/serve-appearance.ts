import { filledText, isObject, objectOr, type JsonObject } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { Problem } from '../../problems/problem.ts';
import type { ServedHandler } from '../../resource/served.ts';
import { allowedFeatures } from './allowed-features.ts';
import { dashboardOfSlug, loadAppearance, shownContents, type AppearanceContext } from './load-appearance.ts';

/** Loads the initial values of a dashboard's filter items for a caller. */
type StartingValues = (caller: Caller, dashboardId: string) => Promise<readonly JsonObject[]>;

/** Applies the parameters of a caller's token to contents. */
type ParametersInForce = (caller: Caller, contents: JsonObject) => Promise<JsonObject>;

/** Returns the id of the requested dashboard; null if the request names none. Raises Problem: 404 `not_found`. */
async function askedDashboard(context: AppearanceContext, caller: Caller, input: JsonObject): Promise<string | null> {
  const slug = filledText(input['dashboard_slug']);
  if (slug === null) return filledText(input['dashboard_id'])?.toLowerCase() ?? null;
  const id = await dashboardOfSlug(context, caller, slug);
  if (id === null) throw new Problem('not_found');
  return id;
}

/** Creates the handler of `get` on appearance. */
export const createAppearanceHandler =
  (context: AppearanceContext, startingValues: StartingValues, parametersInForce: ParametersInForce): ServedHandler =>
  async ({ input, caller, trace }) => {
    const dashboardId = await askedDashboard(context, caller, input);
    if (dashboardId !== null) trace.concerns.note('dashboard', dashboardId);
    const [appearance, starting, allowed] = await Promise.all([
      loadAppearance(context, caller, dashboardId),
      dashboardId === null ? [] : startingValues(caller, dashboardId),
      allowedFeatures(context.reader, caller, dashboardId),
    ]);
    const { dashboard, themes, css, locale, timeZone, currency, mayAsk } = appearance;
    // The themes stay those of the stored dashboard: contents of a request open none.
    const unsaved = input['contents'];
    const contents = isObject(unsaved)
      ? await shownContents(context, caller, unsaved)
      : objectOr(dashboard?.['contents']);
    const dashboardAnswer =
      dashboard === null
        ? null
        : {
            id: dashboard['id'] ?? null,
            name: dashboard['name'] ?? null,
            contents: await parametersInForce(caller, contents),
          };
    const initialFilters = { initial_filters: starting };
    const settings = { themes, css, locale_id: locale, timezone_id: timeZone, currency_id: currency };
    const features = allowed.map((name) => (mayAsk || name !== 'ai_questions' ? name : '!ai_questions'));
    return { body: JSON.stringify({ dashboard: dashboardAnswer, ...settings, ...initialFilters, features }) };
  };
