import { setTimeout as wait } from 'node:timers/promises';
import type { Json, JsonObject } from '@inlay/contract';
import type { Board } from './board.ts';

/** How long the element retries while the service is busy, and how long a viewer looks before the next filter. */
const patienceMs = 60_000;
const lookMs = 1000;

/** The outcome of one request for rows. */
export interface Round {
  readonly ms: number;
  /** Time until the first line of the answer. */
  readonly firstMs: number;
  readonly queries: number;
  readonly answered: number;
  /** Lines with an error in an answer 200. */
  readonly failed: number;
  /** How often the request was refused before it was admitted. */
  readonly refusals: number;
  /** Time of the admitted request alone. */
  readonly admittedMs: number;
}

export const isWhole = ({ queries, answered }: Round): boolean => queries === answered;

const isError = (line: string): boolean => {
  const value: Json = JSON.parse(line);
  return typeof value === 'object' && value !== null && 'error' in value;
};

async function textOf(answer: Response, first: () => void): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body ?? []) {
    if (chunks.length === 0) first();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Asks queries as the element does. Retries while the service refuses them. */
export async function ask(
  url: string,
  { viewers }: Board,
  index: number,
  queries: readonly JsonObject[],
): Promise<Round> {
  const { key, token } = viewers[index % viewers.length] ?? { key: '', token: '' };
  const startedMs = performance.now();
  const sinceMs = (time: number): number => performance.now() - time;
  let firstMs = 0;
  for (let refusals = 0; ; refusals += 1) {
    const askedMs = performance.now();
    const answer = await fetch(`${url}/0.1.0/data`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/x-ndjson',
        authorization: `Bearer ${key}:${token}`,
      },
      body: JSON.stringify({ action: 'get', find: { queries } }),
    }).catch(() => null);
    const body = answer === null ? '' : await textOf(answer, () => (firstMs = sinceMs(startedMs))).catch(() => '');
    if (answer?.status === 503 && sinceMs(startedMs) < patienceMs) {
      await wait(Number(answer.headers.get('retry-after') ?? 1) * 1000 * (1 + Math.random() / 2));
      continue;
    }
    const lines = answer?.status === 200 ? body.split('\n').filter((line) => line !== '') : [];
    const failed = lines.filter(isError).length;
    const times = { ms: sinceMs(startedMs), firstMs, admittedMs: sinceMs(askedMs) };
    return { ...times, queries: queries.length, answered: lines.length - failed, failed, refusals };
  }
}

export const queriesOf = ({ dashboardId, items }: Board): readonly JsonObject[] =>
  items.map((item) => ({ dashboard_id: dashboardId, item_id: item }));

async function appearance(url: string, { dashboardId, viewers }: Board, index: number): Promise<void> {
  const { key, token } = viewers[index % viewers.length] ?? { key: '', token: '' };
  const answer = await fetch(`${url}/0.1.0/appearance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}:${token}` },
    body: JSON.stringify({ action: 'get', find: { dashboard_id: dashboardId } }),
  });
  await answer.arrayBuffer();
  if (!answer.ok && answer.status !== 503) throw new Error(`the appearance was answered ${answer.status}`);
}

/** Opens a dashboard: what the page needs first, all 12 items, and twice a filter that asks for 11 of them again. */
export async function visit(url: string, board: Board, index: number): Promise<readonly Round[]> {
  const filtered = (region: string): readonly JsonObject[] =>
    queriesOf(board)
      .slice(1)
      .map((query) => ({ ...query, where: [board.filter(region)] }));
  await appearance(url, board, index);
  const rounds = [await ask(url, board, index, queriesOf(board))];
  for (const offset of [3, 7]) {
    await wait(lookMs);
    rounds.push(await ask(url, board, index, filtered(`region ${(index + offset) % 12}`)));
  }
  return rounds;
}
