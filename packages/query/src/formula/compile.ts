import { parseTimestamp } from '@inlay/contract';
import { literal, type Expression, type Scope } from '../expression.ts';
import { type FormulaFault, FormulaRefusal } from './fault.ts';
import { parseFormula, type Formula } from './parse.ts';
import { measure } from './size.ts';
import { instant, isNull, only, sortOfType, type FormulaClock, type FormulaSort } from './sorts.ts';
import { fits, placeInWords, signs, vocabulary, type Entry, type Place } from './vocabulary.ts';

/** A compiled formula, or the first fault of the formula. */
export type CompiledFormula = { readonly expression: Expression } | { readonly fault: FormulaFault };

type Call = Extract<Formula, { kind: 'call' }>;

/**
 * Where a part of a formula stands. `aggregate` is the function around it; null outside aggregates, where columns are
 * those of a group.
 */
interface Within {
  readonly scope: Scope;
  readonly clock: FormulaClock;
  readonly aggregate: string | null;
}

const refuse = (at: number, message: string): never => {
  throw new FormulaRefusal(at, message);
};

export const functionNamed = (name: string): Entry | undefined =>
  Object.entries(vocabulary).find(([entryName]) => entryName === name)?.[1] ?? undefined;

const constantTime = (name: 'date' | 'datetime', node: Call, within: Within): Expression => {
  const [of] = node.args;
  if (node.args.length !== 1 || of?.kind !== 'text')
    return refuse(node.at, `${name} takes one text in quotes, such as ${name}('2024-02-29')`);
  return timeOf(of.value, name === 'date', within.clock) ?? refuse(of.at, `${JSON.stringify(of.value)} is no date`);
};

/** Parses an ISO 8601 day or time; null if the text is neither. A time without a zone is in the zone of the query. */
const timeOf = (text: string, asDate: boolean, clock: FormulaClock): Expression | null => {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  const withSeconds = text.replace(' ', 'T').replace(/T(\d{2}:\d{2})(?=$|Z|[+-])/, 'T$1:00');
  const timestampText = parseTimestamp(day ? `${text}T00:00:00Z` : hasZone ? withSeconds : `${withSeconds}Z`);
  if (timestampText === undefined || timestampText.startsWith('0000') || (asDate && !day)) return null;
  if (asDate) return literal(text, 'date');
  const wall = literal(timestampText.replace('T', ' ').replace('Z', ''), 'timestamp');
  return hasZone ? wall : instant(wall, clock);
};

/** Converts quoted texts to times if they are compared with dates or times. */
const readAsTimes = (args: readonly Formula[], values: readonly Expression[], clock: FormulaClock): Expression[] => {
  const isTime = values.some(({ type }) => sortOfType(type) === 'time');
  const asDate = values.every(({ type }) => type === 'date' || type === 'text');
  return values.map((value, index) => {
    const node = args[index];
    if (!isTime || node?.kind !== 'text') return value;
    return timeOf(node.value, asDate && /^\d{4}-\d{2}-\d{2}$/.test(node.value), clock) ?? value;
  });
};

const checkSame = (args: readonly Formula[], values: readonly Expression[]): void => {
  let sort: FormulaSort | null = null;
  values.forEach((value, index) => {
    if (isNull(value)) return;
    const valueSort = sortOfType(value.type);
    sort ??= valueSort;
    if (valueSort !== sort)
      refuse(args[index]?.at ?? 0, `${placeInWords[sort]} is expected here as before, not ${placeInWords[valueSort]}`);
  });
};

const placeOf = (entry: Entry, node: Call, index: number): Place | undefined => {
  if (node.name === 'case') return index % 2 === 0 && index < node.args.length - 1 ? 'boolean' : 'same';
  return entry.takes[index] ?? (entry.repeats === true ? entry.takes.at(-1) : undefined);
};

const argumentsOf = (entry: Entry, node: Call, within: Within): readonly Expression[] => {
  const places = node.args.map((_, index) => placeOf(entry, node, index));
  const minCount = entry.least ?? entry.takes.length;
  const extra = places.indexOf(undefined);
  if (extra >= 0) refuse(node.args[extra]?.at ?? node.at, `${node.name} takes at most ${entry.takes.length} values`);
  if (node.args.length < minCount) refuse(node.at, `${node.name} takes ${minCount} value${minCount === 1 ? '' : 's'}`);
  const compiledArgs = node.args.map((arg) => compile(arg, within));
  const alikeIndexes = places.flatMap((place, index) => (place === 'same' ? [index] : []));
  const pick = <Of>(from: readonly Of[]): Of[] => from.filter((_, index) => alikeIndexes.includes(index));
  const readValues = readAsTimes(pick(node.args), pick(compiledArgs), within.clock);
  checkSame(pick(node.args), readValues);
  return compiledArgs.map((value, index) => {
    const place = places[index] ?? 'any';
    if (!isNull(value) && !fits(place, value))
      refuse(node.args[index]?.at ?? node.at, `${placeInWords[place]} is expected here`);
    return alikeIndexes.includes(index) ? (readValues[alikeIndexes.indexOf(index)] ?? value) : nullAs(place, value);
  });
};

const nullTypes = { number: 'double', text: 'text', time: 'timestamp', boolean: 'boolean' } as const;
const nullAs = (place: Place, value: Expression): Expression => {
  if (!isNull(value)) return value;
  const type = place === 'number' || place === 'text' || place === 'time' || place === 'boolean' ? place : 'number';
  return literal(null, nullTypes[type]);
};

const aggregated = (entry: Entry, node: Call, within: Within): Expression => {
  if (within.aggregate !== null)
    refuse(node.at, `${node.name} is an aggregate and cannot stand inside ${within.aggregate}`);
  const aggregateContext = { ...within, aggregate: node.name };
  const star = node.args[0]?.kind === 'rows';
  if (star && node.name !== 'count') refuse(node.args[0]?.at ?? node.at, 'only count takes a star');
  const values = star ? [] : argumentsOf(entry, node, aggregateContext);
  if (node.where === null) return entry.write(values, within.clock);
  const test = compile(node.where, aggregateContext);
  if (test.type !== 'boolean') refuse(node.where.at, 'a condition is expected after where');
  const [value = literal(1, 'integer'), ...constants] = values;
  return entry.write([only(test, value), ...constants], within.clock);
};

const called = (node: Call, within: Within): Expression => {
  if (node.name === 'date' || node.name === 'datetime') return constantTime(node.name, node, within);
  const sign = Object.hasOwn(signs, node.name) ? signs[node.name] : undefined;
  const entry = sign ?? functionNamed(node.name);
  if (entry === undefined) return refuse(node.at, `there is no function ${JSON.stringify(node.name)}`);
  if (entry.aggregates === true) return aggregated(entry, node, within);
  if (node.where !== null) refuse(node.where.at, `${node.name} is no aggregate and takes no where`);
  return entry.write(argumentsOf(entry, node, within), within.clock);
};

const compile = (node: Formula, within: Within): Expression => {
  switch (node.kind) {
    case 'number':
      return literal(node.value, Number.isSafeInteger(node.value) ? 'integer' : 'double');
    case 'text':
      return literal(node.value, 'text');
    case 'boolean':
      return literal(node.value, 'boolean');
    case 'null':
      return literal(null, 'double');
    case 'rows':
      return refuse(node.at, 'a star stands only in count(*)');
    case 'column':
      return within.scope(node.id) ?? refuse(node.at, `there is no column ${JSON.stringify(node.id)}`);
    case 'call':
      return called(node, within);
  }
};

/** If a formula uses aggregates, returns the offset of the first column outside them; otherwise null. */
const placeOfMixedColumn = (formula: Formula): number | null => {
  const barePlaces: number[] = [];
  const state = { aggregates: false };
  const visit = (node: Formula): void => {
    if (node.kind === 'column') barePlaces.push(node.at);
    if (node.kind !== 'call') return;
    if (functionNamed(node.name)?.aggregates === true) state.aggregates = true;
    else node.args.forEach(visit);
  };
  visit(formula);
  return state.aggregates ? (barePlaces[0] ?? null) : null;
};

/**
 * Parses and checks a formula. specification/formulas. Never throws, whatever the text. No part of the text becomes
 * SQL: values are bound, and columns come from `scope`.
 *
 * @param scope returns the column with an id in braces; if it returns an aggregate, the column counts as aggregated
 * @param clock current time, zone and first day of the week of the query
 */
export const compileFormula = (text: string, scope: Scope, clock: FormulaClock): CompiledFormula => {
  const parseResult = parseFormula(text);
  if ('fault' in parseResult) return parseResult;
  try {
    const barePlace = placeOfMixedColumn(parseResult.formula);
    if (barePlace !== null) refuse(barePlace, 'this column stands outside the aggregates; put it into one');
    const expression = compile(parseResult.formula, { scope, clock, aggregate: null });
    const tooLarge = measure(expression);
    return tooLarge === null ? { expression } : { fault: { at: 0, message: tooLarge } };
  } catch (error) {
    if (error instanceof FormulaRefusal) return { fault: error.fault };
    throw error;
  }
};
