import { isUuid } from '@inlay/contract';

/** Kinds of ids that a request concerns. They are also the names of log members and span attributes. */
export const concernNames = ['organization', 'authorization', 'dashboard', 'item', 'dataset'] as const;
export type ConcernName = (typeof concernNames)[number];

export const isConcernName = (name: string): name is ConcernName => concernNames.some((concern) => concern === name);

/** Maximum number of ids per kind, to keep log lines short. */
const maxIds = 10;

/** The format of item ids, which authors of dashboards choose. Tokens of this service are longer. */
const itemId = /^[\w.:-]{1,36}$/u;

/** A single id, or several. */
export type ConcernIds = Readonly<Partial<Record<ConcernName, string | readonly string[]>>>;

/** Collects the ids of records that a request, or one of its queries, concerns. Values that are not ids are ignored. */
export class Concerns {
  readonly #whole: Concerns | null;
  readonly #ids: Partial<Record<ConcernName, string | readonly string[]>> = {};

  constructor(parent: Concerns | null = null) {
    this.#whole = parent;
  }

  /** Records an id. Ids of a single query are also recorded for the whole request. */
  note(name: ConcernName, id: string): void {
    const isId = name === 'item' ? itemId.test(id) : isUuid(id);
    if (isId) this.#add(name, name === 'item' ? id : id.toLowerCase());
  }

  #add(name: ConcernName, id: string): void {
    if (this.#whole !== null) this.#whole.#add(name, id);
    const earlierIds = this.#ids[name];
    if (earlierIds === undefined) this.#ids[name] = id;
    else if (typeof earlierIds === 'string') this.#ids[name] = earlierIds === id ? earlierIds : [earlierIds, id];
    else if (earlierIds.length < maxIds && !earlierIds.includes(id)) this.#ids[name] = [...earlierIds, id];
  }

  /** Returns a collection for a single query of the request. It starts with the same caller. */
  part(): Concerns {
    const part = new Concerns(this);
    const { organization, authorization } = this.#ids;
    if (organization !== undefined) part.#ids.organization = organization;
    if (authorization !== undefined) part.#ids.authorization = authorization;
    return part;
  }

  /** Returns the ids by name. A name with several ids has a list, otherwise a text. */
  ids(): ConcernIds {
    return this.#ids;
  }
}
