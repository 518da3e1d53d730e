import {
  filledText,
  isList,
  isObject,
  newestContents,
  objectOr,
  sameJson,
  upgradeContents,
  type Json,
} from '@inlay/contract';
import {
  apply,
  changeClasses,
  classify,
  DashboardModel,
  diff,
  type ChangeClass,
  type Operation,
} from '@inlay/contract/change';

/** A part of contents that a write changes. */
export interface EditedPart {
  readonly class: ChangeClass;
  /** Path in the sent contents; of a removed part, its path in the stored contents. */
  readonly path: string;
  /** Datasets of which the change needs *use* where it is one of type or filter. */
  readonly datasets: ReadonlySet<string>;
  /** Why the change was not compared, so that it counts as one of everything. */
  readonly unread?: string;
}

/** The most restricted class, for contents that cannot be compared. */
const anything = changeClasses.findLast(() => true) ?? 'formula';

const datasetNames: readonly string[] = ['datasetId', 'dataset_id', 'set'];

function addDatasets(value: Json, ids: Set<string>): Set<string> {
  if (isList(value)) for (const entry of value) addDatasets(entry, ids);
  else if (isObject(value))
    for (const [name, member = null] of Object.entries(value)) {
      if (datasetNames.includes(name) && typeof member === 'string') ids.add(member.toLowerCase());
      else addDatasets(member, ids);
    }
  return ids;
}

const addressOf = (operation: Operation): string => ('part' in operation ? operation.part : operation.parent);

/** Returns the address of the item that has an address; null for addresses outside of items. */
function itemOf(address: string): string | null {
  const [view, item] = address.split('/');
  return item?.startsWith('item:') === true ? `${view}/${item}` : null;
}

/**
 * Returns the address of the item to which a change of type or filter is confined; null if it may concern others. What
 * a control offers as values of a parameter concerns every item.
 */
function confinedTo(operation: Operation): string | null {
  const item = itemOf(addressOf(operation));
  const isOfOptions = 'path' in operation && !['type', 'filters'].includes(operation.path[0] ?? '');
  return isOfOptions && item === addressOf(operation) ? null : item;
}

const pathText = (path: readonly (string | number)[]): string =>
  path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');

function placeOf(operation: Operation, before: DashboardModel, after: DashboardModel): string {
  const part = after.find(addressOf(operation)) ?? before.find(addressOf(operation));
  const inner =
    'path' in operation ? operation.path : 'list' in operation && 'parent' in operation ? [operation.list] : [];
  return pathText([...(part?.path ?? []), ...inner]);
}

/** Returns contents as readers take them, with ids by which parts stay the same when they move. */
const modelOf = (contents: Json): DashboardModel =>
  DashboardModel.read(JSON.stringify(upgradeContents(objectOr(contents)))).withIds();

/** The two contents of a write, as they are or with the datasets of formulas filled in. */
export interface WrittenContents {
  readonly stored: Json;
  readonly sent: Json;
}

/**
 * Maximum number of operations times characters of the contents. Each operation parses the text again, and other writes
 * wait for this one.
 */
const maxWork = 2_000_000;

/** The moved and resized items, and the sent contents with the stored positions of these items. */
interface Moves {
  readonly parts: readonly EditedPart[];
  readonly rest: DashboardModel;
}

/** Separates moved and resized items from the other changes, because one drag can move every item of a view. */
function movesBetween(before: DashboardModel, after: DashboardModel): Moves {
  const moved = after.views
    .flatMap(({ parts }) => parts)
    .flatMap((part) => {
      const position = before.find(part.address)?.value['position'];
      const own = part.value['position'];
      if (part.kind !== 'item' || position === undefined || own === undefined || sameJson(position, own)) return [];
      return [{ path: [...part.path, 'position'], position }];
    });
  return {
    parts: moved.map(({ path }) => ({ class: 'layout', path: pathText(path), datasets: new Set() })),
    rest: DashboardModel.of(after.json.with(moved.map(({ path, position }) => [path, position]))),
  };
}

const tooMuch = 'changes too much at once to be compared: save fewer changes at a time';
const otherItems = 'has items with other ids than the stored contents, which needs the feature "edit_full"';
const unlike = 'cannot be told apart from a change of everything';

const everything = (unread: string): readonly EditedPart[] => [
  { class: anything, path: '', datasets: new Set(), unread },
];

/** Returns the ids that the items of contents have themselves, by view; empty for items without one. */
const itemIds = (contents: Json): readonly string[] =>
  DashboardModel.read(JSON.stringify(upgradeContents(objectOr(contents))))
    .views.flatMap(({ id, parts }) =>
      parts.flatMap((part) => (part.kind === 'item' ? [`${id} ${filledText(part.value['id']) ?? ''}`] : [])),
    )
    .toSorted();

function partsBetween({ stored, sent }: WrittenContents, whole: WrittenContents): readonly EditedPart[] {
  const versions: readonly Json[] = [newestContents, objectOr(stored)['version'] ?? newestContents];
  if (!versions.includes(objectOr(sent)['version'] ?? newestContents)) return everything(unlike);
  // An item without an id opens no rows to readers, and a filter of an item finds it by its id.
  if (!sameJson(itemIds(stored), itemIds(sent))) return everything(otherItems);
  const before = modelOf(stored);
  const { parts: moves, rest: after } = movesBetween(before, modelOf(sent));
  const change = diff(before, after);
  if (change.length * after.text.length > maxWork) return everything(tooMuch);
  if (!sameJson(apply(before, change).contents, after.contents)) return everything(unlike);
  const classes = classify(before, change);
  const needsDatasets = classes.some((name) => name === 'type' || name === 'filter');
  const wholeModels = needsDatasets ? [modelOf(whole.stored), modelOf(whole.sent)] : [];
  const all = addDatasets(
    wholeModels.map(({ contents }) => contents),
    new Set(),
  );
  const datasetsOf = (operation: Operation): ReadonlySet<string> => {
    const address = confinedTo(operation);
    const ids = new Set<string>();
    if (address !== null) for (const model of wholeModels) addDatasets(model.find(address)?.value ?? null, ids);
    return ids.size === 0 ? all : ids;
  };
  return [
    ...moves,
    ...change.map((operation, index) => ({
      class: classes[index] ?? anything,
      path: placeOf(operation, before, after),
      datasets: datasetsOf(operation),
    })),
  ];
}

/**
 * Compares stored and sent contents. Returns each changed part with its class. If the contents cannot be compared, returns
 * one part of the most restricted class. `whole` has the same contents with the datasets of formulas filled in.
 */
export function editedParts(contents: WrittenContents, whole: WrittenContents): readonly EditedPart[] {
  try {
    return partsBetween(contents, whole);
  } catch {
    // Contents that no model reads, such as ids that are no Unicode text, can be stored but not compared.
    return everything(unlike);
  }
}

const formulaMembers: readonly string[] = ['formula', 'formulaId', 'formula_id'];

/** Returns the formulas in contents as text, each with its paths. */
function formulasIn(
  value: Json,
  path: readonly (string | number)[],
  found: Map<string, string[]>,
): Map<string, string[]> {
  if (isList(value)) for (const [index, entry] of value.entries()) formulasIn(entry, [...path, index], found);
  else if (isObject(value))
    for (const [name, member = null] of Object.entries(value)) {
      const text = formulaMembers.includes(name) ? filledText(member) : null;
      if (text === null) formulasIn(member, [...path, name], found);
      else found.set(`${name} ${text}`, [...(found.get(`${name} ${text}`) ?? []), pathText([...path, name])]);
    }
  return found;
}

/** Returns the paths of added formulas in the sent contents, and of removed ones in the stored contents. */
export function changedFormulas({ stored, sent }: WrittenContents): readonly string[] {
  const [before, after] = [formulasIn(stored, [], new Map()), formulasIn(sent, [], new Map())];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, own] = [before.get(key) ?? [], after.get(key) ?? []];
    return own.length >= old.length ? own.slice(old.length) : old.slice(own.length);
  });
}

const maxObjects = 10_000;

/** True if contents have too many objects to be compared within a write. */
export function hasTooManyObjects(contents: Json): boolean {
  const waiting: Json[] = [contents];
  let count = 0;
  for (let value = waiting.pop(); value !== undefined && count <= maxObjects; value = waiting.pop()) {
    if (isList(value)) for (const entry of value) waiting.push(entry);
    else if (isObject(value)) {
      count += 1;
      for (const entry of Object.values(value)) waiting.push(entry);
    }
  }
  return count > maxObjects;
}
