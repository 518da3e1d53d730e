import { expect, it } from 'vitest';
import { createAnswerCache } from '../../packages/service/src/data/cache/cache.ts';
import { createInFlightQueries, keepRows } from '../../packages/service/src/data/cache/keep-rows.ts';
import { rowText } from '../../packages/service/src/data/answers/row-text.ts';
import { wholeOrStream, writtenAnswer } from '../../packages/service/src/data/answers/write-answer.ts';

it.each([1000, 262_135, 262_136, 262_144, 262_145])(
  'nobody waits for rows of %d bytes that a client of somebody else does not take',
  async (bytes) => {
    const underWay = createInFlightQueries();
    const { signal } = new AbortController();
    const tell = underWay.begin('same', signal);
    const other = underWay.of('same', signal);
    const summary = { rows: 1, truncated: false, queuedMs: 0, queryMs: 0 };
    const chunks = (async function* () {
      yield new Uint8Array(bytes);
    })();
    const rows = rowText(
      {
        kind: 'running',
        dataAsOf: null,
        running: { place: 'engine', chunks, summary: () => Promise.resolve(summary) },
        subjects: { uncached: [], filtered: [], bound: [] },
        preparedMs: 0,
        keeper: keepRows(createAnswerCache(0), 'same', null, tell),
      },
      'find',
      () => undefined,
    );
    await wholeOrStream(writtenAnswer(rows, { validatedMs: 0, startedMs: 0 }));
    const told = await other;
    expect(told === null ? null : told.text.byteLength).toBe(bytes > 262_144 ? null : bytes);
  },
  2000,
);
