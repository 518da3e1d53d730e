import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandsOf, runAll } from '../scripts/check.ts';

const commands = commandsOf(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

it.each(commands)('the source passes %s', { timeout: 600_000 }, async (command) => {
  const [outcome] = await runAll([command], 1, () => undefined);
  expect(outcome?.passed, outcome?.output).toBe(true);
});
