import { describe, expect, it } from 'vitest';
import { resources } from '../resources/index.ts';
import { postgresDialect } from '../store/postgres/dialect.ts';
import { render, text } from '../store/sql.ts';
import { sqliteDialect } from '../store/sqlite/dialect.ts';
import { compileCondition } from './compile.ts';

const securable = resources.find(({ name }) => name === 'securable');

describe.each([
  ['the embedded store', sqliteDialect],
  ['PostgreSQL', postgresDialect],
])('a search for texts in %s', (_name, dialect) => {
  it.each(['name', 'description', 'subtitle'] as const)('reads %s from a short text, and no whole record', (field) => {
    if (securable === undefined) throw new Error('no resource');
    const scope = { dialect, resource: securable, alias: text('t'), caller: null };
    const compiled = compileCondition(scope, {
      kind: 'compare',
      field,
      operator: 'contains',
      values: ['needle'],
      language: null,
    });
    const statement = render(compiled, 'question');
    expect(statement).toContain('t.texts');
    expect(statement).not.toContain('t.record');
  });
});
