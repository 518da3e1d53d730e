import type { ServerResponse } from 'node:http';
import type { Json } from '@inlay/contract';
import { completion, type Behaviour } from './provider-server.ts';

const foreign = '01890a5d-ffff-774b-bcce-b302099a8057';
const evil = [
  '<img src=x onerror=alert(1)>',
  '//evil.example/x.png',
  'https://evil.example',
  '![x](//evil.example)',
  'javascript:alert(1)',
  '__proto__',
  'constructor',
  foreign,
  '01890a5d-ac96-774b-bcce-000000000010',
  'c99',
  'c-1',
  'c00',
  'Revenue',
  '',
  'c1e1',
  '%00',
  'c3; drop table',
  '\u202e c1',
];
const kinds = [
  'bar-chart',
  'pie-chart',
  'evil-chart',
  '<b>',
  'line-chart',
  'pivot-table',
  'scatter-plot',
  'dropdown-filter',
  'treemap-chart',
  'toString',
  'evolution-number',
];
const pick = <One>(list: readonly One[], nth: number): One | undefined => list[nth % list.length];

/** Returns the nth hostile answer: a sensible one spoilt in one or several places. */
export function hostile(nth: number): string {
  const bad = pick(evil, nth);
  const entry = (seed: number): Json =>
    pick<Json>(
      [
        { column: bad ?? null, aggregation: 'sum', grain: null },
        { column: `c${seed % 7}`, aggregation: bad ?? null, grain: bad ?? null },
        bad ?? null,
        null,
        7,
        [],
        { column: { id: 'c1' } },
        { formula: { kind: 'ratio', of: { column: bad ?? null }, to: bad ?? null, percent: bad ?? null } },
        { formula: { kind: 'rate', column: 'c1', values: [bad ?? null] } },
        { formula: bad ?? null },
        {
          __proto__x: bad ?? null,
          column: 'c3',
          label: bad ?? null,
          format: bad ?? null,
          url: bad ?? null,
          columnId: foreign,
          datasetId: foreign,
        },
      ],
      seed,
    ) ?? null;
  const slot = (seed: number): Json => ({
    name: pick(['x-axis', 'y-axis', 'measure', 'legend', 'category', 'columns', 'row', bad ?? ''], seed) ?? '',
    columns: pick<Json>([[entry(seed)], [entry(seed), entry(seed + 1)], bad ?? null, {}, []], seed + 1) ?? [],
  });
  const object = {
    type: pick(kinds, Math.floor(nth / 3)) ?? '',
    title: bad ?? null,
    options: { title: { en: bad ?? null } },
    slots:
      pick<Json>(
        [
          [slot(nth), slot(nth + 1), slot(nth + 3)],
          { evil: bad ?? null },
          null,
          [slot(nth + 2)],
          Array.from({ length: 30 }, (_, at) => slot(at)),
        ],
        nth,
      ) ?? null,
    sort:
      pick<Json>([null, { by: bad ?? null, order: 'desc' }, { by: 'measure', order: bad ?? null }, 'x'], nth) ?? null,
    limit: pick<Json>([null, -1, 1e9, 2.5, bad ?? null, 5], nth) ?? null,
    conditions:
      pick<Json>(
        [
          null,
          [{ kind: 'values', column: bad ?? null, values: [bad ?? null], excluded: false }],
          [{ kind: 'values', column: `c${nth % 5}`, values: [bad ?? null, 'North'], excluded: bad ?? null }],
          [{ kind: 'span', column: 'c0', spans: [{ kind: 'period', unit: bad ?? null, day: bad ?? null }] }],
          [{ kind: 'span', column: 'c0', spans: [{ kind: 'between', from: bad ?? null, to: '9999-99-99' }] }],
          [{ kind: 'bound', column: 'c3', operator: bad ?? null, values: [1e308, bad ?? null] }],
          Array.from({ length: 50 }, () => bad ?? null),
          { evil: bad ?? null },
        ],
        nth >> 1,
      ) ?? null,
    comparison:
      pick<Json>([null, { column: 'c0', current: bad ?? null, previous: bad ?? null }, bad ?? null], nth) ?? null,
    unread: pick<Json>([[], [bad ?? null], bad ?? null], nth) ?? null,
    cannot: pick<Json>([null, null, null, bad ?? null], nth) ?? null,
    extra: bad ?? null,
  };
  const text = JSON.stringify(object).replace('__proto__x', '__proto__');
  return (
    pick(
      [
        text,
        `\`\`\`json\n${text}\n\`\`\``,
        `Sure! ${text} ${bad ?? ''}`,
        text.slice(0, text.length >> 1),
        `[${text}]`,
        `{"__proto__": ${text}}`,
        bad ?? '',
        '{'.repeat(5000),
        text + text,
      ],
      Math.floor(nth / 5),
    ) ?? ''
  );
}

export const json = { 'content-type': 'application/json' };
/** Providers that answer in no useful way. */
export const spoilt: Readonly<Record<string, Behaviour>> = {
  'never answers': () => () => undefined,
  'answers a byte at a time': () => (response: ServerResponse) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  },
  'answers 50 MB': () => (response) => {
    response.writeHead(200, json);
    const piece = ' '.repeat(1 << 20);
    const more = (left: number): void => {
      if (left === 0 || response.destroyed) return void response.end();
      response.write(piece, () => more(left - 1));
    };
    more(50);
  },
  'says it answers 50 MB': () => (response) =>
    void response.writeHead(200, { ...json, 'content-length': '52428800' }).write('{'),
  'answers with a page': () => (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  'answers half and hangs up': () => (response) => {
    response.writeHead(200, json).write(completion('{}').slice(0, 20));
    setTimeout(() => response.destroy(), 20);
  },
  'hangs up': () => (response) => void response.destroy(),
  'answers 500': () => (response) => void response.writeHead(500, json).end('{"error":"//evil.example"}'),
  'answers 401': () => (response) => void response.writeHead(401, json).end('{}'),
  'answers 429': () => (response) => void response.writeHead(429, { ...json, 'retry-after': '99999' }).end('{}'),
  redirects: () => (response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  'refuses every format': () => (response) =>
    void response.writeHead(400, json).end('{"error":{"message":"response_format"}}'),
  'answers no choices': () => (response) => void response.writeHead(200, json).end('{"choices":[]}'),
  'answers null': () => (response) => void response.writeHead(200, json).end('null'),
  'answers deep JSON': () => (response) =>
    void response.writeHead(200, json).end('['.repeat(100_000) + ']'.repeat(100_000)),
  'refuses in words': () => 'I cannot help with that. See https://evil.example',
};
