export { JsonText, type JsonPath } from '../model/json-text.ts';
export { DashboardModel } from '../model/model.ts';
export type { Part, PartKind } from '../model/part.ts';
export { apply, invert } from './apply.ts';
export { changeClasses, type ChangeClass } from './classes/change-class.ts';
export { classify } from './classes/classify.ts';
export { describe } from './wording/describe.ts';
export { diff } from './compare/diff.ts';
export { ChangeError, type ChangeFault, type ChangeFaultCode } from './fault.ts';
export {
  setMember,
  type Change,
  type InsertOperation,
  type MoveOperation,
  type Operation,
  type RemoveOperation,
  type SetOperation,
  type UnsetOperation,
} from './operation.ts';
export { readChange } from './read-change.ts';
export { rebase, type Conflict, type RebasedChange } from './compare/rebase.ts';
export { changeLanguages } from './wording/words.ts';
export { filled } from '../../wording/filled.ts';
