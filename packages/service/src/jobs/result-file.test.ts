import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ResultFiles, resultFolder, type ResultFileId } from './result-file.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'inlay-results-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const block = 65_536;
const files = new ResultFiles({ dataDir, quotaBytes: 1_000_000_000 });
const never = new AbortController().signal;
const idOf = (name: string): ResultFileId => ({ organizationId: 'ours', taskId: 'task', name });
const pathOf = ({ organizationId, taskId, name }: ResultFileId): string =>
  join(resultFolder(dataDir), organizationId, `${taskId}.${name}`);

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
const write = (id: ResultFileId, bytes: Buffer, size = 1000) => files.write(id, inPieces(bytes, size), never);
async function read(id: ResultFileId, key: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await files.read(id, key)) pieces.push(piece);
  return Buffer.concat(pieces);
}
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('the file of a task', () => {
  it.each([0, 1, block - 1, block, block + 1, 2 * block, 5 * block + 17])(
    'of %i bytes comes back as it was, in whatever pieces it came',
    async (length) => {
      const bytes = randomBytes(length);
      for (const size of [777, block, 3 * block]) {
        const id = idOf(`whole ${length} ${size}`);
        const written = await write(id, bytes, size);
        expect(written.bytes).toBe(length);
        expect(digest(await read(id, written.key))).toBe(digest(bytes));
        expect(readFileSync(pathOf(id))).toHaveLength(length + 16 * (Math.floor(length / block) + 1));
      }
    },
  );

  it('is refused when a bit is flipped, a block is cut off, moved or repeated, or it is another one', async () => {
    const id = idOf('changed');
    const { key } = await write(id, randomBytes(3 * block + 100));
    const whole = readFileSync(pathOf(id));
    const sealed = block + 16;
    const part = (index: number): Buffer => whole.subarray(index * sealed, (index + 1) * sealed);
    const flipped = Buffer.from(whole);
    flipped[sealed + 5] = (flipped[sealed + 5] ?? 0) ^ 1;
    const changed = [
      flipped,
      whole.subarray(0, 2 * sealed),
      whole.subarray(0, 3 * sealed),
      whole.subarray(0, -1),
      whole.subarray(0, 0),
      Buffer.concat([part(1), part(0), part(2), part(3)]),
      Buffer.concat([part(0), part(0), part(1), part(2), part(3)]),
      Buffer.concat([whole, part(3)]),
    ];
    for (const bytes of changed) {
      writeFileSync(pathOf(id), bytes);
      await expect(read(id, key)).rejects.toThrow('changed or cut');
    }
    const other = idOf('other');
    writeFileSync(pathOf(other), whole);
    await expect(read(other, key)).rejects.toThrow('changed or cut');
    await expect(read(id, randomBytes(32).toString('base64url'))).rejects.toThrow('changed or cut');
    await expect(read(idOf('gone'), key)).rejects.toMatchObject({ data: { code: 'not_found' } });
  });

  it('is opened with its first block, so that one that nobody reads holds nothing open', async () => {
    const id = idOf('unread');
    const { key } = await write(id, randomBytes(block));
    const openFiles = (): number =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === pathOf(id);
        } catch {
          return false;
        }
      }).length;
    const blocks = (await files.read(id, key))[Symbol.asyncIterator]();
    expect(openFiles()).toBe(0);
    await blocks.next();
    expect(openFiles()).toBe(1);
    await blocks.return?.();
    expect(openFiles()).toBe(0);
  });

  it('is refused beyond the space of its organization, with the files that are there, and leaves nothing', async () => {
    const bounded = new ResultFiles({ dataDir, quotaBytes: 3 * block });
    const ofOrganization = (organizationId: string, name: string): ResultFileId => ({ ...idOf(name), organizationId });
    const bytes = randomBytes(2 * block);
    await bounded.write(ofOrganization('small', 'first'), inPieces(bytes, block), never);
    await bounded.requireSpace('small');
    const exceeded = { data: { code: 'task_quota_exceeded' } };
    const second = bounded.write(ofOrganization('small', 'second'), inPieces(bytes, block), never);
    await expect(second).rejects.toMatchObject(exceeded);
    expect(readdirSync(join(resultFolder(dataDir), 'small'))).toEqual(['task.first']);
    await bounded.write(ofOrganization('small', 'third'), inPieces(randomBytes(block - 64), block), never);
    await expect(bounded.requireSpace('small')).rejects.toMatchObject(exceeded);
    await bounded.write(ofOrganization('other', 'first'), inPieces(bytes, block), never);
  });

  it('leaves nothing where its rows fail or it is cancelled half-way', async () => {
    const before = readdirSync(join(resultFolder(dataDir), 'ours'));
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield randomBytes(2 * block);
      throw new Error('no more rows');
    }
    await expect(files.write(idOf('failed'), failing(), never)).rejects.toThrow('no more rows');
    const cancelled = AbortSignal.abort(new Error('cancelled'));
    await expect(files.write(idOf('cancelled'), inPieces(randomBytes(block), 100), cancelled)).rejects.toThrow(
      'cancelled',
    );
    expect(readdirSync(join(resultFolder(dataDir), 'ours'))).toEqual(before);
  });
});
