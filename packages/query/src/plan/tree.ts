import { aggregate, cast, literal, test, type Expression } from '../expression.ts';
import { QueryProblem } from '../problem.ts';
import { pathBetween } from './paths.ts';
import type { Join, Scan, Select, SelectColumn } from './expressions/relation.ts';
import type { PlanContext } from './context.ts';
import { plain, scanOf, under } from './scans.ts';
import { keptValue } from './expressions/values.ts';
import { keyOf, relationsOf, replace } from './expressions/walk.ts';
import { roundEnds } from './round-ends.ts';
import type { Bins } from '../query.ts';

/** Rows to group or to answer: what stands after FROM. */
export type Rows = Pick<Select, 'from' | 'as' | 'joins' | 'where'>;

/** Expressions that a joined select hands out, each once. */
type Exports = Map<string, SelectColumn>;

/** A dataset in the tree. Those that are only looked up stand beside the head of their level. */
interface Node {
  readonly datasetId: string;
  readonly alias: string;
  readonly level: Level;
  readonly exports: Exports;
  readonly key: { readonly parent: Expression; readonly own: Expression } | null;
}

/** Rows of a head with all that they look up; below it, what may match several rows and is reduced before joining. */
interface Level {
  readonly up: Level | null;
  readonly joined: Node[];
  readonly bounds: Join[];
  readonly filters: Expression[];
  readonly where: Expression[];
}

/** The rows of one dataset with what other datasets add to them, without a row of it ever counting twice in a group. */
export interface Tree {
  /** An expression over datasets as one over the tree's rows; raises `unsupported` where rows cannot hold it. */
  place(expression: Expression, at: string): Expression;
  /** Keeps only the rows that pass. */
  restrict(test: Expression, at: string): void;
  /** Number of the bin, and where the first begins and the last ends; `filters` narrow the values that are cut into bins. */
  bins(of: Expression, bins: Bins, filters: readonly Expression[], at: string): readonly Expression[];
  /** Once everything is placed. */
  rows(): Rows;
}

/**
 * Joins the datasets that a query speaks of to the rows of one (`root`). A dataset that is looked up is reduced to one
 * row per key (the first by the values taken from it) and joined left; any other is reduced to the distinct keys and
 * values taken from it and joined inner, so that it filters and groups but never multiplies within a group. `raw`: rows
 * are not rolled up and match as often as they match. Raises QueryProblem `join_missing`.
 */
export function treeFrom(
  context: PlanContext,
  root: string,
  others: readonly string[],
  at: string,
  raw: boolean,
): Tree {
  const nodes = new Map<string, Node>();
  const levelUnder = (up: Level | null): Level => ({ up, joined: [], bounds: [], filters: [], where: [] });
  const top: Node = { datasetId: root, alias: 't', level: levelUnder(null), exports: new Map(), key: null };
  const heads = new Map<Level, Node>([[top.level, top]]);
  nodes.set(root, top);

  const headOf = (level: Level): Node => heads.get(level) ?? top;
  const exported = (node: Node, of: Expression): Expression => {
    const found = node.exports.get(keyOf(of)) ?? { as: `c${node.exports.size}`, of };
    node.exports.set(keyOf(of), found);
    return { kind: 'column', relation: node.alias, name: found.as, type: of.type };
  };
  const inside = (node: Node): string => (node === top ? top.alias : `${node.alias}s`);
  const atLevel = (expression: Expression): Expression =>
    replace(expression, (part) => {
      const node = part.kind === 'column' ? nodes.get(part.relation) : undefined;
      if (node === undefined || part.kind !== 'column') return null;
      const own: Expression = { ...part, relation: inside(node) };
      return heads.get(node.level) === node ? own : exported(node, own);
    });
  const raised = (expression: Expression, from: Level): Expression => {
    let found = expression;
    for (let level = from; level.up !== null; level = level.up) found = exported(headOf(level), found);
    return found;
  };
  const levelOf = (expression: Expression, where: string): Level => {
    const [first, ...more] = new Set(relationsOf(expression).flatMap((id) => nodes.get(id)?.level ?? []));
    if (more.length > 0)
      throw new QueryProblem('unsupported', where, 'mixes columns of datasets whose rows match several times');
    return first ?? top.level;
  };

  const reach = (datasetId: string): void => {
    const path = pathBetween(context.model, root, datasetId);
    if (path === null)
      throw new QueryProblem('join_missing', at, `no linked columns lead from dataset ${root} to ${datasetId}`);
    for (const { from, to, how } of path) {
      const parent = nodes.get(from.datasetId);
      if (parent === undefined || nodes.has(to.datasetId)) continue;
      const [left, right] = [keptValue(from), keptValue(to)];
      const same = left.type === right.type;
      const own = same ? right : cast(right, 'text');
      const level = how === 'lookup' ? parent.level : levelUnder(parent.level);
      const alias = `j${nodes.size}`;
      const key = { parent: atLevel(same ? left : cast(left, 'text')), own: under(own, to.datasetId, `${alias}s`) };
      const node: Node = { datasetId: to.datasetId, alias, level, exports: new Map(), key };
      nodes.set(to.datasetId, node);
      if (how === 'many') heads.set(level, node);
      parent.level.joined.push(node);
    }
  };
  for (const other of others) reach(other);

  const lookup = (node: Node, key: Expression): Select => {
    const taken = [...node.exports.values()];
    const alias = inside(node);
    const scan = scanOf(context, node.datasetId, alias, [], [key, ...taken.map(({ of }) => of)]);
    const [only] = taken;
    if (taken.length <= 1 && only?.of.type !== 'boolean') {
      const least = only === undefined ? [] : [{ as: only.as, of: aggregate('min', [only.of], only.of.type) }];
      return { ...plain(scan, alias, [{ as: 'k', of: key }, ...least]), grouped: 1 };
    }
    const order = taken.map(({ of }) => of);
    const position: SelectColumn = { as: 'p', of: { kind: 'position', per: [key], order, type: 'integer' } };
    const numbered = plain(scan, alias, [{ as: 'k', of: key }, ...taken, position]);
    const column = (as: string, type: Expression['type']): Expression => ({
      kind: 'column',
      relation: `${node.alias}p`,
      name: as,
      type,
    });
    const columns = [{ as: 'k', of: key }, ...taken].map(({ as, of }) => ({ as, of: column(as, of.type) }));
    return {
      ...plain(numbered, `${node.alias}p`, columns),
      where: [test('=', column('p', 'integer'), literal(1, 'integer'))],
    };
  };
  const joinOf = (node: Node): readonly Join[] => {
    if (node.key === null) return [];
    const { parent, own } = node.key;
    const k: Expression = { kind: 'column', relation: node.alias, name: 'k', type: own.type };
    const isHead = heads.get(node.level) === node;
    if (!isHead && node.exports.size === 0) return [];
    const to = isHead ? reduced(node, own) : lookup(node, own);
    return [{ how: isHead ? 'inner' : 'left', to, as: node.alias, on: [[parent, k]] }];
  };
  const rowsOf = (node: Node, used: readonly Expression[]): Rows => {
    const { level } = node;
    const joins = [...level.joined.flatMap(joinOf), ...level.bounds];
    const all = [...used, ...level.where, ...joins.flatMap(({ on }) => on.flat())];
    const from: Scan = scanOf(context, node.datasetId, inside(node), level.filters, all);
    return { from, as: inside(node), joins, where: level.where };
  };
  const reduced = (node: Node, key: Expression): Select => {
    const columns = [{ as: 'k', of: key }, ...node.exports.values()];
    const rows = rowsOf(
      node,
      columns.map(({ of }) => of),
    );
    return { ...plain(rows.from, rows.as, columns), ...rows, distinct: !raw };
  };
  const placed: Expression[] = [];
  const kept = (expression: Expression): Expression => {
    placed.push(expression);
    return expression;
  };
  let cuts = 0;

  return {
    place: (expression, where) => kept(raised(atLevel(expression), levelOf(expression, where))),
    restrict: (expression, where) => {
      const level = levelOf(expression, where);
      const relations = relationsOf(expression);
      const own = relations.every((id) => id === headOf(level).datasetId);
      if (own) level.filters.push(expression);
      else level.where.push(atLevel(expression));
    },
    bins: (of, bins, filters, where) => {
      const level = levelOf(of, where);
      const [datasetId = root] = relationsOf(of);
      const alias = `b${cuts}`;
      cuts += 1;
      const value = under(of, datasetId, 'x');
      const scan = scanOf(context, datasetId, 'x', filters, [value]);
      const [least, greatest] = [aggregate('min', [value], of.type), aggregate('max', [value], of.type)];
      const { low: first, high: last } = bins.isRound
        ? roundEnds(least, greatest, bins.count)
        : { low: least, high: greatest };
      const ends = [
        { as: 'min', of: first },
        { as: 'max', of: last },
      ];
      level.bounds.push({ how: 'cross', to: { ...plain(scan, 'x', ends), grouped: 0 }, as: alias, on: [] });
      const end = (name: string): Expression => ({ kind: 'column', relation: alias, name, type: first.type });
      const [low, high] = [end('min'), end('max')];
      const bin: Expression = { kind: 'bin', of: atLevel(of), low, high, bins: bins.count, type: 'integer' };
      return [bin, low, high].map((one) => kept(raised(one, level)));
    },
    rows: () => rowsOf(top, placed),
  };
}
