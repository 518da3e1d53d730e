import { expect, it } from 'vitest';
import type { ChartColumn, ChartDataset } from '../dataset.ts';
import { profileOf } from '../understand.ts';
import { sentConversation, textsToSign } from './conversation.ts';
import { folded } from '../../columns/name-words.ts';
import { keyOf, tokensOf } from './known-words.ts';

const column = (position: number, name: string, type: ChartColumn['type']): ChartColumn => ({
  id: `00000000-0000-4000-8000-00000000000${position}`,
  position,
  name: { en: name },
  sourceName: null,
  description: {},
  synonyms: [],
  type,
  subtype: null,
  format: null,
  aggregation: 'sum',
  cardinality: null,
  span: null,
});
const orders: ChartDataset = {
  id: '00000000-0000-4000-8000-000000000009',
  name: { en: 'Orders' },
  description: {},
  columns: [column(1, 'Reason', 'hierarchy'), column(2, 'Revenue', 'numeric')],
};

/** Returns the text that is sent for an earlier message which contains a value of a row. */
function sentOf(value: string): string {
  const query = { question: 'revenue by reason', history: [`Revenue by Reason, ${value}`], today: '2024-05-15' };
  const profile = profileOf(orders);
  const { texts, equalTexts } = textsToSign(profile, query);
  const byText = new Map(
    [...texts, ...equalTexts]
      .filter((text) => keyOf(tokensOf(text)) === keyOf(tokensOf(value)))
      .map((text) => [text, [{ column: 0, value, distance: 0 }]] as const),
  );
  return sentConversation(profile, query, { byText, isComplete: true, hasFailed: false }).earlier.join(' ');
}

it.each([
  'No more than one of the two',
  'Not the first of the month',
  'Less than the average of the last three months',
  'No more than one order in the last month',
  'Only by date and not with the total of the year and the month before it, or the next',
])('of a value that consists of known words, "%s", no provider gets the whole', (value) => {
  expect(sentOf(value)).not.toContain(value);
});

const lettersOf = (text: string): string => folded(text).replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Returns the question that is sent where each of its texts that equals a value was found. */
function sentQuestion(question: string, values: readonly string[]): string {
  const query = { question, history: [], today: '2024-05-15' };
  const profile = profileOf(orders);
  const { texts, equalTexts } = textsToSign(profile, query);
  const isValue = (text: string): boolean => values.some((value) => lettersOf(text) === lettersOf(value));
  const byText = new Map(
    [...texts, ...equalTexts]
      .filter((text) => isValue(text))
      .map((text) => [text, [{ column: 0, value: text, distance: 0 }]] as const),
  );
  return sentConversation(profile, query, { byText, isComplete: true, hasFailed: false }).question;
}

it.each([
  ['revenue per acme', 'acme'],
  ['revenue by acme', 'acme'],
  ['revenue for each acme', 'acme'],
  ['revenue of the 65+ customers', '65+'],
  ['revenue of class 3B', '3B'],
  ['revenue on 5g', '5g'],
  ['revenue on 5G', '5G'],
  ['revenue without R24', 'R24'],
  ['revenue only r24', 'r24'],
  ['revenue only ACME0ZQ', 'ACME0ZQ'],
])('of "%s", no provider gets the value "%s", whatever stands before it', (question, value) => {
  expect(sentQuestion(question, [value])).not.toContain(value);
});
