/** The kinds of record the model knows. */
export const modelKinds = ['tag', 'theme', 'group', 'collection', 'dataset', 'dashboard', 'column', 'user'] as const;
export type ModelKind = (typeof modelKinds)[number];

/** Ranks: 1 member, 2 editor, 3 owner, 4 admin. Rights: 1 read, 2 use, 3 modify, 4 own. */
export interface Actor {
  readonly place: 'A' | 'B';
  readonly rank: number;
  /** Their record. */
  readonly self: ModelRecord;
}

export interface ModelRecord {
  readonly kind: ModelKind;
  readonly place: 'A' | 'B';
  /** The id the service gave it. */
  readonly id: string;
  name: string;
  alive: boolean;
  /** Rights given on it to people and groups. */
  readonly given: Map<ModelRecord, number>;
  /** The collections a securable is in, or the records it is linked to otherwise; each with the right that whoever linked it held. */
  readonly linked: Map<ModelRecord, number>;
  /** The dataset of a column. */
  readonly dataset: ModelRecord | null;
}

/** What a call should answer: the status, and what then changes. */
export interface Expected {
  readonly status: number;
  readonly effect?: () => void;
}

const isSecurable = ({ kind }: ModelRecord): boolean => kind === 'dataset' || kind === 'dashboard';
const refused = (status: number): Expected => ({ status });

/** Two organizations in plain memory, by the rules of docs/specification/rights.md. */
export class Model {
  readonly records: ModelRecord[] = [];

  add(kind: ModelKind, place: 'A' | 'B', id: string, name: string, dataset: ModelRecord | null = null): ModelRecord {
    const made = { kind, place, id, name, alive: true, given: new Map(), linked: new Map(), dataset };
    this.records.push(made);
    return made;
  }

  /** Returns the right somebody holds: their own, their groups', and what the collections of a securable give. */
  right({ place, rank, self }: Actor, record: ModelRecord): number {
    if (!record.alive || record.place !== place) return 0;
    const groups = this.records.filter(({ kind, alive, given }) => kind === 'group' && alive && given.has(self));
    const subjects = [self, ...groups];
    const inherited = [...record.linked].filter(([{ kind, alive }]) => kind === 'collection' && alive);
    const sources = [[record, 4] as const, ...inherited];
    const held = sources.flatMap(([{ given }, most]) =>
      subjects.map((subject) => Math.min(most, given.get(subject) ?? 0)),
    );
    return Math.max(0, isSecurable(record) && rank >= 4 ? 3 : 0, ...held);
  }

  sees(actor: Actor, record: ModelRecord): boolean {
    if (!record.alive || record.place !== actor.place) return false;
    if (record.dataset !== null) return this.right(actor, record.dataset) >= 1;
    // What a record is called, which is all that the model knows of it, an owner of the organization sees of each.
    if (actor.rank >= 3) return true;
    return isSecurable(record) || record.kind === 'collection' ? this.right(actor, record) >= 1 : true;
  }

  #mayChange(actor: Actor, record: ModelRecord): boolean {
    switch (record.kind) {
      case 'tag':
      case 'theme':
        return actor.rank >= 2;
      case 'group':
      case 'dataset':
        return this.right(actor, record) >= 4;
      case 'collection':
      case 'dashboard':
        return this.right(actor, record) >= 3;
      case 'column':
        return record.dataset !== null && this.right(actor, record.dataset) >= 3;
      case 'user':
        return record === actor.self || actor.rank >= 3;
    }
  }

  #mayDelete(actor: Actor, record: ModelRecord): boolean {
    if (record.kind === 'tag') return actor.rank >= 2;
    if (record.kind === 'theme' || record.kind === 'user') return actor.rank >= 3;
    return record.kind === 'column' ? this.#mayChange(actor, record) : this.right(actor, record) >= 4;
  }

  create(actor: Actor, kind: Exclude<ModelKind, 'user'>, dataset: ModelRecord | null): Expected {
    if (kind === 'column') {
      if (dataset === null || !this.sees(actor, dataset)) return refused(400);
      return this.right(actor, dataset) >= 3 ? { status: 200 } : refused(403);
    }
    const least = kind === 'collection' || kind === 'dataset' || kind === 'dashboard' ? 2 : 1;
    return actor.rank >= least ? { status: 200 } : refused(403);
  }

  update(actor: Actor, record: ModelRecord, name: string): Expected {
    if (!this.sees(actor, record)) return refused(404);
    if (!this.#mayChange(actor, record)) return refused(403);
    return { status: 200, effect: () => (record.name = name) };
  }

  remove(actor: Actor, record: ModelRecord): Expected {
    if (!this.sees(actor, record)) return refused(404);
    if (!this.#mayDelete(actor, record)) return refused(403);
    return { status: 200, effect: () => this.#end(record) };
  }

  #end(record: ModelRecord): void {
    record.alive = false;
    for (const other of this.records) {
      other.given.delete(record);
      other.linked.delete(record);
      if (other.dataset === record) other.alive = false;
    }
  }

  #firstAndTarget(actor: Actor, first: ModelRecord, target: ModelRecord, roles: () => boolean): Expected | null {
    if (!this.sees(actor, first)) return refused(404);
    if (!this.sees(actor, target)) return refused(400);
    return roles() ? null : refused(403);
  }

  #mayShare(actor: Actor, record: ModelRecord, subject: ModelRecord, level = 0): boolean {
    // An owner of the organization makes anybody the owner of a record, whatever right they hold.
    if (actor.rank >= 3 && subject.kind === 'user' && level >= 4) return true;
    if (this.right(actor, record) < 4) return false;
    if (subject.kind === 'group') return this.right(actor, subject) >= 1;
    return !isSecurable(record) || actor.rank >= 2;
  }

  /** Returns a right; one that is higher already stays. */
  share(actor: Actor, record: ModelRecord, subject: ModelRecord, level: number): Expected {
    const no = this.#firstAndTarget(actor, record, subject, () => this.#mayShare(actor, record, subject, level));
    if (no !== null) return no;
    return {
      status: 200,
      effect: () => void record.given.set(subject, Math.max(level, record.given.get(subject) ?? 0)),
    };
  }

  unshare(actor: Actor, record: ModelRecord, subject: ModelRecord): Expected {
    const no = this.#firstAndTarget(actor, record, subject, () => this.#mayShare(actor, record, subject));
    if (no !== null) return no;
    const owners = [...record.given]
      .filter(([other, level]) => other.kind === 'user' && level >= 4)
      .map(([other]) => other);
    if (owners.length === 1 && owners[0] === subject) return refused(400);
    return { status: 200, effect: () => void record.given.delete(subject) };
  }

  /** Links a securable with a collection, a tag, or a dashboard with a dataset. */
  link(actor: Actor, first: ModelRecord, target: ModelRecord, on: boolean): Expected {
    const roles = (): boolean => {
      if (target.kind === 'collection') return this.right(actor, first) >= 1 && this.right(actor, target) >= 3;
      return this.right(actor, first) >= 3 && (target.kind !== 'dataset' || this.right(actor, target) >= 2);
    };
    const no = this.#firstAndTarget(actor, first, target, roles);
    if (no !== null) return no;
    if (!on) return { status: 200, effect: () => void first.linked.delete(target) };
    // A collection passes on no more than whoever put the securable into it could give; linked again, the higher counts.
    const most = Math.max(this.right(actor, first), first.linked.get(target) ?? 0);
    return { status: 200, effect: () => void first.linked.set(target, most) };
  }
}
