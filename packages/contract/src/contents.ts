import { isList, isObject, type Json, type JsonObject } from './json.ts';

/** The newest structure of a dashboard's `contents`. */
export const newestContents = '0.1.99';

/** The three screen modes a new dashboard has a view for. */
export const screenModes = ['desktop', 'tablet', 'mobile'] as const;

const emptyView = (screenModus: string): JsonObject => ({
  screenModus,
  options: { share: { poweredBy: false }, theme: { id: 'default' }, alertingEnabled: false },
  filterGroups: [],
  items: [],
});

/** What a dashboard holds that was made without contents. specification/dashboards#contents */
export const emptyContents = (): JsonObject => ({
  version: newestContents,
  syncScreenModes: true,
  datasetLinks: {},
  views: screenModes.map(emptyView),
  parameters: [],
  timezone: { type: 'fixed', id: 'UTC' },
});

/** What is wrong with a time zone that is none. */
export const timeZoneFault = 'must be an IANA time zone such as "Europe/Brussels"';

const zoneName = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/u;

/** Whether a text names a time zone of the IANA database; an offset such as `+02:00` is none. */
export function isTimeZone(name: string): boolean {
  if (!zoneName.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/** The same contents with `version` as the first member, made the newest where none is given. */
export function versionFirst(contents: JsonObject): JsonObject {
  const { version, ...rest } = contents;
  return { version: version ?? newestContents, ...rest };
}

/** A version as a number by which versions are ordered (`0.1.9` before `0.1.10`); undefined where the text is none. */
export function structureOrder(version: Json | undefined): number | undefined {
  const found = typeof version === 'string' ? /^(\d{1,4})\.(\d{1,4})\.(\d{1,4})$/u.exec(version) : null;
  return found === null ? undefined : Number(found[1]) * 1e8 + Number(found[2]) * 1e4 + Number(found[3]);
}

const mapList = (value: Json | undefined, change: (item: JsonObject) => JsonObject): readonly Json[] =>
  isList(value) ? value.map((item) => (isObject(item) ? change(item) : item)) : [];

function renamed(object: JsonObject, from: string, to: string): JsonObject {
  if (!Object.hasOwn(object, from)) return object;
  const entries = Object.entries(object).filter(([name]) => name !== from || !Object.hasOwn(object, to));
  return Object.fromEntries(entries.map(([name, value]) => [name === from ? to : name, value]));
}

const eachItem = (contents: JsonObject, change: (item: JsonObject) => JsonObject): JsonObject => ({
  ...contents,
  views: mapList(contents['views'], (view) => ({ ...view, items: mapList(view['items'], change) })),
});

/** One step of structure: what changed up to and including `to`. */
interface Step {
  readonly to: string;
  readonly change: (contents: JsonObject) => JsonObject;
}

const steps: readonly Step[] = [
  // Slot contents named their column `column` and their dataset `set`.
  {
    to: '0.1.50',
    change: (contents) =>
      eachItem(contents, (item) => ({
        ...item,
        slots: mapList(item['slots'], (slot) => ({
          ...slot,
          content: mapList(slot['content'], (entry) =>
            renamed(renamed(entry, 'column', 'columnId'), 'set', 'datasetId'),
          ),
        })),
      })),
  },
  // The members that later structures always have.
  {
    to: newestContents,
    change: (contents) => ({
      ...contents,
      datasetLinks: isObject(contents['datasetLinks']) ? contents['datasetLinks'] : {},
      parameters: isList(contents['parameters']) ? contents['parameters'] : [],
      timezone: isObject(contents['timezone']) ? contents['timezone'] : { type: 'fixed', id: 'UTC' },
      views: mapList(contents['views'], (view) => ({
        ...view,
        options: isObject(view['options']) ? view['options'] : {},
        filterGroups: isList(view['filterGroups']) ? view['filterGroups'] : [],
        items: isList(view['items']) ? view['items'] : [],
      })),
    }),
  },
];

/** Whether stored contents are of an older structure than the newest. Newer or unknown ones are left as they are. */
export function isOlder(contents: Json): boolean {
  const version = isObject(contents) ? structureOrder(contents['version']) : undefined;
  return version !== undefined && version < (structureOrder(newestContents) ?? 0);
}

/** Contents in the newest structure; those that are not older come back as they are. specification/dashboards#contents */
export function upgradeContents(contents: JsonObject): JsonObject {
  const from = structureOrder(contents['version']);
  if (from === undefined) return contents;
  const due = steps.filter(({ to }) => from < (structureOrder(to) ?? 0));
  return due.reduce((held, step) => ({ ...step.change(held), version: step.to }), contents);
}
