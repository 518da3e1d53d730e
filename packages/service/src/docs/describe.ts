import { describeRole, type Role } from '../declare/roles.ts';
import { isByVariety, type ByVariety } from '../declare/variety.ts';
import type { Resource } from '../resource/define.ts';
import type { Field } from '../declare/fields.ts';
import { kinds } from '../declare/kinds.ts';
import { accepted } from '../declare/properties.ts';
import type { Path } from '../resource/registry.ts';
import { openAssociations, shownFields } from './schema.ts';
import { isStored } from '../declare/declaration.ts';

/** Operations in the order of the docs. A search is listed separately, although it is a get of many records. */
const operationNames = ['create', 'get', 'search', 'update', 'validate', 'delete', 'associate', 'dissociate'] as const;
export type OperationName = (typeof operationNames)[number];

/** Describes a role in words. If it differs by variety, describes it for each variety. */
export function saysWho(role: ByVariety<Role>): string {
  if (!isByVariety(role)) return describeRole(role);
  return Object.entries(role.byVariety)
    .map(([variety, entry]) => `${variety}: ${describeRole(entry)}`)
    .join('; ');
}

/**
 * Returns the role for an operation on a resource, or on a path with a fixed variety. Returns undefined if the API does
 * not offer the operation.
 */
export function roleFor(resource: Resource, operation: OperationName, variety?: string): ByVariety<Role> | undefined {
  if (operation === 'associate' || operation === 'dissociate') return undefined;
  if (operation === 'validate' && resource.validates !== true) return undefined;
  const isOpen = (role: ByVariety<Role> | undefined): role is ByVariety<Role> =>
    role !== undefined && (isByVariety(role) || role.kind !== 'operator');
  const { get, update, create } = resource.roles;
  // A record without an update can be validated only as for a create.
  const roles = { search: get, validate: isOpen(update) ? update : create };
  const role = operation === 'search' || operation === 'validate' ? roles[operation] : resource.roles[operation];
  if (!isOpen(role)) return undefined;
  return variety !== undefined && isByVariety(role) ? role.byVariety[variety] : role;
}

/** Returns the operations that a path offers through the API. Operations of the operator are left out. */
export const operationsOf = (resource: Resource, variety?: string): readonly OperationName[] =>
  operationNames.filter((operation) =>
    operation === 'search' && resource.served !== undefined
      ? false
      : operation === 'associate' || operation === 'dissociate'
        ? openAssociations(resource, variety).length > 0
        : roleFor(resource, operation, variety) !== undefined,
  );

/** Returns who may have the access to a record explained; no row if nobody may. */
export const explainRows = ({ explainedTo }: Resource): readonly (readonly [string, string])[] =>
  explainedTo === undefined ? [] : [['get with `explain`', describeRole(explainedTo)]];

/** Returns the variety that a path such as `/dashboard` fixes; undefined if it fixes none. */
export function varietyOfPath({ resource, fixed }: Path): string | undefined {
  const word = resource.variety === undefined ? undefined : fixed[resource.variety.field];
  return typeof word === 'string' ? word : undefined;
}

const codeList = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

function rangeOf({ minimum, maximum }: Field): readonly string[] {
  if (minimum === undefined) return maximum === undefined ? [] : [`At most ${maximum}.`];
  return [maximum === undefined ? `At least ${minimum}.` : `From ${minimum} to ${maximum}.`];
}

function bounds(field: Field): readonly string[] {
  const { maxLength, whole, pattern, values: words, members } = field;
  return [
    ...(words === undefined ? [] : [`One of ${codeList(words)}.`]),
    ...(whole === true ? ['A whole number.'] : []),
    ...rangeOf(field),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
    ...(pattern === undefined ? [] : [`It ${pattern.message}.`]),
    ...(members === undefined ? [] : [`Members: ${codeList(members)}.`]),
  ];
}

export interface FieldRow {
  readonly name: string;
  readonly type: string;
  /** The operations that accept the field: `create, update`, or `read-only`. */
  readonly accepted: string;
  readonly initial: string;
  readonly notes: string;
}

function initialOf({ default: defaultValue, generated: generatedBy }: Field): string {
  if (generatedBy !== undefined) return 'made by the service';
  const initialText = JSON.stringify(defaultValue);
  if (defaultValue === null) return 'null';
  return initialText.length > 40 ? `\`${initialText.charAt(0)}…${initialText.slice(-1)}\`` : `\`${initialText}\``;
}

/** True if a field is null for an organization owner who sees only the outline of the record. */
const isOutsideOutline = (role: Role): boolean =>
  role.kind === 'any' && role.of.some(({ kind }) => kind === 'ordinary');

/** Returns sentences that say who sees a field. */
function shownNotes(role: Role): readonly string[] {
  if (isOutsideOutline(role)) return ['Null to an owner of the organization who may not read the record.'];
  if (role.kind !== 'all' || !role.of.some(isOutsideOutline))
    return [`Shown to: ${describeRole(role)}; null to others.`];
  return role.of.flatMap(shownNotes);
}

function fieldRow([name, field]: readonly [string, Field]): FieldRow {
  const operationNamesOf = accepted(field, undefined);
  const operations = [...new Set(operationNamesOf)].join(', ');
  const varieties =
    field.of === undefined ? [] : [`Only for ${field.of.map((word) => `\`${word}\``).join(' and ')}; null elsewhere.`];
  const target = field.targetOf === undefined ? [] : [`It must be a ${field.targetOf}.`];
  const right = field.right === undefined ? [] : [`The caller needs *${field.right}* on it.`];
  const condition = field.askedOf === undefined ? [] : [`A change of it needs the same right as \`${field.askedOf}\`.`];
  const shownRules = field.shownTo === undefined ? [] : shownNotes(field.shownTo);
  const recordNote = field.hidden === true || field.transient === true ? ['Not part of the record.'] : [];
  return {
    name,
    type: kinds[field.kind].label,
    accepted: `${operations === '' ? 'read-only' : operations}${field.required ? ', required' : ''}`,
    initial: initialOf(field),
    notes: [
      field.description,
      ...bounds(field),
      ...varieties,
      ...target,
      ...right,
      ...condition,
      ...shownRules,
      ...recordNote,
    ].join(' '),
  };
}

/** Returns the fields that a caller sees or may send, in declaration order. */
export const fieldRows = (resource: Resource): readonly FieldRow[] => {
  const shownNames = new Set(!isStored(resource) ? [] : shownFields(resource).map(([name]) => name));
  return Object.entries(resource.fields)
    .filter(([name, field]) => shownNames.has(name) || accepted(field, undefined).length > 0)
    .map(fieldRow);
};
