import { filledText, objectOr, sameJson, type Json, type JsonObject } from '../../../json.ts';
import type { DashboardModel } from '../../model/model.ts';
import { partRule, type PartKind } from '../../model/part.ts';
import type { Turn } from '../apply.ts';
import type { ChangeClass } from '../classes/change-class.ts';
import { classOf } from '../classes/classify.ts';
import type { PartNames } from './names.ts';
import type { ChangeWords } from './words.ts';

/** What one operation does, as a sentence with the values of its placeholders. */
export interface Statement {
  readonly sentence: keyof ChangeWords;
  readonly values: Readonly<Record<string, string>>;
  /** Id and name of the item that it is about; null if it is about no item. */
  readonly item: { readonly id: string; readonly name: string } | null;
}

type Verb = 'added' | 'removed' | 'moved' | 'changed';

const verbs = { insert: 'added', remove: 'removed', move: 'moved', set: 'changed', unset: 'changed' } as const;
const ofView = { added: 'viewAdded', removed: 'viewRemoved', moved: 'viewChanged', changed: 'viewChanged' } as const;
const ofFilter = {
  added: 'filterAdded',
  removed: 'filterRemoved',
  moved: 'filterChanged',
  changed: 'filterChanged',
} as const;
const ofEntry = {
  added: 'columnAdded',
  removed: 'columnRemoved',
  moved: 'columnMoved',
  changed: 'columnChanged',
} as const;
const ofClass = {
  look: 'restyled',
  layout: 'changed',
  text: 'reworded',
  type: 'retyped',
  filter: 'filtersChanged',
  data: 'dataChanged',
  formula: 'formulaChanged',
} as const satisfies Readonly<Record<ChangeClass, keyof ChangeWords>>;

/** The part that an operation is about, as it is before the operation or, if it is new, after it. */
interface Subject {
  readonly kind: PartKind;
  readonly value: JsonObject;
  readonly changed: JsonObject;
  /** Address of the part, or of the parent of a new one. */
  readonly address: string;
}

function subjectOf({ operation, before, model: after }: Turn): Subject {
  const address = operation.kind === 'insert' ? operation.parent : operation.part;
  const part = before.find(address) ?? before.root;
  if (operation.kind !== 'insert')
    return { kind: part.kind, value: part.value, changed: after.partAt(part.path)?.value ?? part.value, address };
  const value = objectOr(JSON.parse(operation.text));
  return { kind: partRule(part.kind).lists[operation.list] ?? 'contents', value, changed: value, address };
}

/** Returns the item that a part is, or is in. */
function itemAround({ kind, value, address }: Subject, model: DashboardModel): JsonObject | null {
  if (kind === 'item') return value;
  const itemAddress = /^(?:view:[^/]*\/)item:[^/]*/u.exec(address)?.[0];
  return itemAddress === undefined ? null : (model.find(itemAddress)?.value ?? null);
}

function positionSentence(before: Json | undefined, after: Json | undefined): keyof ChangeWords {
  const [from, to] = [objectOr(before), objectOr(after)];
  const isSame = (name: string): boolean => sameJson(from[name] ?? null, to[name] ?? null);
  return isSame('col') && isSame('row') && !(isSame('sizeX') && isSame('sizeY')) ? 'resized' : 'moved';
}

/** Returns what an edit of members does to an item. */
function itemStatement(
  { value, changed }: Subject,
  path: readonly string[],
  changeClass: ChangeClass,
  names: PartNames,
): Omit<Statement, 'item'> {
  const name = names.item(changed);
  const isTitle = path[0] === 'title' || (path[0] === 'options' && path[1] === 'title');
  if (isTitle) {
    const [from, to] = [names.title(value), names.title(changed)];
    const isRenamed = from !== '' && to !== '' && from !== to;
    return { sentence: isRenamed ? 'renamed' : 'retitled', values: { from, name } };
  }
  if (path.length === 0) return { sentence: 'changed', values: { name } };
  const [member = ''] = path;
  const isOn = changed[member] === true;
  const ofMember: Readonly<Record<string, keyof ChangeWords>> = {
    position: positionSentence(value['position'], changed['position']),
    hidden: isOn ? 'hidden' : 'shown',
    locked: isOn ? 'locked' : 'unlocked',
  };
  const sentence = Object.hasOwn(ofMember, member) ? ofMember[member] : undefined;
  return { sentence: sentence ?? ofClass[changeClass], values: { name } };
}

function sentenceOf(turn: Turn, subject: Subject, itemName: string, names: PartNames): Omit<Statement, 'item'> {
  const { operation, before } = turn;
  const { kind, value, changed } = subject;
  const verb: Verb = verbs[operation.kind];
  switch (kind) {
    case 'contents':
      return { sentence: 'dashboardChanged', values: {} };
    case 'view':
      return { sentence: ofView[verb], values: { name: names.view(value) } };
    case 'item':
      return 'path' in operation
        ? itemStatement(subject, operation.path, classOf(turn), names)
        : { sentence: verb === 'moved' ? 'reordered' : verb, values: { name: itemName } };
    case 'slot':
      return { sentence: 'dataChanged', values: { name: itemName } };
    case 'entry': {
      const sentence = verb === 'changed' && classOf(turn) === 'formula' ? 'formulaChanged' : ofEntry[verb];
      return { sentence, values: { name: itemName, column: names.entry(changed) } };
    }
    case 'filter':
      return { sentence: ofFilter[verb], values: { column: names.filterColumn(changed, before) } };
    case 'group': {
      const column = verb === 'added' || verb === 'removed' ? names.groupColumn(value, before) : null;
      return column === null
        ? { sentence: 'filtersChanged', values: {} }
        : { sentence: ofFilter[verb], values: { column } };
    }
  }
}

/** Returns what one operation does. */
export function statementOf(turn: Turn, names: PartNames): Statement {
  const subject = subjectOf(turn);
  const item = itemAround(subject, turn.before);
  const itemName = item === null ? '' : names.item(item);
  const statement = sentenceOf(turn, subject, itemName, names);
  if (item === null) return { ...statement, item: null };
  const nameNow = subject.kind === 'item' ? names.item(subject.changed) : itemName;
  return { ...statement, item: { id: filledText(item['id']) ?? itemName, name: nameNow } };
}
