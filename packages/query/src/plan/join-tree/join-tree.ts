import { cast, column, selectOf, type Expression, type Join, type RowSource, type Select } from '../../expression.ts';
import { QueryProblem } from '../../problem.ts';
import type { Bins } from '../../query.ts';
import type { PlanContext } from '../context.ts';
import { storedValue } from '../expressions/values.ts';
import { keyOf, relationsOf, replace, withAlias } from '../expressions/walk.ts';
import { pathBetween, type Link } from '../paths.ts';
import { scanOf } from '../scans.ts';
import { binEnds } from './bin-ends.ts';
import { lookupSelect } from './lookup.ts';
import { levelUnder, type JoinLevel, type JoinNode } from './node.ts';

/**
 * Joins the rows of one dataset with the other datasets of a query. A looked-up dataset is reduced to one row per key
 * and joined by a left join. Any other dataset is reduced to its distinct keys and needed values, and joined by an
 * inner join. It therefore filters and groups rows, but never multiplies the rows within a group.
 */
export class JoinTree {
  readonly #context: PlanContext;
  readonly #root: JoinNode;
  readonly #isRaw: boolean;
  readonly #nodes = new Map<string, JoinNode>();
  readonly #placed: Expression[] = [];
  #binCount = 0;

  /**
   * If `isRaw`, rows are not grouped, and a row repeats for each of its matches. Raises QueryProblem `join_missing`.
   */
  constructor(context: PlanContext, root: string, others: readonly string[], at: string, isRaw: boolean) {
    this.#context = context;
    this.#isRaw = isRaw;
    this.#root = { datasetId: root, alias: 't', inner: 't', level: levelUnder(null), exports: new Map(), key: null };
    this.#root.level.head = this.#root;
    this.#nodes.set(root, this.#root);
    for (const other of others) this.#joinPath(other, at);
  }

  /**
   * Rewrites an expression over datasets to an expression over the joined rows. Raises QueryProblem `unsupported` if
   * that is impossible.
   */
  place(expression: Expression, at: string): Expression {
    return this.#use(expression, this.#levelOf(expression, at));
  }

  /** Removes rows that do not pass a test. */
  restrict(test: Expression, at: string): void {
    const level = this.#levelOf(test, at);
    const head = this.#headOf(level).datasetId;
    if (relationsOf(test).every((id) => id === head)) level.filters.push(test);
    else level.where.push(this.#withinLevel(test));
  }

  /**
   * Returns the index of a bin, the start of the first bin and the end of the last bin. Only values that pass `filters`
   * determine the ends.
   */
  bins(of: Expression, bins: Bins, filters: readonly Expression[], at: string): readonly Expression[] {
    const level = this.#levelOf(of, at);
    const [datasetId = this.#root.datasetId] = relationsOf(of);
    const as = `b${this.#binCount}`;
    this.#binCount += 1;
    const ends = binEnds(this.#context, datasetId, of, bins, filters);
    level.bounds.push({ how: 'cross', to: ends.select, as, on: [] });
    const [low, high] = [column(as, 'min', ends.type), column(as, 'max', ends.type)];
    const levelValue = this.#withinLevel(of);
    const bin: Expression = { kind: 'bin', of: levelValue, low, high, bins: bins.count, type: 'integer' };
    return [bin, low, high].map((entry) => this.#place(this.#liftToRoot(entry, level)));
  }

  /** Returns the joined rows. Call it after all expressions are placed. */
  rows(): RowSource {
    return this.#rowsOf(this.#root, this.#placed);
  }

  #use(expression: Expression, level: JoinLevel): Expression {
    return this.#place(this.#liftToRoot(this.#withinLevel(expression), level));
  }

  #place(expression: Expression): Expression {
    this.#placed.push(expression);
    return expression;
  }

  #joinPath(datasetId: string, at: string): void {
    const { model } = this.#context;
    const root = this.#root.datasetId;
    const path = pathBetween(model, root, datasetId);
    if (path === null)
      throw new QueryProblem('join_missing', at, `no linked columns lead from dataset ${root} to ${datasetId}`);
    for (const link of path) this.#join(link);
  }

  #join({ from, to, how }: Link): void {
    const { datasetId } = to;
    const parent = this.#nodes.get(from.datasetId);
    if (parent === undefined || this.#nodes.has(datasetId)) return;
    const [left, right] = [storedValue(from), storedValue(to)];
    const isSameType = left.type === right.type;
    const level = how === 'lookup' ? parent.level : levelUnder(parent.level);
    const alias = `j${this.#nodes.size}`;
    const innerAlias = `${alias}s`;
    const key = {
      parent: this.#withinLevel(isSameType ? left : cast(left, 'text')),
      own: withAlias(isSameType ? right : cast(right, 'text'), datasetId, innerAlias),
    };
    const node: JoinNode = { datasetId, alias, inner: innerAlias, level, exports: new Map(), key };
    this.#nodes.set(datasetId, node);
    level.head ??= node;
    parent.level.joined.push(node);
  }

  #headOf(level: JoinLevel): JoinNode {
    return level.head ?? this.#root;
  }

  /** Adds an expression to the columns of a node's select. Returns the column by which the level above refers to it. */
  #export(node: JoinNode, of: Expression): Expression {
    const key = keyOf(of);
    const exportedColumn = node.exports.get(key) ?? { as: `c${node.exports.size}`, of };
    node.exports.set(key, exportedColumn);
    return column(node.alias, exportedColumn.as, of.type);
  }

  /** Rewrites an expression over the datasets of one level to an expression over the select of the level's head. */
  #withinLevel(expression: Expression): Expression {
    return replace(expression, (part) => {
      const node = part.kind === 'column' ? this.#nodes.get(part.relation) : undefined;
      if (node === undefined || part.kind !== 'column') return null;
      const ownColumn: Expression = { ...part, relation: node.inner };
      return node.level.head === node ? ownColumn : this.#export(node, ownColumn);
    });
  }

  #liftToRoot(expression: Expression, from: JoinLevel): Expression {
    let liftedExpression = expression;
    for (let level = from; level.up !== null; level = level.up)
      liftedExpression = this.#export(this.#headOf(level), liftedExpression);
    return liftedExpression;
  }

  #levelOf(expression: Expression, at: string): JoinLevel {
    const levels = new Set(relationsOf(expression).flatMap((id) => this.#nodes.get(id)?.level ?? []));
    if (levels.size > 1)
      throw new QueryProblem('unsupported', at, 'mixes columns of datasets whose rows match several times');
    const [level = this.#root.level] = levels;
    return level;
  }

  #joinsOf(node: JoinNode): readonly Join[] {
    if (node.key === null) return [];
    const { parent, own } = node.key;
    const isHead = node.level.head === node;
    if (!isHead && node.exports.size === 0) return [];
    const to = isHead ? this.#reducedSelect(node, own) : lookupSelect(this.#context, node, own);
    const keyPairs = [[parent, column(node.alias, 'k', own.type)]] as const;
    return [{ how: isHead ? 'inner' : 'left', to, as: node.alias, on: keyPairs }];
  }

  #rowsOf(node: JoinNode, expressions: readonly Expression[]): RowSource {
    const { datasetId, inner, level } = node;
    const joins = [...level.joined.flatMap((entry) => this.#joinsOf(entry)), ...level.bounds];
    const allExpressions = [...expressions, ...level.where, ...joins.flatMap(({ on }) => on.flat())];
    return {
      from: scanOf(this.#context, datasetId, inner, level.filters, allExpressions),
      as: inner,
      joins,
      where: level.where,
    };
  }

  /**
   * Returns a select of the keys of a head and of the values that are read from it. Rows are distinct unless the tree
   * is raw.
   */
  #reducedSelect(node: JoinNode, key: Expression): Select {
    const columns = [{ as: 'k', of: key }, ...node.exports.values()];
    const rows = this.#rowsOf(
      node,
      columns.map(({ of }) => of),
    );
    return { ...selectOf(rows.from, rows.as, columns), ...rows, distinct: !this.#isRaw };
  }
}
