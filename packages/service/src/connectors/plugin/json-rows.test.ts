import fc from 'fast-check';
import type { Json } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { PluginFault } from './fault.ts';
import { readRows } from './json-rows.ts';

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(batches: AsyncIterable<readonly Json[]>): Promise<Json[]> {
  const rows: Json[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

function read(text: string, size = 7): Promise<Json[]> {
  return all(readRows(pieces(text, size)));
}

const refusal = async (text: string, size = 7): Promise<string> => {
  try {
    return JSON.stringify(await read(text, size));
  } catch (error) {
    return error instanceof PluginFault ? error.kind : `not a fault: ${String(error)}`;
  }
};

describe('a list of rows that arrives in pieces', () => {
  it('is the same list, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.double(), fc.constant(null), fc.boolean()))),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(undefined, 2),
        async (rows, size, indent) => {
          const text = JSON.stringify(rows, null, indent);
          expect(await read(text, size)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps texts with brackets, quotes and escapes apart from the list', async () => {
    const rows = [
      ['a]b', '["x"]', '\\', '\\"', 'a\\\\"]'],
      ['é€𝄞', '\u0000', '}{'],
    ];
    for (const size of [1, 2, 3, 1000]) expect(await read(JSON.stringify(rows), size)).toEqual(rows);
  });

  it.each([
    ['nothing', ''],
    ['white space', '   '],
    ['an object', '{"rows":[[1]]}'],
    ['a number', '12'],
    ['a page', '<html>[1]</html>'],
    ['no end', '[[1],[2]'],
    ['an end too many', '[[1]]]'],
    ['something after it', '[[1]] [[2]]'],
    ['no comma', '[[1][2]]'],
    ['a comma first', '[,[1]]'],
    ['a comma last', '[[1],]'],
    ['no quote', '[["a],[2]]'],
    ['plain values', '[1,2,3]'],
    ['unequal brackets', '[[1}]'],
  ])('is refused with %s', async (_what, text) => {
    for (const size of [1, 5, 1000]) expect(await refusal(text, size)).toBe('shape');
  });

  it('is refused where it is no UTF-8', async () => {
    const body = async function* body(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array([0x5b, 0x5b, 0x22, 0xff, 0x22, 0x5d, 0x5d]);
    };
    await expect(all(readRows(body()))).rejects.toMatchObject({ kind: 'shape' });
  });

  it('is refused where a row has no end or is too deep, without reading on', async () => {
    const asked = { pieces: 0 };
    const endless = async function* endless(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('[["');
      for (;;) {
        asked.pieces += 1;
        yield new Uint8Array(65_536).fill(0x61);
      }
    };
    await expect(all(readRows(endless()))).rejects.toMatchObject({ kind: 'limit' });
    expect(asked.pieces).toBeLessThan(20);
    expect(await refusal('['.repeat(100_000), 1000)).toBe('limit');
  });
});
