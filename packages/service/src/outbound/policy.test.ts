import { describe, expect, test } from 'vitest';
import { isListed, isPublicUnicast, mayReach } from './policy.ts';

describe('a public address', () => {
  test.each(['8.8.8.8', '93.184.215.14', '1.1.1.1', '223.255.255.254', '2606:4700::1111', '2a00:1450:4001::1'])(
    'is %s',
    (address) => expect(isPublicUnicast(address)).toBe(true),
  );
  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    '::ffff:8.8.8.8',
    '::8.8.8.8',
  ])('is not %s', (address) => expect(isPublicUnicast(address)).toBe(false));
  test.each([
    '64:ff9b::808:808',
    '2002:808:808::1',
    '2001:0:1::1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '4000::1',
    'example.com',
    '',
  ])('is not %j', (address) => expect(isPublicUnicast(address)).toBe(false));
});

describe('what an operator lists', () => {
  const policy = {
    allowPrivateHosts: false,
    allowHosts: [
      { network: '10.1.0.0/16', port: 5432 },
      { network: 'fd00::/8', port: 443 },
    ],
  };

  test('is a network with exactly one port', () => {
    expect(isListed('10.1.2.3', 5432, policy)).toBe(true);
    expect(isListed('::ffff:10.1.2.3', 5432, policy)).toBe(true);
    expect(isListed('fd12::1', 443, policy)).toBe(true);
    for (const [address, port] of [
      ['10.1.2.3', 5433],
      ['10.2.0.1', 5432],
      ['fd12::1', 5432],
      ['fe80::1', 443],
      ['x', 443],
    ] as const)
      expect(isListed(address, port, policy)).toBe(false);
  });

  test('comes on top of what is public, which plain http may not use', () => {
    expect(mayReach('8.8.8.8', 443, policy)).toBe(true);
    expect(mayReach('8.8.8.8', 80, policy, true)).toBe(false);
    expect(mayReach('10.1.2.3', 5432, policy, true)).toBe(true);
    expect(mayReach('127.0.0.1', 1, { allowPrivateHosts: true, allowHosts: [] }, true)).toBe(true);
  });
});
