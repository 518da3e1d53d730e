import { oneOf } from './wording/faults.ts';
import { inWords, isList, isObject, type Json, type JsonObject } from './json.ts';
import type { Fault } from './theme/check-theme.ts';

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

type Shape = 'text' | 'flag' | 'object' | 'list';
const fits: Readonly<Record<Shape, (value: Json) => boolean>> = {
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  object: isObject,
  list: isList,
};
const words: Readonly<Record<Shape, string>> = {
  text: 'must be a text',
  flag: 'must be true or false',
  object: 'must be an object',
  list: 'must be a list',
};

type Shapes = readonly (readonly [string, Shape])[];
const shapes = (of: Readonly<Record<string, Shape>>): Shapes => Object.entries(of);
const viewShapes = shapes({ options: 'object', filterGroups: 'list', items: 'list' });
const optionShapes = shapes({ share: 'object', theme: 'object', alertingEnabled: 'flag' });
const timezoneShapes = shapes({ type: 'text', id: 'text' });
const contentsShapes = shapes({
  version: 'text',
  syncScreenModes: 'flag',
  datasetLinks: 'object',
  views: 'list',
  parameters: 'list',
  timezone: 'object',
});

function checkMembers(value: JsonObject, members: Shapes, at: string, fault: Fault): void {
  for (const [name, shape] of members) {
    const held = Object.hasOwn(value, name) ? value[name] : undefined;
    if (held !== undefined && !fits[shape](held)) fault(`${at}.${name}`, words[shape]);
  }
}

function checkView(view: Json, at: string, fault: Fault): void {
  if (!isObject(view)) return fault(at, words.object);
  const modus = view['screenModus'];
  if (!screenModes.some((mode) => mode === modus)) {
    const must = oneOf(screenModes, modus);
    fault(`${at}.screenModus`, modus === undefined ? `is required and ${must}` : must);
  }
  checkMembers(view, viewShapes, at, fault);
  const options = view['options'];
  if (!isObject(options)) return;
  checkMembers(options, optionShapes, `${at}.options`, fault);
  const { share, theme } = options;
  if (isObject(share)) checkMembers(share, [['poweredBy', 'flag']], `${at}.options.share`, fault);
  if (isObject(theme)) checkMembers(theme, [['id', 'text']], `${at}.options.theme`, fault);
}

/** Each screen mode has one view at most. */
function checkModes(views: readonly Json[], at: string, fault: Fault): void {
  const seen = new Set<Json>();
  for (const [index, view] of views.entries()) {
    const modus = isObject(view) ? (view['screenModus'] ?? null) : null;
    if (modus !== null && seen.has(modus))
      fault(`${at}[${index}].screenModus`, `is that of another view too: ${inWords(modus)}`);
    seen.add(modus);
  }
}

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

/** Checks `contents` where members have a type; everything else is kept as sent. specification/dashboards#contents */
export function checkContents(contents: Json, at: string, fault: Fault): void {
  if (!isObject(contents)) return fault(at, words.object);
  checkMembers(contents, contentsShapes, at, fault);
  const { views, timezone, version } = contents;
  if (isList(views)) {
    views.forEach((view, index) => checkView(view, `${at}.views[${index}]`, fault));
    checkModes(views, `${at}.views`, fault);
  }
  if (typeof version === 'string' && structureOrder(version) === undefined)
    fault(`${at}.version`, 'must be a version of three numbers such as "0.1.99"');
  if (!isObject(timezone)) return;
  checkMembers(timezone, timezoneShapes, `${at}.timezone`, fault);
  const { type, id } = timezone;
  if ((type ?? 'fixed') === 'fixed' && typeof id === 'string' && !isTimeZone(id))
    fault(`${at}.timezone.id`, timeZoneFault);
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
