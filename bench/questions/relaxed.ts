/**
 * The SQL of a question with each choice of its conditions left out: of `where`, of `having`, of the limit. For
 * a comparison, also the SQL of each period alone. An answer with these rows has the right measure and groups, but
 * lacks a condition.
 */
export function relaxedSql(sql: string): readonly string[] {
  if (/\(select/iu.test(sql)) return [];
  const found =
    /^(?<head>.*?)(?: where (?<where>.*?))?(?<group> group by .*?)?(?: having (?<having>.*?))?(?<order> order by .*?)?(?: limit (?<limit>\d+))?$/iu.exec(
      withoutFilters(sql),
    );
  const { head, where, group = '', having, order = '', limit } = found?.groups ?? {};
  if (head === undefined) return [];
  const choices = subsets(where === undefined ? [] : conjuncts(where)).flatMap((kept) =>
    eachOrNone(having).flatMap((keptHaving) =>
      eachOrNone(limit).map((keptLimit) =>
        [
          head,
          kept.length === 0 ? '' : ` where ${kept.join(' and ')}`,
          group,
          keptHaving === null ? '' : ` having ${keptHaving}`,
          keptLimit === null ? '' : `${order} limit ${keptLimit}`,
        ].join(''),
      ),
    ),
  );
  return choices.filter((choice) => choice !== sql);
}

/** The first of two filtered aggregates without its filter; other SQL as it is. */
function withoutFilters(sql: string): string {
  return sql.replace(/(?<first>\w+\([^()]*\)) filter \(where .*\) from/iu, '$<first> from');
}

const eachOrNone = (clause: string | undefined): readonly (string | null)[] =>
  clause === undefined ? [null] : [clause, null];

/** The conditions that `and` joins, outside of parentheses and `between`. */
function conjuncts(where: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let isBetween = false;
  for (const word of where.split(' ')) {
    const isAnd = word === 'and' && depth === 0 && !isBetween;
    if (isAnd || found.length === 0) found.push(isAnd ? '' : word);
    else found.push(`${found.pop() ?? ''} ${word}`.trim());
    isBetween = word === 'between' || (isBetween && word !== 'and');
    depth += word.split('(').length - word.split(')').length;
  }
  return found;
}

function subsets(conditions: readonly string[]): readonly (readonly string[])[] {
  return conditions.reduce<readonly (readonly string[])[]>(
    (sets, condition) => sets.flatMap((set) => [[...set, condition], set]),
    [[]],
  );
}
