import { isObject, textOr } from '@inlay/contract';
import { safeFunctions, safeTableFunctions } from './safe-functions.ts';

type Tree = Readonly<Record<string, unknown>>;

const lowerText = (value: unknown): string => textOr(value, '').toLowerCase();

/** Allowed sources of rows, by type of table reference. */
const safeSources = new Set(['EMPTY', 'BASE_TABLE', 'JOIN', 'SUBQUERY', 'EXPRESSION_LIST', 'TABLE_FUNCTION']);
const unsafeSources = new Set(['SHOW_REF', 'PIVOT', 'CTE', 'COLUMN_DATA', 'DELIM_GET', 'BOUND_TABLE_REF', 'INVALID']);

function faultOfSource(tree: Tree, visible: ReadonlySet<string>): string | null {
  const type = textOr(tree['type'], '');
  if (type === 'BASE_TABLE') {
    const name = textOr(tree['table_name'], '');
    const isPlain = tree['schema_name'] === '' && tree['catalog_name'] === '' && tree['at_clause'] === null;
    return isPlain && visible.has(name.toLowerCase()) ? null : `the table "${name}" is not one of the source`;
  }
  if (type === 'TABLE_FUNCTION') {
    const call = tree['function'];
    const name = isObject(call) ? lowerText(call['function_name']) : '';
    return safeTableFunctions.has(name) ? null : `the table function "${name}" may not be called`;
  }
  return unsafeSources.has(type) || !safeSources.has(type) ? `rows may not come from ${type}` : null;
}

function faultOfCall(tree: Tree): string | null {
  const name = lowerText(tree['function_name']);
  const isPlain =
    ['', 'main'].includes(lowerText(tree['schema'])) && ['', 'system'].includes(lowerText(tree['catalog']));
  return isPlain && safeFunctions.has(name) ? null : `the function "${name}" may not be called`;
}

const isSource = (tree: Tree): boolean => 'alias' in tree && 'sample' in tree && 'query_location' in tree;

const faultOfAll = (parts: readonly unknown[], visible: ReadonlySet<string>): string | null => {
  for (const part of parts) {
    const fault = faultIn(part, visible);
    if (fault !== null) return fault;
  }
  return null;
};

/**
 * Checks the CTEs of a WITH clause, and returns the names that are visible after it. A CTE's name is visible after its
 * own query. Within that query it is visible only if the CTE is recursive; otherwise it could mean another table there.
 */
function withNames(map: unknown, visible: ReadonlySet<string>): { fault: string | null; visible: ReadonlySet<string> } {
  const entries = isObject(map) ? map['map'] : [];
  const names = new Set(visible);
  for (const entry of Array.isArray(entries) ? entries : [entries]) {
    if (!isObject(entry)) return { fault: 'its WITH cannot be read', visible };
    const fault = faultIn(entry['value'], names);
    if (fault !== null) return { fault, visible };
    names.add(lowerText(entry['key']));
  }
  return { fault: null, visible: names };
}

function faultIn(part: unknown, visible: ReadonlySet<string>): string | null {
  if (Array.isArray(part)) return faultOfAll(part, visible);
  if (!isObject(part)) return null;
  const tree: Tree = part;
  if (tree['class'] === 'PARAMETER') return 'it may not have parameters';
  const ownFault = isSource(tree) ? faultOfSource(tree, visible) : 'function_name' in tree ? faultOfCall(tree) : null;
  if (ownFault !== null) return ownFault;
  if (tree['type'] === 'TABLE_FUNCTION' && isObject(tree['function']))
    return faultIn(tree['function']['children'], visible);
  const within =
    tree['type'] === 'RECURSIVE_CTE_NODE' ? new Set([...visible, lowerText(tree['cte_name'])]) : new Set(visible);
  const { fault, visible: names } =
    'cte_map' in tree ? withNames(tree['cte_map'], within) : { fault: null, visible: within };
  if (fault !== null) return fault;
  return faultOfAll(
    Object.entries(tree).map(([key, value]) => (key === 'cte_map' ? null : value)),
    names,
  );
}

/**
 * Describes why a statement is forbidden; null if it is allowed. `serialized` is the output of DuckDB's
 * json_serialize_sql. Only a single SELECT is allowed. It may use the listed tables, its own CTEs, and functions that
 * read nothing except their arguments. Anything unknown is refused.
 */
export function selectFault(serialized: unknown, tables: readonly string[]): string | null {
  if (!isObject(serialized)) return 'it cannot be read';
  if (serialized['error'] !== false) {
    const message = textOr(serialized['error_message'], '');
    return serialized['error_type'] === 'parser' ? message : 'only SELECT is allowed';
  }
  const statements = serialized['statements'];
  if (!Array.isArray(statements) || statements.length !== 1) return 'it must be one statement';
  return faultIn(statements[0], new Set(tables.map((name) => name.toLowerCase())));
}
