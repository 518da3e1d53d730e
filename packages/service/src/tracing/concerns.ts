import { isUuid } from '@inlay/contract';

/** What a request may concern, each by its id; the names of members of log lines and of attributes of spans. */
export const concernNames = ['organization', 'authorization', 'dashboard', 'item', 'dataset'] as const;
export type ConcernName = (typeof concernNames)[number];

export const isConcernName = (name: string): name is ConcernName => concernNames.some((known) => known === name);

/** Ids of one kind that are noted at most: a line of the log stays short. */
const mostIds = 10;

/** The shape of an id of an item, which the author of the dashboard chooses. Tokens of this service are longer. */
const itemId = /^[\w.:-]{1,36}$/u;

/** One id, or several. */
export type ConcernIds = Readonly<Partial<Record<ConcernName, string | readonly string[]>>>;

/** The ids of what a request, or one query of it, concerns. Takes nothing that is no id. */
export class Concerns {
  readonly #whole: Concerns | null;
  readonly #ids: Partial<Record<ConcernName, string | readonly string[]>> = {};

  constructor(whole: Concerns | null = null) {
    this.#whole = whole;
  }

  /** Notes an id, of the whole request too. */
  note(name: ConcernName, id: string): void {
    const isId = name === 'item' ? itemId.test(id) : isUuid(id);
    if (isId) this.#add(name, name === 'item' ? id : id.toLowerCase());
  }

  #add(name: ConcernName, id: string): void {
    if (this.#whole !== null) this.#whole.#add(name, id);
    const known = this.#ids[name];
    if (known === undefined) this.#ids[name] = id;
    else if (typeof known === 'string') this.#ids[name] = known === id ? known : [known, id];
    else if (known.length < mostIds && !known.includes(id)) this.#ids[name] = [...known, id];
  }

  /** What one query of the request concerns: who asks is the same. */
  part(): Concerns {
    const part = new Concerns(this);
    const { organization, authorization } = this.#ids;
    if (organization !== undefined) part.#ids.organization = organization;
    if (authorization !== undefined) part.#ids.authorization = authorization;
    return part;
  }

  /** The ids by name: a text, or a list where there are several. */
  ids(): ConcernIds {
    return this.#ids;
  }
}
