export * from './build.ts';
export { contentsWarnings, themeWarnings } from './check.ts';
export { formatFault, isDateFormat, isNumberFormat } from './formats.ts';
export type { ListOf, Member, MemberKind, Members } from './member.ts';
export * from './members.ts';
export { optionMembers } from './option-members.ts';
export { themeMembers } from './theme-members.ts';
export type { ContentsWarning } from './warning.ts';
export { contentsSchema, membersSchema } from './schema.ts';
