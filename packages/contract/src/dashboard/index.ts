export * from './build.ts';
export { contentsWarnings, themeWarnings, type ContentsWarning } from './check.ts';
export { isDateFormat, isNumberFormat } from './formats.ts';
export type { ListOf, Member, MemberKind, Members } from './member.ts';
export * from './members.ts';
export { themeMembers } from './theme-members.ts';
export { contentsSchema, membersSchema } from './schema.ts';
