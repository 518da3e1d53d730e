import { expect, it } from 'vitest';
import { queryRules as mysql } from '../mysql/query-rules.ts';
import { queryRules as postgres } from '../postgresql/query-rules.ts';
import { engineLexis } from './pieces.ts';
import { withoutValues } from './without-values.ts';

const lexes = { postgres: postgres.lexis, mysql: mysql.lexis, duckdb: engineLexis } as const;

it.each([
  [
    'postgres',
    `select "a b", 'it''s', E'x\\'y' from t1 where c = 4.5e3 and d = $1`,
    'select "a b", ?, E? from t1 where c = ? and d = $1',
  ],
  ['postgres', 'select $x$any$x$ -- words\n, 1 /* more /* words */ */ from t', 'select ? , ? from t'],
  [
    'mysql',
    "select `a`, \"text\", 'it\\'s' from `t` where b > 10 and c = ? # words",
    'select `a`, ?, ? from `t` where b > ? and c = ?',
  ],
  ['duckdb', `SELECT json_object('id', t.x) FROM t LIMIT 100001`, 'SELECT json_object(?, t.x) FROM t LIMIT ?'],
] as const)('a statement of %s is shown without its literals and comments', (dialect, sql, shown) => {
  expect(withoutValues(sql, lexes[dialect])).toBe(shown);
});

it('a statement that cannot be read for certain is not shown', () => {
  expect(withoutValues("select 'open from t", lexes.postgres)).toBeNull();
  expect(withoutValues("select /*! 'run' */ 1", lexes.mysql)).toBeNull();
});
