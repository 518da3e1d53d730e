import { type FormulaFault, FormulaRefusal } from './fault.ts';
import { type Token, tokenize } from './tokens.ts';

/**
 * The syntax tree of a formula: operators, `case` and functions are calls. `at` is the offset in the text.
 * `where` filters the rows of an aggregate; `rows` is the star of `count(*)`.
 */
export type Formula =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'text'; readonly value: string; readonly at: number }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: number }
  | { readonly kind: 'null' | 'rows'; readonly at: number }
  | { readonly kind: 'column'; readonly id: string; readonly at: number }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly Formula[];
      readonly where: Formula | null;
      readonly at: number;
    };

/** A parsed formula, or its first fault. */
export type ParsedFormula = { readonly formula: Formula } | { readonly fault: FormulaFault };

const deepestFormula = 64;
const longestChain = 200;
const keywords = new Set(['and', 'or', 'not', 'is', 'in', 'between', 'case', 'when', 'then', 'else', 'end', 'where']);

const binding: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  '=': 4,
  '!=': 4,
  '<>': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  is: 4,
  in: 4,
  between: 4,
  not: 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};
const bindingOfNot = 3;
const bindingOfMinus = 7;

const named = (token: Token): string => (token.kind === 'end' ? 'the end' : JSON.stringify(String(token.value)));

/** A Pratt parser. Its state is the position in the tokens and the depth. */
const parseTokens = (tokens: readonly Token[], end: Token): Formula => {
  let place = 0;
  let depth = 0;
  const peek = (): Token => tokens[place] ?? end;
  const next = (): Token => {
    const token = peek();
    place += 1;
    return token;
  };
  const is = (value: string): boolean => {
    const token = peek();
    return (token.kind === 'sign' || token.kind === 'word') && token.value === value;
  };
  const skip = (value: string): boolean => {
    if (!is(value)) return false;
    place += 1;
    return true;
  };
  const refuse = (message: string, at = peek().at): never => {
    throw new FormulaRefusal(at, message);
  };
  const expect = (value: string): void => {
    if (!skip(value)) refuse(`"${value}" is expected here, not ${named(peek())}`);
  };
  const call = (name: string, at: number, ...args: readonly Formula[]): Formula => ({
    kind: 'call',
    name,
    args,
    where: null,
    at,
  });

  const negated = (of: Formula, at: number): Formula =>
    of.kind === 'number' ? { ...of, value: -of.value, at } : call('negate', at, of);

  const values = (): Formula[] => {
    const list = [expression(0)];
    while (skip(',')) list.push(expression(0));
    return list;
  };
  const list = (): Formula[] => {
    const list = is(')') ? [] : values();
    expect(')');
    return list;
  };

  const invocation = (name: string, at: number): Formula => {
    expect('(');
    const star: Formula[] = is('*') ? [{ kind: 'rows', at: next().at }] : [];
    const args = star.length > 0 || is(')') ? star : values();
    const where = skip('where') ? expression(0) : null;
    expect(')');
    return { kind: 'call', name, args, where, at };
  };

  const cases = (at: number): Formula => {
    const args: Formula[] = [];
    if (!is('when')) refuse('"when" is expected here: case when … then … else … end');
    while (skip('when')) {
      args.push(expression(0));
      expect('then');
      args.push(expression(0));
    }
    args.push(skip('else') ? expression(0) : { kind: 'null', at: peek().at });
    expect('end');
    return call('case', at, ...args);
  };

  const operand = (): Formula => {
    const token = next();
    const { at } = token;
    if (token.kind === 'number') return { kind: 'number', value: token.value, at };
    if (token.kind === 'text') return { kind: 'text', value: token.value, at };
    if (token.kind === 'column') return { kind: 'column', id: token.value, at };
    if (token.kind === 'sign' && token.value === '(') {
      const inner = expression(0);
      expect(')');
      return inner;
    }
    if (token.kind === 'sign' && token.value === '-') return negated(expression(bindingOfMinus), at);
    if (token.kind === 'sign' && token.value === '+') return expression(bindingOfMinus);
    if (token.kind !== 'word') return refuse(`a value is expected here, not ${named(token)}`, at);
    if (token.value === 'not') return call('not', at, expression(bindingOfNot));
    if (token.value === 'case') return cases(at);
    if (token.value === 'true' || token.value === 'false')
      return { kind: 'boolean', value: token.value === 'true', at };
    if (token.value === 'null') return { kind: 'null', at };
    if (keywords.has(token.value)) return refuse(`a value is expected here, not "${token.value}"`, at);
    if (!is('(')) return refuse(`"${token.value}" is not a function call; a text is quoted, a column is {id}`, at);
    return invocation(token.value, at);
  };

  const test = (left: Formula, at: number, negated: boolean): Formula => {
    const result = (() => {
      if (skip('in')) {
        expect('(');
        return call('in', at, left, ...list());
      }
      expect('between');
      const low = expression(5);
      expect('and');
      return call('and', at, call('>=', at, left, low), call('<=', at, left, expression(5)));
    })();
    return negated ? call('not', at, result) : result;
  };

  const continued = (left: Formula, operator: string, at: number): Formula => {
    if (operator === 'is') {
      place += 1;
      const negated = skip('not');
      expect('null');
      const isNull = call('is null', at, left);
      return negated ? call('not', at, isNull) : isNull;
    }
    if (operator === 'not') {
      place += 1;
      return test(left, at, true);
    }
    if (operator === 'in' || operator === 'between') return test(left, at, false);
    place += 1;
    return call(operator === '<>' ? '!=' : operator, at, left, expression((binding[operator] ?? 0) + 1));
  };

  const expression = (least: number): Formula => {
    depth += 1;
    if (depth > deepestFormula) refuse(`a formula is nested at most ${deepestFormula} deep`);
    let left = operand();
    for (let links = 0; ; links += 1) {
      const token = peek();
      const { at } = token;
      const value = token.kind === 'sign' || token.kind === 'word' ? token.value : '';
      const power = Object.hasOwn(binding, value) ? binding[value] : undefined;
      if (power === undefined || power < least) break;
      if (links === longestChain) refuse(`at most ${longestChain} operators follow each other without brackets`);
      left = continued(left, value, at);
    }
    depth -= 1;
    return left;
  };

  const formula = expression(0);
  if (peek().kind !== 'end') refuse(`the formula could end here, but ${named(peek())} follows`);
  return formula;
};

/**
 * Parses a formula. Never throws.
 *
 * @param text at most 10,000 characters, at most 64 levels deep
 */
export const parseFormula = (text: string): ParsedFormula => {
  const tokens = tokenize(text);
  if ('message' in tokens) return { fault: tokens };
  try {
    return { formula: parseTokens(tokens, { kind: 'end', value: '', at: text.length }) };
  } catch (error) {
    if (error instanceof FormulaRefusal) return { fault: error.fault };
    throw error;
  }
};
