import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@inlay/contract';
import { fileTypes, hostileFiles } from '../../test/support/hostile-files.ts';
import { bearer, send, type Sent } from '../loop/client.ts';
import { column, type Stage } from '../loop/stage.ts';

/** One turn of an attack; `turn` counts them. Gives the statuses that came back. */
export type Attack = (stage: Stage, turn: number) => Promise<readonly number[]>;

/** Returns an address of loopback that attackers come from; each attack has a network of its own. */
const from = (network: number, turn: number): string => `127.9.${network}.${(turn % 200) + 1}`;

const one = async (stage: Stage, sent: Sent): Promise<readonly number[]> => [(await send(stage.port, sent)).status];
const ask = (stage: Stage, resource: string, body: object, by = stage.owner, more: Partial<Sent> = {}) =>
  one(stage, { path: `/0.1.0/${resource}`, headers: bearer(by), body: JSON.stringify(body), ...more });

const halfOf = (turn: number): string => {
  const head = 'POST /0.1.0/data HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
  if (turn % 3 === 0) return 'POST /0.1.0/da';
  if (turn % 3 === 1) return `${head}content-length: 100\r\n\r\n{"fi`;
  return `${head}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`;
};

/** Made once, by the process that sends them. */
const once = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined;
  return () => (made ??= make());
};

const unknownBodies = once(() => {
  const objects = Buffer.from(`[${'{},'.repeat(20_600_000)}{}]`);
  const unknown = '"key":"01890a5d-ac96-774b-bcce-b302099a8057","token":"wrong"';
  const lists = Buffer.from(`{"properties":{"data":[${'[],'.repeat(20_500_000)}[]]},${unknown}}`);
  return [objects, lists];
});

const files = once(() => hostileFiles.map(({ type, make }) => ({ type, bytes: make() })));

const replaced = (word: string): string => `{${word}}`;
const formulas = (word: string): readonly string[] => [
  // Refused by their text.
  `max(length(${'replace('.repeat(5)}${replaced(word)}${`, 'a', '${'a'.repeat(40)}')`.repeat(5)}))`,
  // Allowed by it, and 500 times as much over these rows.
  `max(length(replace(replace(${replaced(word)}, 'a', '${'a'.repeat(50)}'), 'a', 'aaaaaaaaaa')))`,
  `max(replace(${replaced(word)}, 'a', '${'b'.repeat(200)}'))`,
];

const patterns = [`%${'_a'.repeat(49)}c%`, `%${'a%'.repeat(48)}c`, '%_'.repeat(49), `${'%a_'.repeat(33)}c`];

const list = (count: number, turn: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `leaf ${index * 7 + turn}`);

const inLists = (stage: Stage, turn: number, queries: number, values: number): JsonObject => ({
  queries: Array.from({ length: queries }, (_, index) => ({
    dimensions: [column(stage.facts, 'a')],
    measures: [column(stage.facts, 'amount')],
    where: [{ expression: '? in ?', parameters: [column(stage.facts, 'leaf'), [...list(values, turn + index)]] }],
  })),
});

const raw = (stage: Stage): JsonObject => ({
  dimensions: ['a', 'b', 'leaf', 'at'].map((name) => column(stage.facts, name)),
  measures: [column(stage.facts, 'amount')],
  options: { rollup_data: false },
  limit: { by: 100_000 },
});

const pick = <Item>(items: readonly Item[], turn: number): Item => {
  const item = items[turn % items.length];
  if (item === undefined) throw new Error('nothing to pick');
  return item;
};

/** What is done at once for half an hour, and how often at the same time. */
export const attacks: Readonly<Record<string, { readonly atOnce: number; readonly attack: Attack }>> = {
  'half-open requests': {
    atOnce: 100,
    attack: async (stage, turn) => {
      const socket = connect({ port: stage.port, host: '127.0.0.1', localAddress: from(1, turn) });
      socket.on('error', () => undefined);
      socket.write(halfOf(turn));
      await sleep(turn % 5 === 0 ? 5000 : 1000);
      if (turn % 2 === 0) socket.resetAndDestroy();
      else socket.destroy();
      return [];
    },
  },
  'bodies of 62 MB from nobody': {
    atOnce: 6,
    attack: async (stage, turn) => {
      const statuses = await one(stage, {
        path: '/0.1.0/data',
        body: pick(unknownBodies(), turn),
        from: from(2, turn),
      });
      await sleep(200);
      return statuses;
    },
  },
  'hostile files': {
    atOnce: 3,
    attack: (stage, turn) => {
      const { type, bytes } = pick(files(), turn);
      const headers = { ...bearer(stage.owner), 'content-type': fileTypes[type] };
      return one(stage, { path: '/0.1.0/data/file?name=X&header=true', headers, body: bytes, from: from(3, turn) });
    },
  },
  'searches by wildcards': {
    atOnce: 6,
    attack: (stage, turn) => {
      const where = { or: [{ description: { iLike: pick(patterns, turn) } }, { 'name.en': { like: '%_' } }] };
      return ask(stage, 'dashboard', { find: { where } }, stage.owner, { from: from(4, turn) });
    },
  },
  'formulas that grow': {
    atOnce: 4,
    attack: (stage, turn) => {
      const formula = pick(formulas(stage.long.columns['word'] ?? ''), turn);
      const find = { measures: [{ dataset_id: stage.long.id, formula }] };
      return ask(stage, 'data', { action: 'get', find }, stage.viewer, { from: from(5, turn) });
    },
  },
  'exports of pivot tables and the most marks': {
    atOnce: 6,
    attack: (stage, turn) => {
      const dashboard_id = pick(['pivot', 'treemap', 'sunburst', 'table'], turn);
      const type = pick(['svg', 'png', 'pdf', 'xlsx', 'csv'], turn);
      const properties = { type, item_id: 'one', dashboard_id: stage.drawn[dashboard_id] ?? '' };
      const whole = type === 'pdf' || type === 'png' ? { type, dashboard_id: properties.dashboard_id } : properties;
      return ask(stage, 'export', { action: 'create', properties: whole }, stage.viewer, { from: from(6, turn) });
    },
  },
  'slow readers of large answers': {
    atOnce: 30,
    attack: (stage, turn) => {
      const slow = { from: from(7, turn), bytesPerSecond: 20_000, limitMs: 40_000 };
      if (turn % 2 === 0) return ask(stage, 'data', { action: 'get', find: raw(stage) }, stage.viewer, slow);
      return ask(stage, 'dashboard', { find: { where: { id: stage.filled } } }, stage.owner, slow);
    },
  },
  logins: {
    atOnce: 20,
    attack: async (stage, turn) => {
      const properties = { type: 'login', email: `owner-${turn % 50}@example.com`, password: 'p'.repeat(20) };
      const sent = { path: '/0.1.0/authorization', body: JSON.stringify({ action: 'create', properties }) };
      const statuses = await one(stage, { ...sent, from: `127.8.${Math.floor(turn / 250) % 250}.${(turn % 250) + 1}` });
      await sleep(50);
      return statuses;
    },
  },
  'methods that no address takes': {
    atOnce: 4,
    attack: async (stage, turn) => {
      const method = pick(['QUERY', 'PROPFIND', 'PUT', 'TRACE', 'LOCK', 'REPORT'], turn);
      const path = pick(
        ['/0.1.0/data', '/0.1.0/dashboard', '/livez', '/docs', '/sso/prove', '/', '/0.1.0/nothing'],
        turn,
      );
      const statuses = await one(stage, { method, path, body: '{"find":{}}', from: from(8, turn) });
      await sleep(20);
      return statuses;
    },
  },
  'lists of values': {
    atOnce: 3,
    attack: (stage, turn) => {
      if (turn % 3 === 0) {
        const { id } = stage.facts;
        const ids = Array.from({ length: 10_000 }, () => id);
        const find = { where: { or: Array.from({ length: 2 }, () => ({ id: { in: ids } })) } };
        return ask(stage, 'dashboard', { find }, stage.owner, { from: from(9, turn) });
      }
      const find = turn % 3 === 1 ? inLists(stage, turn, 5, 10_000) : inLists(stage, turn, 6, 10_000);
      return ask(stage, 'data', { action: 'get', find }, stage.viewer, { from: from(9, turn) });
    },
  },
};
