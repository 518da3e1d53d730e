import type { Expression } from '../expression.ts';
import { keyOf, replace, withAlias } from '../plan/expressions/walk.ts';
import { wallOfPart } from '../plan/time/parts.ts';
import { shapeAlias, type RollupPart } from './shape.ts';

type Aggregate = Extract<Expression, { readonly kind: 'aggregate' }>;

/** Raised if rows of a rollup cannot stand for the rows of a dataset in a query. */
export class NoRollup extends Error {}

/** How an expression over the rows of a dataset reads a rollup. Each method raises NoRollup if it cannot. */
export interface RollupReader {
  /** Returns a column that the rollup groups by. */
  readonly column: (name: string) => Expression;
  /** Returns the start of the bucket for a time whose period is needed; null if the rollup has no such bucket. */
  readonly period: (name: string, zone: string, level: number, weekstart: number) => Expression | null;
  /** Returns the test of buckets that equals a test of a time; null if there is none. */
  readonly edge: (name: string, sign: '>=' | '<', edge: Expression) => Expression | null;
  /** Returns a column that is null exactly where the time is null; null if the rollup has none. */
  readonly presence: (name: string) => Expression | null;
  /** Returns the values of a part. `of` is over the alias of shapes. */
  readonly part: (name: RollupPart['name'], of: Expression | null) => Expression | null;
}

/** Returns the column and the zone of a wall clock; null for another expression. */
function clockOf(of: Expression, alias: string): { readonly name: string; readonly zone: string } | null {
  const inner = of.kind === 'zone' && of.to === 'local' ? of.of : of;
  if (inner.kind !== 'column' || inner.relation !== alias || inner.type !== 'timestamp') return null;
  return { name: inner.name, zone: of.kind === 'zone' ? of.zone : 'UTC' };
}

/** Rewrites expressions over the rows of one dataset to expressions over a rollup. */
export class RollupWalk {
  readonly #alias: string;
  readonly #reader: RollupReader;

  constructor(alias: string, reader: RollupReader) {
    this.#alias = alias;
    this.#reader = reader;
  }

  /** Raises NoRollup. */
  of(expression: Expression): Expression {
    return replace(expression, (part) => {
      if (part.kind === 'aggregate') return this.#aggregate(part);
      if (part.kind === 'column') return part.relation === this.#alias ? this.#reader.column(part.name) : part;
      if (part.kind === 'running' || part.kind === 'position') throw new NoRollup();
      if (part.kind === 'call') return this.#test(part) ?? this.#partOfTime(part);
      if (part.kind === 'periodKey' || part.kind === 'truncate') {
        const start = this.#period(part.of, part.level, part.weekstart);
        return start === null ? null : { ...part, of: start };
      }
      return null;
    });
  }

  #period(of: Expression, level: number, weekstart: number): Expression | null {
    const clock = clockOf(of, this.#alias);
    return clock === null ? null : this.#reader.period(clock.name, clock.zone, level, weekstart);
  }

  #test({ name, args }: Extract<Expression, { readonly kind: 'call' }>): Expression | null {
    const [left, right] = args;
    if (left?.kind !== 'column' || left.relation !== this.#alias || left.type !== 'timestamp') return null;
    if (name === 'isNull' || name === 'isNotNull') {
      const value = this.#reader.presence(left.name);
      return value === null ? null : { kind: 'call', name, args: [value], type: 'boolean' };
    }
    return (name === '>=' || name === '<') && right?.kind === 'literal'
      ? this.#reader.edge(left.name, name, right)
      : null;
  }

  /** Rewrites a part of a time that is the same within a day, such as its weekday. */
  #partOfTime(call: Extract<Expression, { readonly kind: 'call' }>): Expression | null {
    const wall = call.name === 'hour' ? null : wallOfPart(call);
    const start = wall === null ? null : this.#period(wall, 5, 1);
    return start === null ? null : replace(call, (part) => (part === wall ? start : null));
  }

  #aggregate({ name, args, type }: Aggregate): Expression {
    const [argument] = args;
    const of = argument === undefined ? null : withAlias(argument, this.#alias, shapeAlias);
    const merged = (sumName: 'sum' | 'min' | 'max', value: Expression): Expression => ({
      kind: 'aggregate',
      name: sumName,
      args: [value],
      type: value.type,
    });
    const part = (partName: RollupPart['name']): Expression => {
      const value = this.#reader.part(partName, of);
      if (value === null) throw new NoRollup();
      return value;
    };
    const counted = (partName: 'rows' | 'count'): Expression => ({
      kind: 'call',
      name: 'coalesce',
      args: [merged('sum', part(partName)), { kind: 'literal', value: 0, type: 'integer' }],
      type: 'integer',
    });
    switch (name) {
      case 'rows':
      case 'count':
        return counted(name);
      case 'sum':
      case 'min':
      case 'max':
        return merged(name, part(name));
      case 'average':
        return { kind: 'call', name: '/', args: [merged('sum', part('sum')), counted('count')], type };
      case 'deviation':
        return {
          kind: 'aggregate',
          name: 'deviationOfParts',
          args: [part('count'), part('average'), part('deviation')],
          type,
        };
      case 'distinct':
        return { kind: 'aggregate', name, args: args.map((arg) => this.of(arg)), type };
      default:
        throw new NoRollup();
    }
  }
}

/** True if two expressions are the same. */
export const isSame = (left: Expression | null, right: Expression | null): boolean =>
  left === null || right === null ? left === right : keyOf(left) === keyOf(right);
