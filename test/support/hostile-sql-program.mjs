import { runHostileSql } from './run-hostile-sql.ts';

await runHostileSql(JSON.parse(process.argv[2]), (outcome) => process.stdout.write(`${JSON.stringify(outcome)}\n`));
