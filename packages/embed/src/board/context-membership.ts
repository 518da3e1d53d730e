import type { FilterSet } from '@inlay/contract';
import type { Context, ContextMember } from './page/context.ts';

/** Lets an element join and leave a page context. Loads the code of contexts on demand. */
export class ContextMembership {
  readonly #member: ContextMember;
  #context: Context | null = null;
  #wanted = '';

  constructor(member: ContextMember) {
    this.#member = member;
  }

  /** Leaves the current context and joins the one with this id; an empty id joins none. */
  async join(contextId: string): Promise<void> {
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

  /** Sends the filters of this element to the context if they changed. */
  publish(): void {
    this.#context?.share();
  }

  /** Returns the filters that viewers set in the other elements. */
  sets(): readonly FilterSet[] {
    return this.#context?.sets() ?? [];
  }
}
