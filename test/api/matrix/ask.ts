import { isObject } from '@inlay/contract';
import type { Answer, Credential, TestService } from '../../support/service.ts';
import { part, rowIds, type World } from '../../support/world.ts';
import { refuses, type Expectation } from './grid.ts';

/** One call to make, what it should give, and how to name it when it does not. */
export interface Question {
  readonly name: string;
  readonly source: string;
  readonly resource: string;
  readonly body: object;
  readonly credential: Credential | undefined;
  readonly expected: Expectation;
  /** For searches: the record to look for. */
  readonly record?: string;
  /** The right suffices but the documents leave the outcome open: a 400 is as good as a 200. */
  readonly outcomeOpen?: boolean;
}

const refusalsLeftOpen: readonly number[] = [400, 403, 404];

const isSearchExpectation = (expected: Expectation): boolean =>
  expected === 'see' || expected === 'nil' || expected === 'hid';

function holds(question: Question, answer: Answer): boolean {
  const { expected, record, outcomeOpen = false } = question;
  if (expected === 'no') return refusalsLeftOpen.includes(answer.status);
  if (expected === '200' && outcomeOpen && answer.status === 400) return true;
  if (!isSearchExpectation(expected)) return answer.status === Number(expected);
  if (answer.status === 403) return expected === 'hid';
  return answer.status === 200 && record !== undefined && rowIds(answer).includes(record) === (expected === 'see');
}

/** Returns a refusal says its status and a stable word. */
const refusalIsWellFormed = ({ status, body }: Answer): boolean =>
  status === 200 || (part(part(body, 'type'), 'code') === status && typeof part(body, 'code') === 'string');

function said(answer: Answer): string {
  if (answer.status === 200)
    return isObject(answer.body) && 'rows' in answer.body ? `${rowIds(answer).length} rows` : '';
  return `${String(part(answer.body, 'code'))}: ${String(part(answer.body, 'message'))}`;
}

/** Makes the call and returns what is wrong with its answer, or nothing. */
export async function wrongWith(service: TestService, question: Question): Promise<string | undefined> {
  const answer = await service.call(question.resource, question.body, question.credential);
  const right = holds(question, answer) && refusalIsWellFormed(answer);
  if (right) return undefined;
  return `${question.name}: expected ${question.expected}, got ${answer.status} ${said(answer)} (${question.source})`;
}

/** Groups the questions that are turned down, so that the store is compared before and after each group. */
export function refusalsByGroup<Item extends { readonly expected: Expectation }>(
  items: readonly Item[],
  groupOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  return Map.groupBy(
    items.filter((item) => refuses(item.expected)),
    groupOf,
  );
}

/** Asks questions that must all be turned down; what is wrong includes that one of them left a trace in the store. */
export async function askRefusals(world: World, group: string, questions: readonly Question[]): Promise<string[]> {
  const before = await world.service.stateHash();
  const wrong: string[] = [];
  for (const question of questions) {
    const fault = await wrongWith(world.service, question);
    if (fault !== undefined) wrong.push(fault);
  }
  if ((await world.service.stateHash()) !== before) wrong.push(`${group}: a refused call changed the store`);
  return wrong;
}
