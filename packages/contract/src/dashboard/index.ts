export * from './build.ts';
export { checkContents } from './check/faults.ts';
export { contentsWarnings, themeWarnings } from './check/warnings.ts';
export { formatFault, isDateFormat, isNumberFormat } from './check/formats.ts';
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
export { readMembers, type ReadMembers } from '../members/read.ts';
export type { Words } from '../members/value.ts';
export * from './members.ts';
export { DashboardModel } from './model/model.ts';
export type { Part, PartKind } from './model/part.ts';
export { themeMembers } from './theme-members.ts';
export type { ContentsWarning } from './check/warning.ts';
export { contentsSchema, membersSchema } from './schema.ts';
