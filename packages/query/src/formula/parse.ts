import { type FormulaFault, FormulaRefusal } from './fault.ts';
import { type Token, tokenize } from './tokens.ts';

/**
 * The syntax tree of a formula. Operators, `case` and functions are calls. `at` is the offset in the text. `where`
 * filters the rows of an aggregate. `rows` is the star of `count(*)`.
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

/** A parsed formula, or the first fault of the formula. */
export type ParsedFormula = { readonly formula: Formula } | { readonly fault: FormulaFault };

const deepestFormula = 64;
const longestChain = 200;
/** Words that stand between the parts of a formula. */
export const keywords: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'is',
  'in',
  'between',
  'case',
  'when',
  'then',
  'else',
  'end',
  'where',
]);

/** How tightly each operator binds. */
export const binding: Readonly<Record<string, number>> = {
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

const tokenText = (token: Token): string => (token.kind === 'end' ? 'the end' : JSON.stringify(String(token.value)));

const call = (name: string, at: number, ...args: readonly Formula[]): Formula => ({
  kind: 'call',
  name,
  args,
  where: null,
  at,
});

const negated = (formula: Formula, at: number): Formula =>
  formula.kind === 'number' ? { ...formula, value: -formula.value, at } : call('negate', at, formula);

/** Returns the operator of a token; an empty string if the token is no operator. */
const operatorOf = (token: Token): string => (token.kind === 'sign' || token.kind === 'word' ? token.value : '');

/** Pratt parser; `binding` maps operators to their precedence. Methods raise FormulaRefusal. */
class FormulaParser {
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  #place = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], end: Token) {
    this.#tokens = tokens;
    this.#end = end;
  }

  whole(): Formula {
    const formula = this.#expression(0);
    const token = this.#peek();
    if (token.kind !== 'end') this.#refuse(`the formula could end here, but ${tokenText(token)} follows`);
    return formula;
  }

  #peek(): Token {
    return this.#tokens[this.#place] ?? this.#end;
  }

  #next(): Token {
    const token = this.#peek();
    this.#place += 1;
    return token;
  }

  #is(value: string): boolean {
    return operatorOf(this.#peek()) === value;
  }

  #skip(value: string): boolean {
    if (!this.#is(value)) return false;
    this.#place += 1;
    return true;
  }

  #refuse(message: string, at = this.#peek().at): never {
    throw new FormulaRefusal(at, message);
  }

  #expect(value: string): void {
    if (!this.#skip(value)) this.#refuse(`"${value}" is expected here, not ${tokenText(this.#peek())}`);
  }

  /** Parses an expression whose operators bind at least as tightly as `minPower`. */
  #expression(minPower: number): Formula {
    this.#depth += 1;
    if (this.#depth > deepestFormula) this.#refuse(`a formula is nested at most ${deepestFormula} deep`);
    let left = this.#operand();
    for (let links = 0; ; links += 1) {
      const token = this.#peek();
      const operator = operatorOf(token);
      const power = Object.hasOwn(binding, operator) ? binding[operator] : undefined;
      if (power === undefined || power < minPower) break;
      if (links === longestChain) this.#refuse(`at most ${longestChain} operators follow each other without brackets`);
      left = this.#operation(left, operator, token.at);
    }
    this.#depth -= 1;
    return left;
  }

  /** Parses the rest of an operation after its left operand. The next token is the operator. */
  #operation(left: Formula, operator: string, at: number): Formula {
    switch (operator) {
      case 'is': {
        this.#place += 1;
        const isNegated = this.#skip('not');
        this.#expect('null');
        const isNull = call('is null', at, left);
        return isNegated ? call('not', at, isNull) : isNull;
      }
      case 'not':
        this.#place += 1;
        return call('not', at, this.#test(left, at));
      case 'in':
      case 'between':
        return this.#test(left, at);
      default:
        this.#place += 1;
        return call(operator === '<>' ? '!=' : operator, at, left, this.#expression((binding[operator] ?? 0) + 1));
    }
  }

  #test(left: Formula, at: number): Formula {
    if (this.#skip('in')) {
      this.#expect('(');
      return call('in', at, left, ...this.#list());
    }
    this.#expect('between');
    const low = this.#expression(5);
    this.#expect('and');
    return call('and', at, call('>=', at, left, low), call('<=', at, left, this.#expression(5)));
  }

  #values(): Formula[] {
    const values = [this.#expression(0)];
    while (this.#skip(',')) values.push(this.#expression(0));
    return values;
  }

  #list(): Formula[] {
    const list = this.#is(')') ? [] : this.#values();
    this.#expect(')');
    return list;
  }

  #operand(): Formula {
    const token = this.#next();
    const { at } = token;
    switch (token.kind) {
      case 'number':
        return { kind: 'number', value: token.value, at };
      case 'text':
        return { kind: 'text', value: token.value, at };
      case 'column':
        return { kind: 'column', id: token.value, at };
      case 'word':
        return this.#word(token.value, at);
      case 'sign':
      case 'end':
        return this.#signed(token);
    }
  }

  #signed(token: Token): Formula {
    const { at } = token;
    switch (operatorOf(token)) {
      case '(': {
        const innerFormula = this.#expression(0);
        this.#expect(')');
        return innerFormula;
      }
      case '-':
        return negated(this.#expression(bindingOfMinus), at);
      case '+':
        return this.#expression(bindingOfMinus);
      default:
        return this.#refuse(`a value is expected here, not ${tokenText(token)}`, at);
    }
  }

  #word(word: string, at: number): Formula {
    switch (word) {
      case 'not':
        return call('not', at, this.#expression(bindingOfNot));
      case 'case':
        return this.#cases(at);
      case 'true':
      case 'false':
        return { kind: 'boolean', value: word === 'true', at };
      case 'null':
        return { kind: 'null', at };
      default:
        return this.#invocation(word, at);
    }
  }

  #cases(at: number): Formula {
    const args: Formula[] = [];
    if (!this.#is('when')) this.#refuse('"when" is expected here: case when … then … else … end');
    while (this.#skip('when')) {
      args.push(this.#expression(0));
      this.#expect('then');
      args.push(this.#expression(0));
    }
    args.push(this.#skip('else') ? this.#expression(0) : { kind: 'null', at: this.#peek().at });
    this.#expect('end');
    return call('case', at, ...args);
  }

  #invocation(name: string, at: number): Formula {
    if (keywords.has(name)) this.#refuse(`a value is expected here, not "${name}"`, at);
    if (!this.#is('(')) this.#refuse(`"${name}" is not a function call; a text is quoted, a column is {id}`, at);
    this.#expect('(');
    const star: Formula[] = this.#is('*') ? [{ kind: 'rows', at: this.#next().at }] : [];
    const args = star.length > 0 || this.#is(')') ? star : this.#values();
    const where = this.#skip('where') ? this.#expression(0) : null;
    this.#expect(')');
    return { kind: 'call', name, args, where, at };
  }
}

/**
 * Parses a formula. Never throws: returns a fault if the text is longer than 10,000 characters or nested deeper than 64
 * levels.
 */
export const parseFormula = (text: string): ParsedFormula => {
  const tokens = tokenize(text);
  if ('message' in tokens) return { fault: tokens };
  try {
    return { formula: new FormulaParser(tokens, { kind: 'end', value: '', at: text.length }).whole() };
  } catch (error) {
    if (error instanceof FormulaRefusal) return { fault: error.fault };
    throw error;
  }
};
