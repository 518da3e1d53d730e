// One attack of `npm run soak`, in a process of its own: told what to attack, it goes on until its parent ends or stops it.
import { setPriority } from 'node:os';
import { readStage } from '../loop/stage.ts';
import { attacks } from './attacks.ts';

setPriority(5);
const counts: Record<string, number> = {};
let isOver = false;

async function turns(run: () => Promise<readonly number[]>): Promise<void> {
  while (!isOver) for (const status of await run()) counts[status] = (counts[status] ?? 0) + 1;
}

process.on('message', (message) => {
  if (message === 'stop') {
    isOver = true;
    process.send?.(counts, () => process.exit(0));
    return;
  }
  const stage = readStage(message);
  const { atOnce, attack } = attacks[process.argv[2] ?? ''] ?? { atOnce: 0, attack: () => Promise.resolve([]) };
  let turn = 0;
  for (let index = 0; index < atOnce; index += 1) void turns(() => attack(stage, (turn += 1)));
});
process.on('disconnect', () => process.exit(0));
