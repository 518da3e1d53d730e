import { afterEach, describe, expect, it, vi } from 'vitest';
import { fontFile } from '../../../../../test/support/font-file.ts';
import { readFont } from './font-file.ts';

describe('what a font file says of itself', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is its family and whether it may be embedded', () => {
    expect(readFont(fontFile('Brand Sans'))).toEqual({ family: 'Brand Sans', mayBeEmbedded: true });
    expect(readFont(fontFile('Brand Sans', { fsType: 2 }))).toEqual({ family: 'Brand Sans', mayBeEmbedded: false });
    expect(readFont(Buffer.from('wOFF'))).toBeNull();
  });

  it('is read once, however many records name a family', () => {
    const decode = vi.spyOn(TextDecoder.prototype, 'decode');
    expect(readFont(fontFile('Brand Sans', { records: 5000 }))?.family).toBe('Brand Sans');
    expect(decode).toHaveBeenCalledTimes(1);
  });
});
