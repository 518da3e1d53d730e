import { isList, isObject, type Json, type JsonObject } from './json.ts';

/** The newest structure of a dashboard's `contents`. */
export const newestContents = '0.1.99';

/** The screen modes. A new dashboard has a view for each of them. */
export const screenModes = ['desktop', 'tablet', 'mobile'] as const;

const emptyView = (screenModus: string): JsonObject => ({
  screenModus,
  options: { share: { poweredBy: false }, theme: { id: 'default' }, alertingEnabled: false },
  filterGroups: [],
  items: [],
});

/** Returns the contents of a new dashboard. specification/dashboards#contents */
export const emptyContents = (): JsonObject => ({
  version: newestContents,
  syncScreenModes: true,
  datasetLinks: {},
  views: screenModes.map(emptyView),
  parameters: [],
  timezone: { type: 'fixed', id: 'UTC' },
});

/** The fault of a value that is no known time zone. */
export const timeZoneFault = 'must be an IANA time zone such as "Europe/Brussels"';

const zoneName = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/u;

/** True if a text is an IANA time zone; false for an offset such as `+02:00`. */
export function isTimeZone(name: string): boolean {
  if (!zoneName.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/** Returns the same contents with `version` as first member. Contents without a version get the newest version. */
export function versionFirst(contents: JsonObject): JsonObject {
  const { version, ...otherMembers } = contents;
  return { version: version ?? newestContents, ...otherMembers };
}

/**
 * Converts a version to a number that sorts like versions (`0.1.9` before `0.1.10`). Undefined if the text is not a
 * version.
 */
export function structureOrder(version: Json | undefined): number | undefined {
  const match = typeof version === 'string' ? /^(\d{1,4})\.(\d{1,4})\.(\d{1,4})$/u.exec(version) : null;
  return match === null ? undefined : Number(match[1]) * 1e8 + Number(match[2]) * 1e4 + Number(match[3]);
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

/** A migration that upgrades contents to the structure `to`. */
interface Step {
  readonly to: string;
  readonly change: (contents: JsonObject) => JsonObject;
}

const steps: readonly Step[] = [
  // Slot entries named the column `column` and its dataset `set`.
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
  // Adds the members that the newest structure always has.
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

/** True if the structure of contents is older than the newest. Newer and unknown structures are not upgraded. */
export function isOlder(contents: Json): boolean {
  const version = isObject(contents) ? structureOrder(contents['version']) : undefined;
  return version !== undefined && version < (structureOrder(newestContents) ?? 0);
}

/**
 * Upgrades contents to the newest structure. Contents that are not older are unchanged.
 * specification/dashboards#contents
 */
export function upgradeContents(contents: JsonObject): JsonObject {
  const from = structureOrder(contents['version']);
  if (from === undefined) return contents;
  const due = steps.filter(({ to }) => from < (structureOrder(to) ?? 0));
  return due.reduce((upgradedContents, step) => ({ ...step.change(upgradedContents), version: step.to }), contents);
}
