import type { Context, ContextMember } from './page/context.ts';
import type { FilterSet } from '@inlay/contract';

/** The place of an element in a context of its page. What that needs is loaded where a page names one. */
export class ContextSeat {
  readonly #member: ContextMember;
  #context: Context | null = null;
  #wanted = '';

  constructor(member: ContextMember) {
    this.#member = member;
  }

  /** Takes part in a context, and no longer in another; an empty id is none. */
  async enter(contextId: string): Promise<void> {
    this.leave();
    this.#wanted = contextId;
    if (contextId === '') return;
    const { Context } = await import('./page/context.ts');
    if (this.#wanted !== contextId || this.#context !== null) return;
    this.#context = new Context(contextId, this.#member);
    this.#context.enter();
  }

  leave(): void {
    this.#wanted = '';
    this.#context?.leave();
    this.#context = null;
  }

  /** Tells the others what viewers set in this element, where that changed. */
  share(): void {
    this.#context?.share();
  }

  /** What viewers set in the other elements. */
  sets(): readonly FilterSet[] {
    return this.#context?.sets() ?? [];
  }
}
