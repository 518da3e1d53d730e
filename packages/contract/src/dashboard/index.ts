export * from './build.ts';
export { contentsWarnings, themeWarnings } from './check.ts';
export { formatFault, isDateFormat, isNumberFormat } from './formats.ts';
export {
  column,
  formula,
  slotContentMembers,
  storedFormula,
  type Entry,
  type EntryOptions,
} from '../item-types/declare/entry.ts';
export type { ItemInput, Position } from '../item-types/declare/item-type.ts';
export * from '../item-types/types.ts';
export type { ListOf, Member, MemberKind, Members } from '../members/member.ts';
export type { Words } from '../members/value.ts';
export * from './members.ts';
export { themeMembers } from './theme-members.ts';
export type { ContentsWarning } from './warning.ts';
export { contentsSchema, membersSchema } from './schema.ts';
