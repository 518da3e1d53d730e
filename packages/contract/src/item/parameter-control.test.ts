import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { isOffered, maxChoices, offerOf, parameterControlOf, parameterScope } from './parameter-control.ts';
import { isSameParameter, parameterName } from './parameter-name.ts';

const offerWith = (choices: Json, own: Json = ['Europe'], more: JsonObject = {}) => {
  const scope = parameterScope({ parameters: [{ parameter: 'metadata.region', value: own, ...more }] });
  const control = parameterControlOf({ type: 'parameter-control', options: { parameter: 'region', choices } }, scope);
  if (control === null) throw new Error('there is no control');
  return offerOf(control);
};

describe('a parameter', () => {
  it('has one name with and without `metadata.`, and another with two', () => {
    expect(isSameParameter('region', 'metadata.region')).toBe(true);
    expect(isSameParameter('metadata.metadata.region', 'metadata.region')).toBe(false);
    expect(isSameParameter('metadata.metadata.region', 'region')).toBe(false);
    for (const name of ['region', 'metadata.region', 'metadata.metadata.region'])
      expect(parameterName(parameterName(name))).toBe(parameterName(name));
  });
});

describe('what a control offers', () => {
  it('is nothing but what is in force where the parameter is fixed', () => {
    for (const choices of [null, ['Asia']]) {
      const offer = offerWith(choices, ['Europe'], { fixed: true });
      expect(isOffered(offer, ['Europe'])).toBe(true);
      expect(isOffered(offer, ['Asia'])).toBe(false);
    }
  });

  it('is its choices and what is in force, but no empty list', () => {
    const offer = offerWith(['Asia', { value: 'Africa' }]);
    for (const value of [['Asia', 'Europe'], 'Africa', ['Europe'], null]) expect(isOffered(offer, value)).toBe(true);
    for (const value of [[], 'Atlantis', ['Asia', 'Atlantis'], [['Asia']], [null], {}])
      expect(isOffered(offer, value)).toBe(false);
    expect(isOffered(offerWith(['Asia'], []), [])).toBe(false);
  });

  it('is any value without choices alone', () => {
    expect(isOffered(offerWith(null), 'Atlantis')).toBe(true);
    for (const choices of [[], 'Asia', {}, [null], [{ label: 'Asia' }]]) {
      expect(isOffered(offerWith(choices), 'Asia')).toBe(false);
      expect(isOffered(offerWith(choices), ['Europe'])).toBe(true);
    }
  });

  it('is a bounded number of choices', () => {
    const offer = offerWith(Array.from({ length: maxChoices + 1 }, (_, index) => index));
    expect(isOffered(offer, maxChoices - 1)).toBe(true);
    expect(isOffered(offer, maxChoices)).toBe(false);
  });
});
