import { expect, it } from 'vitest';
import { createAnswerCache } from '../../packages/service/src/data/cache/cache.ts';
import { createRowsUnderWay, keepRows } from '../../packages/service/src/data/cache/keep-rows.ts';
import { wholeOrStream, written } from '../../packages/service/src/data/write-answer.ts';

it.each([1000, 262_135, 262_136, 262_144, 262_145])(
  'nobody waits for rows of %d bytes that a client of somebody else does not take',
  async (bytes) => {
    const underWay = createRowsUnderWay();
    const { signal } = new AbortController();
    const tell = underWay.begin('same', signal);
    const other = underWay.of('same', signal);
    const summary = { rows: 1, truncated: false, queuedMs: 0, queryMs: 0 };
    const chunks = (async function* () {
      yield new Uint8Array(bytes);
    })();
    const answer = written(
      {
        kind: 'running',
        source: 'engine',
        running: { chunks, summary: () => Promise.resolve(summary) },
        subjects: { uncached: [], filtered: [], bound: [] },
        preparedMs: 0,
        keeper: keepRows(createAnswerCache(0), 'same', null, tell),
      },
      { validatedMs: 0, startedMs: 0 },
      'find',
      () => undefined,
    );
    await wholeOrStream(answer);
    const told = await other;
    expect(told === null ? null : told.text.byteLength).toBe(bytes > 262_144 ? null : bytes);
  },
  2000,
);
