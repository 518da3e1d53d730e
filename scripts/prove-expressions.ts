// Proves every regular expression of the packages safe against hostile text and notes those that are: node scripts/prove-expressions.ts
import { writeFileSync } from 'node:fs';
import {
  allExpressions,
  isOfQuestions,
  nameOf,
  notedFile,
  notedSafe,
  prove,
} from '../test/support/regular-expressions.ts';

const again = process.argv.includes('--again');
const noted = notedSafe();
const safe: string[] = [];
for (const one of (await allExpressions()).filter((found) => !isOfQuestions(found))) {
  const name = nameOf(one);
  const verdict = noted.has(name) && !again ? 'safe' : (await prove(one)).status;
  if (verdict === 'safe') safe.push(name);
  else process.stdout.write(`${verdict} ${one.at} ${name}\n`);
}
writeFileSync(notedFile, `${JSON.stringify(safe.toSorted(), null, 2)}\n`);
