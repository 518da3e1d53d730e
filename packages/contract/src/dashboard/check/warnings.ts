import { countsRows } from '../../item-types/facts.ts';
import { isItemType, slotsOf, typesOfOption, type ItemType } from '../../item-types/index.ts';
import { newestContents, structureOrder } from '../../contents.ts';
import {
  filledText,
  inWords,
  isList,
  isObject,
  listOr,
  member,
  objectOr,
  type Json,
  type JsonObject,
} from '../../json.ts';
import { hasUnknownOthers, hasUnlimitedSeries } from '../../item/item-query.ts';
import { readItem } from '../../item/item.ts';
import { isLanguage } from '../../multilingual.ts';
import { groupWarnings } from './groups.ts';
import { gridWarnings } from './grid.ts';
import { parameterWarnings } from './parameters.ts';
import { tabsWarnings } from './tabs.ts';
import { menuWarnings } from './menu.ts';
import { isListKind, isPlainKind, kindFault } from '../../members/kinds.ts';
import type { ListOf, Member, Members, PlainKind } from '../../members/member.ts';
import { contentsMembers, itemMembers, optionMembers } from '../members.ts';
import { themeMembers } from '../theme-members.ts';
import { formatFault } from './formats.ts';
import type { ContentsWarning } from './warning.ts';

/** Builds the message for an unknown word. It suggests the nearest known words. */
type Unknown = (word: string, known: readonly string[]) => string;

/** Maximum number of members that a message lists. */
const maxNames = 9;
/** Maximum number of warnings per value. Further warnings are dropped and not counted. */
const maxWarnings = 1000;

/** True if an item type has an option, or if every type has it. */
function isOptionOf(option: string, type: Json): boolean {
  const types = typesOfOption(option);
  return types.length === 0 || types.some((entry) => entry === type);
}

class ContentsCheck {
  readonly warnings: ContentsWarning[] = [];
  readonly #unknown: Unknown;
  /** Type of the item that is being checked. */
  #type: Json = null;

  constructor(describeUnknown: Unknown) {
    this.#unknown = describeUnknown;
  }

  warn(path: string, code: ContentsWarning['code'], message: string): void {
    if (this.warnings.length < maxWarnings) this.warnings.push({ path, code, message });
  }

  #value(value: Json, { values = [] }: Member, path: string): void {
    if (values.length === 0 || values.some((knownValue) => knownValue === value)) return;
    const message =
      typeof value === 'string'
        ? this.#unknown(value, values.map(inWords))
        : `must be one of: ${values.map(inWords).join(', ')}`;
    this.warn(path, 'unknown_value', message);
  }

  #plain(value: Json, kind: PlainKind, path: string): boolean {
    const fault = kindFault(kind, value);
    if (fault !== null) this.warn(path, 'wrong_type', fault);
    if (kind === 'words')
      for (const [language, word] of Object.entries(objectOr(value))) {
        if (!isLanguage(language))
          this.warn(`${path}.${language}`, 'unknown_member', 'is not a language code such as "en" or "nl-BE"');
        else if (word !== null && typeof word !== 'string')
          this.warn(`${path}.${language}`, 'wrong_type', 'must be a text, as each language of a text has one');
      }
    return fault === null;
  }

  #list(value: Json, { each }: ListOf, path: string): void {
    if (!isList(value)) return this.warn(path, 'wrong_type', 'must be a list');
    for (const [index, entry] of value.entries()) {
      if (typeof each === 'object') this.members(entry, each, `${path}[${index}]`);
      else this.#plain(entry, each, `${path}[${index}]`);
    }
  }

  #member(value: Json, declaration: Member, path: string): void {
    const { kind } = declaration;
    if (!isPlainKind(kind)) {
      if (isListKind(kind)) this.#list(value, kind, path);
      else this.members(value, kind, path);
    } else if (this.#plain(value, kind, path)) {
      this.#value(value, declaration, path);
      const { whole } = declaration;
      if (whole !== undefined && !(Number.isInteger(value) && Number(value) >= whole))
        this.warn(path, 'unknown_value', `has no effect: it must be a whole number from ${whole}`);
    }
  }

  /**
   * Returns the names of the members that an object may have. An object of options may only have options of the item's
   * type.
   */
  #known(members: Members['members']): readonly string[] {
    const names = Object.keys(members);
    return members === optionMembers.members && this.#type !== null
      ? names.filter((name) => isOptionOf(name, this.#type))
      : names;
  }

  /** Checks the members of an object. A missing or null member is valid unless it is required. */
  members(value: Json, declaredMembers: Members, path: string): void {
    const { members, free } = declaredMembers;
    const names = Object.keys(members);
    const shape = names.length === 0 || names.length > maxNames ? '' : ` {${names.join(', ')}}`;
    if (!isObject(value)) return this.warn(path, 'wrong_type', `must be an object${shape}`);
    if (declaredMembers === itemMembers) this.#type = filledText(value['type']);
    for (const [name, memberValue] of Object.entries(value)) {
      const declaration = Object.hasOwn(members, name) ? members[name] : undefined;
      if (declaration === undefined) {
        if (free !== true) this.warn(`${path}.${name}`, 'unknown_member', this.#unknown(name, this.#known(members)));
      } else if (memberValue !== null && memberValue !== '') this.#member(memberValue, declaration, `${path}.${name}`);
    }
    for (const [name, { required, unless = [] }] of Object.entries(members))
      if (
        required === true &&
        !unless.some((other) => isList(member(value, other))) &&
        (member(value, name) ?? null) === null
      )
        this.warn(`${path}.${name}`, 'missing', 'is required');
  }

  /** Checks that an item has only slots of its type. */
  item(item: JsonObject, path: string): void {
    const type = filledText(item['type']);
    if (type === null || !isItemType(type)) return;
    const rules = slotsOf(type);
    const slots = listOr(item['slots']).map(objectOr);
    if (rules.length > 0 && (item['slots'] ?? null) === null) this.warn(`${path}.slots`, 'missing', 'is required');
    for (const [index, slot] of slots.entries()) {
      const name = filledText(slot['name']);
      const rule = rules.find((candidate) => candidate.name === name);
      const at = `${path}.slots[${index}]`;
      const content = listOr(slot['content']).map(objectOr);
      if (name !== null && rule === undefined)
        this.warn(
          `${at}.name`,
          'unknown_value',
          this.#unknown(
            name,
            rules.map((entry) => entry.name),
          ),
        );
      if (rule?.many === false && content.length > 1)
        this.warn(`${at}.content`, 'wrong_type', `has ${content.length} entries; this slot takes one`);
      for (const [place, entry] of content.entries()) this.#entry(entry, `${at}.content[${place}]`);
    }
    for (const rule of rules) {
      const isFilled = slots.some((slot) => slot['name'] === rule.name && listOr(slot['content']).length > 0);
      if (rule.required && !isFilled)
        this.warn(`${path}.slots`, 'missing', `the slot "${rule.name}" of ${type} is empty, so nothing is shown`);
    }
    this.#beyondLegend(slots, path);
    this.#options(item, type, path);
    this.#sort(item, type, path);
  }

  /** Warns about second and further measures of an item with a legend, which shows only the first measure. */
  #beyondLegend(slots: readonly JsonObject[], path: string): void {
    if (!slots.some((slot) => slot['name'] === 'legend' && listOr(slot['content']).length > 0)) return;
    for (const [index, slot] of slots.entries()) {
      const isMeasure = slot['name'] === 'measure';
      for (const place of isMeasure ? listOr(slot['content']).keys() : [])
        if (place > 0)
          this.warn(
            `${path}.slots[${index}].content[${place}]`,
            'no_effect',
            'has no effect: beside a legend only the first measure is shown',
          );
    }
  }

  /** Warns if `sort.by` names neither a filled slot nor, for an item that counts rows, `measure`. */
  #sort(item: JsonObject, type: ItemType, path: string): void {
    const by = filledText(objectOr(objectOr(item['options'])['sort'])['by']);
    if (by === null) return;
    const at = `${path}.options.sort.by`;
    const names = slotsOf(type).map(({ name }) => name);
    if (!names.includes(by)) return this.warn(at, 'unknown_value', this.#unknown(by, names));
    const isFilled = listOr(item['slots'])
      .map(objectOr)
      .some((slot) => slot['name'] === by && listOr(slot['content']).length > 0);
    const isCounted = by === 'measure' && countsRows(type);
    if (!isFilled && !isCounted)
      this.warn(at, 'no_effect', `has no effect: the slot "${by}" is empty, so rows are not sorted by it`);
  }

  #options(item: JsonObject, type: string, path: string): void {
    this.#others(item, path);
    this.#seriesLimit(item, path);
    for (const name of Object.keys(objectOr(item['options'])))
      if (!isOptionOf(name, type))
        this.warn(
          `${path}.options.${name}`,
          'unknown_member',
          `has no effect on ${type}; it is an option of: ${typesOfOption(name).join(', ')}`,
        );
  }

  #others(item: JsonObject, path: string): void {
    const readableItem = objectOr(item['options'])['others'] === true ? readItem(item) : null;
    if (readableItem === null || !hasUnknownOthers(readableItem)) return;
    this.warn(
      `${path}.options.others`,
      'no_effect',
      'has no effect: averages, distinct counts and formulas of the members beyond the limit are known where one dimension has the members, a column without bins and part, a time with a level; sums and counts anywhere',
    );
  }

  #seriesLimit(item: JsonObject, path: string): void {
    const readableItem = 'seriesLimit' in objectOr(item['options']) ? readItem(item) : null;
    if (readableItem === null || !hasUnlimitedSeries(readableItem)) return;
    this.warn(
      `${path}.options.seriesLimit`,
      'no_effect',
      'has no effect: it takes a legend, and measures that are sums or counts, since others cannot be added up',
    );
  }

  /** Warns if an entry has neither a formula nor a column with its dataset. */
  #entry(entry: JsonObject, path: string): void {
    const has = (...names: readonly string[]): boolean => names.some((name) => filledText(entry[name]) !== null);
    const isFormula = has('formulaId', 'formula');
    if (!isFormula && !has('columnId', 'column'))
      this.warn(
        path,
        'missing',
        'names no column and no formula, so nothing is shown of it; give it columnId, formulaId or formula',
      );
    else if (!isFormula && !has('datasetId', 'set'))
      this.warn(
        `${path}.datasetId`,
        'missing',
        'is required beside columnId: without it nothing is shown of the column',
      );
    this.#format(entry, path);
  }

  #format(entry: JsonObject, path: string): void {
    const format = filledText(entry['format']);
    const fault = format === null ? null : formatFault(format, entry['type']);
    if (fault !== null) this.warn(`${path}.format`, 'unknown_format', fault);
  }
}

/**
 * Returns warnings about probable mistakes in contents. The service stores such contents anyway.
 * specification/dashboards#warnings
 */
export function contentsWarnings(contents: Json, path: string, describeUnknown: Unknown): readonly ContentsWarning[] {
  const check = new ContentsCheck(describeUnknown);
  check.members(contents, contentsMembers, path);
  for (const [index, view] of listOr(objectOr(contents)['views']).map(objectOr).entries()) {
    const at = `${path}.views[${index}]`;
    for (const [place, item] of listOr(view['items']).map(objectOr).entries())
      check.item(item, `${at}.items[${place}]`);
    const others = [
      ...gridWarnings(view, at),
      ...[groupWarnings, menuWarnings, tabsWarnings].flatMap((warningsOf) => warningsOf(view, at, describeUnknown)),
      ...parameterWarnings(objectOr(contents), view, at, describeUnknown),
    ];
    for (const warning of others) check.warn(warning.path, warning.code, warning.message);
  }
  const { filters } = objectOr(contents);
  if (filters !== undefined && filters !== null && JSON.stringify(filters).length > 2)
    check.warn(`${path}.filters`, 'no_effect', 'has no effect: filters stand in filterGroups of a view');
  const version = objectOr(contents)['version'];
  if ((structureOrder(version) ?? 0) > (structureOrder(newestContents) ?? 0))
    check.warn(
      `${path}.version`,
      'newer_version',
      `is newer than ${newestContents}, the newest that this service knows; what it adds is not shown`,
    );
  return check.warnings;
}

/** Returns warnings about probable mistakes in a theme. specification/themes#members */
export function themeWarnings(theme: Json, path: string, describeUnknown: Unknown): readonly ContentsWarning[] {
  const check = new ContentsCheck(describeUnknown);
  check.members(theme, themeMembers, path);
  return check.warnings;
}
