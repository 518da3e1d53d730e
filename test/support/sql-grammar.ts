import { hostileParts, type Target } from './hostile-sql.ts';
import { gaps, Spelling } from './sql-spelling.ts';
import { randomOf, type Random } from './tenant-queries.ts';

/** What must become of a statement: `refused` by the check, not refused by it, or either (a damaged one). */
export type Fate = 'refused' | 'allowed' | 'either';

export interface MadeStatement {
  readonly sql: string;
  readonly fate: Fate;
}

const words = (text: string): readonly string[] => text.split(', ');
const kinds = words('int, varchar, double, bigint, date, boolean, json');
const plainCalls = words('abs, upper, length, coalesce, md5, to_json, typeof, hash, reverse, trim, concat');
const aggregates = words('count, min, max, any_value, list, approx_count_distinct, first, mode');
const operators = words('+, ||, =, <>, <, >=, and, or, is distinct from, like, in');
const joins = words('join, left join, cross join, full join, semi join, anti join, positional join, asof join');

/** Makes statements out of DuckDB's grammar: ordinary ones, the same with one hostile part somewhere inside, and damaged ones. */
class Maker {
  readonly #chance: Random;
  readonly #target: Target;
  readonly #spell: Spelling;
  /** Hostile parts still to be put in. */
  #hostile = 0;

  constructor(chance: Random, target: Target) {
    this.#chance = chance;
    this.#target = target;
    this.#spell = new Spelling(chance, target);
  }

  /** Takes the hostile part that is still to be put in, now or later. */
  #takes(depth: number): boolean {
    if (this.#hostile === 0 || (depth > 0 && !this.#spell.odds(3))) return false;
    this.#hostile -= 1;
    return true;
  }

  #hostileSource(depth: number): string {
    const { pick } = this.#chance;
    const { readers, looks, views } = hostileParts;
    switch (this.#chance.below(8)) {
      case 0:
        return this.#spell.bare();
      case 1:
      case 2:
        return this.#spell.say`${this.#spell.spelled(pick(readers))}(${this.#spell.path()})`;
      case 3:
        return this.#spell.say`${this.#spell.spelled(pick(looks))}()`;
      case 4:
        return pick(views);
      case 5:
        return this.#spell
          .say`query(${pick([`'from read_text(' || chr(39) || '${this.#target.file}' || chr(39) || ')'`, `'${this.#select(depth + 2).replaceAll("'", "''")}'`])})`;
      case 6:
        return pick([
          'main.t',
          'temp.t',
          'temp.main.t',
          'memory.main.t',
          'secrets',
          'there.secrets',
          'main.secrets',
          '"T "',
          'pg_catalog.pg_tables',
          'other',
          'information_schema.schemata',
          'v0.rows',
        ]);
      default:
        return this.#spell.say`(from ${this.#spell.bare()})`;
    }
  }

  #hostileExpression(): string {
    const { pick } = this.#chance;
    if (this.#spell.odds(2)) return pick(hostileParts.calls).replaceAll('{file}', this.#target.file);
    return pick([
      this.#spell.say`(select max(content) from ${this.#spell.spelled('read_text')}(${this.#spell.path()}))`,
      this.#spell.say`${this.#spell.path()}.${pick(['read_text', 'getenv', 'current_setting', 'nextval'])}()`,
      this.#spell.say`${this.#spell.spelled('getenv')}('HOME')`,
      this.#spell
        .say`${this.#spell.spelled('current_setting')}(${pick(["'temp_directory'", "'home_directory'", "'allowed_paths'"])})`,
      this.#spell.say`exists (from ${this.#spell.bare()})`,
      this.#spell.say`list_transform([1], x -> ${this.#spell.spelled('getenv')}('PATH'))`,
      this.#spell.say`list_aggregate([1], 'max', getvariable('x'))`,
      pick(['$1', '?', '$name']),
    ]);
  }

  #literal(): string {
    const { below, pick } = this.#chance;
    return pick([
      `${below(100)}`,
      `'x${below(9)}'`,
      'null',
      'true',
      `'attach ''${this.#target.foreign}'''`,
      `'; drop table t; --'`,
      `$$read_text$$`,
      `date '2026-01-0${1 + below(9)}'`,
      `[1, 2]`,
      `{'a': 1}`,
      `'ﬀ\u202e😀'`,
      `1e3`,
      `-- ${below(9)}\n 7`,
    ]);
  }

  #expression(depth: number): string {
    if (this.#takes(depth < 3 ? depth + 1 : 0)) return this.#hostileExpression();
    const { pick } = this.#chance;
    if (depth > 3) return this.#spell.odds(2) ? this.#literal() : pick(['1', 'null', "'y'"]);
    const one = (): string => this.#expression(depth + 1);
    switch (this.#chance.below(12)) {
      case 0:
        return this.#spell.say`${pick(plainCalls)}(${one()})`;
      case 1:
        return this.#spell.say`case when ${one()} is null then ${one()} else ${one()} end`;
      case 2:
        return this.#spell.say`try_cast(${one()} as ${pick(kinds)})`;
      case 3:
        return this.#spell.say`(select ${pick(aggregates)}(z) from ${this.#source(depth + 1)} s(z))`;
      case 4:
        return this.#spell.say`exists (${this.#select(depth + 1)})`;
      case 5: {
        const sign = pick(operators);
        return sign === 'in' ? this.#spell.say`${one()} in (${one()}, ${one()})` : `(${one()} ${sign} ${one()})`;
      }
      case 6:
        return this.#spell.say`list_transform([${one()}], x -> ${one()})`;
      case 7:
        return this.#spell
          .say`row_number() over (order by ${this.#takes(2) ? this.#hostileExpression() : this.#literal()})`;
      case 8:
        return this.#spell.say`[${one()}, ${one()}]`;
      case 9:
        return this.#spell.say`{'k': ${one()}}`;
      default:
        return this.#literal();
    }
  }

  #source(depth: number): string {
    if (this.#takes(depth < 3 ? depth + 1 : 0)) return this.#hostileSource(depth);
    const { below, pick } = this.#chance;
    const deeper = depth > 3 ? 3 : 8;
    switch (below(deeper)) {
      case 0:
        return 't';
      case 1:
        return this.#spell.say`range(${String(below(5))})`;
      case 2:
        return this.#spell.say`(values (${this.#literal()}))`;
      case 3:
        return this.#spell.say`(${this.#select(depth + 1)})`;
      case 4: {
        const join = pick(joins);
        const on =
          join.startsWith('cross') || join.startsWith('positional')
            ? ''
            : this.#spell.say` on ${join === 'asof join' ? '1 >= 2' : 'true'}`;
        return this.#spell.say`(${this.#source(depth + 1)} p ${join} ${this.#source(depth + 1)} q${on})`;
      }
      case 5:
        return this.#spell.say`unnest([${this.#expression(depth + 1)}])`;
      case 6:
        return this.#spell.say`(t cross join lateral (${this.#select(depth + 1)}))`;
      default:
        return '"t"';
    }
  }

  #select(depth: number): string {
    const { below, pick } = this.#chance;
    const body = (): string => {
      const [what, from] = [this.#expression(depth + 1), this.#source(depth + 1)];
      const where = this.#spell.odds(3) ? this.#spell.say` where (${this.#expression(depth + 1)}) is not null` : '';
      const order = this.#spell.odds(4) ? this.#spell.say` order by ${this.#expression(depth + 1)}` : '';
      const limit = this.#spell.odds(4) ? this.#spell.say` limit ${String(below(20))}` : '';
      const core = this.#spell.odds(4)
        ? this.#spell.say`from ${from} src select ${what} as c${where}`
        : this.#spell.say`select ${what} as c from ${from} src${where}`;
      return core + order + limit;
    };
    if (depth > 2) return body();
    switch (below(7)) {
      case 0:
        return this.#spell.say`with w as (${this.#select(depth + 1)}) select * from w`;
      case 1:
        return this.#spell
          .say`with recursive r(n) as (select 1 union all select n + 1 from r where n < ${String(below(9))}), w as (${this.#select(depth + 1)}) select * from r, w`;
      case 2:
        return this.#spell.say`(${body()}) ${pick(['union all', 'union', 'intersect', 'except'])} (${body()})`;
      case 3:
        // A name of a WITH hides nothing outside of its own query.
        return this.#hostile > 0 && this.#takes(0)
          ? this.#spell.say`select * from (with secrets as (select 1) select 1) a, secrets`
          : this.#spell.say`select * from (${body()})`;
      default:
        return body();
    }
  }

  #wholeStatement(): string {
    const { pick } = this.#chance;
    const plain = pick(hostileParts.commands(this.#target));
    switch (this.#chance.below(7)) {
      case 0:
        return `${this.#select(1)}; ${plain}`;
      case 1:
        return `${plain}; ${this.#select(1)}`;
      case 2:
        return `select 1) q(c); ${plain}; select * from (select 1`;
      case 3:
        return `${pick(gaps)}${plain}${pick(gaps)}`;
      case 4:
        return this.#spell
          .say`${pick(['explain', 'explain analyze', 'describe', 'summarize', 'pivot', 'prepare p as', 'create macro m() as table', 'create temp table x as', 'create view v as', 'pragma', 'call', 'execute'])} ${this.#select(1)}`;
      case 5:
        return this.#spell.say`copy (${this.#select(1)}) to ${this.#spell.path()}`;
      default:
        return `${plain};`;
    }
  }

  #damaged(sql: string): string {
    const { below, pick } = this.#chance;
    const at = below(sql.length + 1);
    const end = Math.min(sql.length, at + below(12));
    const scraps = [
      "'",
      '"',
      '(',
      ')',
      ';',
      '--',
      '/*',
      '*/',
      '$$',
      '\\',
      '\0',
      '\u200b',
      '\ud800',
      'е',
      'ｓ',
      ',',
      '.',
      '::',
      ':=',
      '@',
      '{',
      '[',
      ' from ',
      "'{file}'",
    ];
    return (
      sql.slice(0, at) +
      pick([...scraps, sql.slice(at, end).repeat(2), '']).replaceAll('{file}', this.#target.file) +
      sql.slice(this.#spell.odds(2) ? at : end)
    );
  }

  next(): MadeStatement {
    const turn = this.#chance.below(10);
    if (turn === 0) return { sql: this.#wholeStatement(), fate: 'refused' };
    this.#hostile = turn < 6 || (turn > 7 && this.#spell.odds(2)) ? 1 : 0;
    const wanted = this.#hostile;
    const sql = this.#select(0);
    const put = wanted - this.#hostile;
    if (turn > 7) return { sql: this.#damaged(sql), fate: 'either' };
    return { sql, fate: put > 0 ? 'refused' : 'allowed' };
  }
}

/** So many statements from a seed, the same for the same seed. */
export function* madeStatements(seed: number, count: number, target: Target): Generator<MadeStatement> {
  const maker = new Maker(randomOf(seed), target);
  for (let made = 0; made < count; made += 1) yield maker.next();
}
