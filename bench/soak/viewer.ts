// The honest callers of `npm run soak`, in a process of their own: each answer is held against what it has to be.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from '@inlay/contract';
import { percentile } from '../../test/support/load.ts';
import { part } from '../../test/support/world.ts';
import { bearer, send, type Reply } from '../loop/client.ts';
import { column, readStage, type Stage } from '../loop/stage.ts';

const thinkMs = Number(process.env['SOAK_THINK_MS'] ?? 150);
const from = '127.7.0.1';

/** A thing that honest callers do, and whether an answer of status 200 is the right one. */
interface Errand {
  readonly resource: string;
  readonly body: (turn: number) => JsonObject;
  readonly isRight: (answer: string, turn: number) => boolean;
}

const parsed = (answer: string): Json => {
  const value: Json = JSON.parse(answer);
  return value;
};
const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** Returns the amounts of the rows of a stage whose number is a multiple of 1,000 plus the amount. */
const errandsOf = (stage: Stage, rows: number): Readonly<Record<string, Errand>> => {
  const sum = (turn: number): number => {
    const least = (turn * 37) % 900;
    let total = 0;
    for (let at = 0; at < rows; at += 1) if (at % 12 === turn % 12 && at % 1000 >= least) total += at % 1000;
    return total;
  };
  const day = (turn: number): string => `2024-${String((turn % 12) + 1).padStart(2, '0')}-01T00:00:00.000Z`;
  const id = stage.drawn['small'] ?? '';
  return {
    query: {
      resource: 'data',
      body: (turn) => ({
        action: 'get',
        find: {
          dimensions: [column(stage.facts, 'at')],
          measures: [column(stage.facts, 'amount', { aggregation: { type: 'sum' } })],
          where: [
            { expression: '? >= ?', parameters: [column(stage.facts, 'amount'), (turn * 37) % 900] },
            { expression: '? = ?', parameters: [column(stage.facts, 'at'), day(turn)] },
          ],
        },
      }),
      isRight: (answer, turn) => same(part(parsed(answer), 'data'), [[day(turn), sum(turn)]]),
    },
    get: {
      resource: 'dashboard',
      body: () => ({ action: 'get', id }),
      isRight: (answer) => part(parsed(answer), 'id') === id,
    },
    search: {
      resource: 'dashboard',
      body: () => ({ find: { where: { 'name.en': { like: 'smal%' } }, attributes: ['id', 'name'] } }),
      isRight: (answer) => part(parsed(answer), 'count') === 1 && answer.includes(id),
    },
    export: {
      resource: 'export',
      body: () => ({ action: 'create', properties: { type: 'csv', item_id: 'one', dashboard_id: id } }),
      isRight: (answer) => answer.trim().split('\r\n').length === 13,
    },
    drawing: {
      resource: 'export',
      body: () => ({ action: 'create', properties: { type: 'svg', item_id: 'one', dashboard_id: id } }),
      isRight: (answer) => answer.startsWith('<svg') && answer.trim().endsWith('</svg>'),
    },
  };
};

interface Seen {
  readonly ms: number[];
  readonly refused: Record<string, number>;
  wrong: number;
}
const seen = new Map<string, Seen>();
const wrongAnswers: string[] = [];

function note(name: string, turn: number, errand: Errand, reply: Reply): void {
  const one = seen.get(name) ?? { ms: [], refused: {}, wrong: 0 };
  seen.set(name, one);
  one.ms.push(reply.ms);
  if (reply.status !== 200) {
    one.refused[reply.status] = (one.refused[reply.status] ?? 0) + 1;
    if (![429, 503].includes(reply.status)) wrongAnswers.push(`${name} ${reply.status} ${reply.body.slice(0, 300)}`);
  } else if (!errand.isRight(reply.body, turn)) {
    one.wrong += 1;
    wrongAnswers.push(`${name} ${turn} ${reply.body.slice(0, 300)}`);
  }
}

async function run(stage: Stage, name: string, errand: Errand): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const by = errand.resource === 'dashboard' ? stage.owner : stage.viewer;
    const sent = { path: `/0.1.0/${errand.resource}`, headers: bearer(by), body: JSON.stringify(errand.body(turn)) };
    note(name, turn, errand, await send(stage.port, { ...sent, from }));
    await sleep(thinkMs);
  }
}

function report(): object {
  const all = [...seen.values()].flatMap(({ ms }) => ms);
  const figures = (ms: readonly number[]): object => ({
    answers: ms.length,
    p50Ms: Math.round(percentile(ms, 50)),
    p99Ms: Math.round(percentile(ms, 99)),
    maxMs: Math.round(percentile(ms, 100)),
  });
  const kinds = [...seen].map(([name, { ms, refused, wrong }]) => [name, { ...figures(ms), refused, wrong }]);
  const answer = { all: figures(all), wrong: wrongAnswers.length, wrongAnswers: wrongAnswers.slice(0, 5) };
  seen.clear();
  wrongAnswers.length = 0;
  return { ...answer, kinds: Object.fromEntries(kinds) };
}

process.on('message', (message) => {
  if (message === 'report') {
    process.send?.(report());
    return;
  }
  const stage = readStage(message);
  for (const [name, errand] of Object.entries(errandsOf(stage, Number(process.argv[2])))) void run(stage, name, errand);
});
process.on('disconnect', () => process.exit(0));
