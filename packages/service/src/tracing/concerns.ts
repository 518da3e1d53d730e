import { isUuid } from '@inlay/contract';

/** Kinds of ids that a request concerns; also the names of log members and span attributes. */
export const concernNames = ['organization', 'authorization', 'dashboard', 'item', 'dataset'] as const;
export type ConcernName = (typeof concernNames)[number];

export const isConcernName = (name: string): name is ConcernName => concernNames.some((known) => known === name);

/** Maximum ids per kind, to keep log lines short. */
const maxIds = 10;

/** The format of item ids, which authors of dashboards choose. Tokens of this service are longer. */
const itemId = /^[\w.:-]{1,36}$/u;

/** An id or several. */
export type ConcernIds = Readonly<Partial<Record<ConcernName, string | readonly string[]>>>;

/** Collects the ids of records that a request, or one of its queries, concerns. Ignores values that are not ids. */
export class Concerns {
  readonly #whole: Concerns | null;
  readonly #ids: Partial<Record<ConcernName, string | readonly string[]>> = {};

  constructor(whole: Concerns | null = null) {
    this.#whole = whole;
  }

  /** Records an id, for the whole request too. */
  note(name: ConcernName, id: string): void {
    const isId = name === 'item' ? itemId.test(id) : isUuid(id);
    if (isId) this.#add(name, name === 'item' ? id : id.toLowerCase());
  }

  #add(name: ConcernName, id: string): void {
    if (this.#whole !== null) this.#whole.#add(name, id);
    const known = this.#ids[name];
    if (known === undefined) this.#ids[name] = id;
    else if (typeof known === 'string') this.#ids[name] = known === id ? known : [known, id];
    else if (known.length < maxIds && !known.includes(id)) this.#ids[name] = [...known, id];
  }

  /** Returns the ids of a single query of the request, with the same caller. */
  part(): Concerns {
    const part = new Concerns(this);
    const { organization, authorization } = this.#ids;
    if (organization !== undefined) part.#ids.organization = organization;
    if (authorization !== undefined) part.#ids.authorization = authorization;
    return part;
  }

  /** Returns the ids by name: text, or a list if there are several. */
  ids(): ConcernIds {
    return this.#ids;
  }
}
