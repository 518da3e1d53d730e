import { expect, test } from 'vitest';
import { localConnectors, sources } from '../connectors/sources.ts';
import { counted } from '../support/counts.ts';
import { randomOf } from '../support/tenant-queries.ts';

const signs = [
  ...Array.from(`'"\`\\;?$%_!#{}()[]+-/*&|<>=:,.@~^`),
  "''",
  '--',
  '/*',
  '*/',
  "U&'",
  '\\0027',
  '\\+000027',
  "' OR 1=1 --",
  "') UNION SELECT 1 --",
  '\0',
  '\n',
  '\r',
  '\t',
  '\u001b',
  '\u0085',
  '\u00a0',
  '\u02bc',
  '\u2019',
  '\uff07',
  '\ufeff',
  '\uffff',
  '\u{1f986}',
  '\u{10ffff}',
  'é',
  'e\u0301',
];
const perStatement = 100;

test('texts of any characters come back from a statement on Trino as they were sent', async () => {
  const random = randomOf(20_261_128);
  const letter = (): string =>
    random.below(3) === 0 ? random.pick(signs) : String.fromCodePoint(1 + random.below(0xd7ff));
  const textOf = (): string => Array.from({ length: random.below(12) }, letter).join('');
  const source = await sources.trino();
  const connectors = localConnectors();
  const count = counted(500, 10_000);
  let wrong = 0;
  for (let sent = 0; sent < count; sent += perStatement) {
    const texts = Array.from({ length: perStatement }, textOf);
    const statement = {
      sql: `select ${texts.map((_, at) => `cast(? as varchar) as c${at}`).join(', ')}`,
      params: texts,
    };
    const limits = { rowLimit: 10, byteLimit: 1e8, deadlineMs: 60_000 };
    const { rows } = await connectors.of('trino').run(source.reach(), statement, limits, new AbortController().signal);
    for await (const [row = []] of rows) wrong += texts.filter((text, at) => row[at] !== text).length;
  }
  connectors.close();
  await source.stop();
  process.stdout.write(`texts through Trino: ${count}, ${wrong} changed\n`);
  expect(wrong).toBe(0);
});
