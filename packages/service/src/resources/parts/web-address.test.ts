import { expect, it } from 'vitest';
import { webAddress } from './web-address.ts';

const faultsOf = (value: string): readonly string[] => {
  const faults: string[] = [];
  webAddress(value, 'base_url', (at, message) => faults.push(`${at} ${message}`));
  return faults;
};

it('a web address is one to which requests are sent', () => {
  for (const address of ['https://example.com', 'http://localhost:8080/api', 'https://example.com:8443'])
    expect(faultsOf(address)).toEqual([]);
  for (const address of ['ftp://example.com', 'https://me:secret@example.com', 'example.com'])
    expect(faultsOf(address)).toEqual(['base_url must be an http or https address without user name or password']);
  for (const port of [22, 25, 6667])
    expect(faultsOf(`https://example.com:${port}`)).toEqual([
      `base_url has port ${port}, to which no HTTP request is sent; use another port`,
    ]);
});

it('ports of other protocols are those that fetch refuses', async () => {
  const refusal = (port: number): Promise<unknown> =>
    fetch(`http://127.0.0.1:${port}`).then(
      () => null,
      (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause.message : null),
    );
  for (const port of [1, 22, 2049, 6697, 10_080]) {
    expect(await refusal(port)).toBe('bad port');
    expect(faultsOf(`http://127.0.0.1:${port}`)).toHaveLength(1);
  }
});
