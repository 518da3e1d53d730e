import { listOr, objectOr, textOr } from '@inlay/contract';
import { part } from '../support/world.ts';
import { columnsTold, sensible, userMessage, type Arrived, type Behaviour } from './provider-server.ts';

/** A text that an answer names as a value of a column. */
interface NamedValue {
  readonly text: string;
  readonly column: string;
}

const idOf = (arrived: Arrived, name: string): string =>
  columnsTold(arrived).find((column) => column.name.toLowerCase() === name)?.id ?? '';

/** Returns the signs in a request, each with the first of its columns. */
const signsIn = (arrived: Arrived): readonly NamedValue[] =>
  listOr(objectOr(JSON.parse(userMessage(arrived)))['values']).map((value) => ({
    text: textOr(part(value, 'value'), ''),
    column: textOr(listOr(part(value, 'columns'))[0], ''),
  }));

/** Returns the words of the question in a request. */
const wordsIn = (arrived: Arrived): readonly string[] =>
  textOr(objectOr(JSON.parse(userMessage(arrived)))['question'], '')
    .split(/[ ,]+/u)
    .filter((word) => /^\p{L}/u.test(word));

const answerWith = (arrived: Arrived, values: readonly NamedValue[]): string => {
  const conditions = values.map(({ text, column }) => ({ kind: 'values', column, values: [text], excluded: false }));
  return JSON.stringify({ ...objectOr(JSON.parse(sensible(arrived))), conditions, follow_up: true, unread: [] });
};

/** Names the signs that it is told of, and every word of the question as a value, in a column of texts. */
export const naming: Behaviour = (arrived) => {
  const city = idOf(arrived, 'city');
  return answerWith(arrived, [...signsIn(arrived), ...wordsIn(arrived).map((text) => ({ text, column: city }))]);
};

/** Names a sign as a value of the column *city*, whether it is told of it or not. */
export const namingSign =
  (sign: string): Behaviour =>
  (arrived) =>
    answerWith(arrived, [{ text: sign, column: idOf(arrived, 'city') }]);
