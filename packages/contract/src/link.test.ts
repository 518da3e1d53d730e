import { describe, expect, it } from 'vitest';
import { filledAddress, isAddressTemplate, placeholdersOf } from './link.ts';

const fill = (template: string, value: string | null): string | null => filledAddress(template, () => value);

describe('an address template', () => {
  it('is filled with encoded values, which stay in their place', () => {
    expect(fill('https://shop.example/orders/{Order id}', 'A 1/2?x=#y&é')).toBe(
      'https://shop.example/orders/A%201%2F2%3Fx%3D%23y%26%C3%A9',
    );
    expect(fill('/orders?id={Order id}', '7')).toBe('/orders?id=7');
    expect(fill('mailto:{Address}', 'ada@example.com')).toBe('mailto:ada%40example.com');
    expect(fill('orders/{id}', 'https://other.example')).toBe('orders/https%3A%2F%2Fother.example');
    expect(placeholdersOf('/a/{Order id}/{Region}')).toEqual(['Order id', 'Region']);
  });

  it.each(['', null, '.', '..', '\ud800'])('gives none where a value is %j', (value) => {
    expect(fill('/{Order id}/orders', value)).toBeNull();
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert("{x}")',
    'java\nscript:alert(1)',
    '\u0001javascript:{x}',
    'data:text/html,{x}',
    'vbscript:{x}',
    'file:///etc/passwd',
    'blob:https://a.example/{x}',
    'https://',
    '   ',
  ])('%j leads nowhere', (template) => {
    expect(isAddressTemplate(template)).toBe(false);
    expect(fill(template, 'x')).toBeNull();
  });

  it.each([
    'https://{x}/a',
    '//{x}',
    'https://shop.example{x}/',
    'https://{x}@shop.example/',
    'https:\\\\{x}',
    '{x}:alert(1)',
    'java{x}:1',
  ])('%j leads nowhere, since a value would choose the host or the scheme', (template) => {
    for (const value of ['javascript', 'evil.example', 'https']) expect(fill(template, value)).toBeNull();
    expect(isAddressTemplate(template)).toBe(false);
  });

  it.each(['{x}', '/{x}', '?q={x}', 'java{x}script:alert(1)'])(
    '%j stays in the page whatever the value is',
    (template) => {
      for (const value of ['javascript:alert(1)', '//evil.example', '\\\\evil', 'https://evil.example', ':'])
        expect(new URL(fill(template, value) ?? '/', 'https://page.example/').origin).toBe('https://page.example');
    },
  );
});
