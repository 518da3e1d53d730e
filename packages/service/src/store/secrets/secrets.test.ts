import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keyId } from '../../config/keys.ts';
import { open, rewrap, seal, sealedBy, SecretKeyMissing, SecretTampered, type SecretPlace } from './secrets.ts';
import fc from 'fast-check';

const [older, newer] = [randomBytes(32), randomBytes(32)];
const [olderId, newerId] = [keyId(older), keyId(newer)];
const keys = new Map([
  [newerId, newer],
  [olderId, older],
]);
const ring = { current: newerId, keys };
const place: SecretPlace = { resource: 'account', id: 'a1', field: 'token', organization: 'o1' };
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
const sealed = seal(ring, olderId, place, 'correct horse');

describe('a stored secret', () => {
  test('comes back as it was, whatever its letters', () => {
    fc.assert(
      fc.property(anyText, (plain) => {
        expect(open(ring, place, seal(ring, newerId, place, plain))).toBe(plain);
      }),
    );
  });

  test('is sealed again each time and names only the key that sealed it', () => {
    expect(seal(ring, olderId, place, 'correct horse')).not.toBe(sealed);
    expect(sealed).toMatch(/^v1\.[\da-f]{12}(?:\.[\w-]+){4}$/u);
    expect(sealedBy(sealed)).toBe(olderId);
  });

  test('is refused when any one letter of it is another', () => {
    const letters = fc.constantFrom(...Array.from('ABCXYZabcxyz0189-_.=+/ '));
    const at = fc.nat({ max: sealed.length - 1 });
    fc.assert(
      fc.property(at, letters, (index, letter) => {
        fc.pre(sealed[index] !== letter);
        const forged = sealed.slice(0, index) + letter + sealed.slice(index + 1);
        expect(() => open(ring, place, forged)).toThrow(/sealed/u);
        expect(
          () => rewrap(ring, newerId, place, forged) && open(ring, place, rewrap(ring, newerId, place, forged)),
        ).toThrow(/sealed/u);
      }),
      { numRuns: 1000 },
    );
  });

  test('is refused when any one bit of its bytes is flipped', () => {
    const parts = sealed.split('.');
    for (const part of [2, 3, 4, 5]) {
      const bytes = Buffer.from(parts[part] ?? '', 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const forged = parts.with(part, flipped.toString('base64url')).join('.');
        expect(() => open(ring, place, forged)).toThrow(SecretTampered);
      }
    }
  });

  test('is refused when cut short, lengthened or empty', () => {
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => open(ring, place, sealed.slice(0, length))).toThrow(/sealed/u);
    for (const text of ['', 'v1', '.....', `${sealed}.`, `${sealed}.x`, sealed.replace('v1', 'v2')])
      expect(() => open(ring, place, text)).toThrow(SecretTampered);
  });

  test.each([
    ['row', { ...place, id: 'a2' }],
    ['field', { ...place, field: 'code' }],
    ['organization', { ...place, organization: 'o2' }],
    ['organization that is none', { ...place, organization: null }],
    ['resource', { ...place, resource: 'plugin' }],
    ['place that reads alike', { ...place, id: 'a1","token', field: '' }],
  ])('is refused in another %s', (_, elsewhere) => {
    expect(() => open(ring, elsewhere, sealed)).toThrow(SecretTampered);
    expect(() => rewrap(ring, newerId, elsewhere, sealed)).toThrow(SecretTampered);
  });

  test('does not take the parts of another secret of its place', () => {
    const [mine, other] = [sealed.split('.'), seal(ring, olderId, place, 'battery').split('.')];
    const mixed = [...mine.slice(0, 4), ...other.slice(4)].join('.');
    expect(() => open(ring, place, mixed)).toThrow(SecretTampered);
  });

  test('says which key is missing', () => {
    const without = { current: newerId, keys: new Map([[newerId, newer]]) };
    expect(() => open(without, place, sealed)).toThrow(SecretKeyMissing);
    expect(() => open(without, place, sealed)).toThrow(olderId);
    expect(() => seal(without, olderId, place, 'x')).toThrow(SecretKeyMissing);
  });

  test('moves to a newer key with its text kept and no trace of the older one', () => {
    fc.assert(
      fc.property(anyText, (plain) => {
        const moved = rewrap(ring, newerId, place, seal(ring, olderId, place, plain));
        expect(sealedBy(moved)).toBe(newerId);
        expect(moved).not.toContain(olderId);
        expect(open({ current: newerId, keys: new Map([[newerId, newer]]) }, place, moved)).toBe(plain);
      }),
    );
  });
});
