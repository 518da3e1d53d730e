import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parametersOf, withFilters, type FilterSet } from '@inlay/contract';
import { Context } from './context.ts';

const name = 'metadata.region';

class Part {
  readonly element = new EventTarget();
  sets: readonly FilterSet[] = [];
  changes = 0;
  readonly context = new Context('page', this);
  own = (): readonly FilterSet[] => this.sets;
  changed = (): void => void (this.changes += 1);
  set(value: string | null): void {
    this.sets = withFilters(this.sets, 'control', [], { [name]: value });
    this.context.share();
  }
  value(): unknown {
    return parametersOf([...this.sets, ...this.context.sets()])[name];
  }
}

describe('a parameter that several elements of a context set', () => {
  beforeEach(() => vi.stubGlobal('document', new EventTarget()));
  afterEach(() => vi.unstubAllGlobals());

  it('has the value that was set last, in each of them', () => {
    const parts = [new Part(), new Part(), new Part()] as const;
    const [first, other, third] = parts;
    const values = (): readonly unknown[] => parts.map((part) => part.value());
    for (const part of parts) part.context.enter();
    first.set('Asia');
    expect(values()).toEqual(['Asia', 'Asia', 'Asia']);
    other.set('Africa');
    expect(values()).toEqual(['Africa', 'Africa', 'Africa']);
    first.set('Asia');
    expect(values()).toEqual(['Asia', 'Asia', 'Asia']);
    // Setting an equal value still counts as the latest change.
    other.set('Africa');
    first.set('Asia');
    expect(values()).toEqual(['Asia', 'Asia', 'Asia']);
    third.set(null);
    expect(values()).toEqual([null, null, null]);
    third.context.leave();
    expect([first.value(), other.value()]).toEqual(['Asia', 'Asia']);
  });

  it('is told once to each of the others', () => {
    const [first, other] = [new Part(), new Part()];
    first.context.enter();
    first.set('Asia');
    other.context.enter();
    expect(other.value()).toBe('Asia');
    other.set('Africa');
    other.context.share();
    expect(first.changes).toBe(1);
    expect(first.value()).toBe('Africa');
  });
});
