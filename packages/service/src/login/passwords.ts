import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

/** Raised if too many passwords are waiting to be hashed. The caller may retry shortly. */
export class PasswordsBusy extends Error {
  constructor() {
    super('too many logins at once');
  }
}

export interface Passwords {
  /** Hashes a password to a PHC string. `sender` is the key for fair queueing. Raises PasswordsBusy. */
  hash(password: string, sender?: string): Promise<string>;
  /**
   * True if the password matches the stored hash. If `stored` is undefined (no such user), does the same work and
   * returns false, so that the response time reveals nothing. Raises PasswordsBusy.
   */
  verify(password: string, stored: string | undefined, sender?: string): Promise<boolean>;
  /** Returns the number of passwords being hashed or queued, for metrics. */
  pending(): number;
}

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

interface Hash extends Cost {
  readonly salt: Uint8Array;
  readonly digest: Uint8Array;
}

// From the OWASP Password Storage Cheat Sheet: argon2id, 19 MiB, two passes, one lane.
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const form = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/-]{11,64})\$([\w+/-]{22,86})$/u;

const unpaddedBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '');

const write = ({ memory, passes, parallelism, salt, digest }: Hash): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpaddedBase64(salt)}$${unpaddedBase64(digest)}`;

function parse(storedHash: string): Hash | undefined {
  const [, memory, passes, parallelism, salt = '', digest = ''] = form.exec(storedHash) ?? [];
  if (memory === undefined) return undefined;
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  if (parameters.passes < 1 || parameters.parallelism < 1 || parameters.memory < 8 * parameters.parallelism)
    return undefined;
  return { ...parameters, salt: Buffer.from(salt, 'base64'), digest: Buffer.from(digest, 'base64') };
}

/** True if a stored hash has parameters other than the current ones. Such a hash is replaced at the next login. */
export function needsRehash(storedHash: string): boolean {
  const hash = parse(storedHash);
  return (
    hash === undefined ||
    hash.memory !== cost.memory ||
    hash.passes !== cost.passes ||
    hash.parallelism !== cost.parallelism
  );
}

const digestOf = (password: string, salt: Uint8Array, { memory, passes, parallelism }: Cost, size: number) =>
  new Promise<Uint8Array>((resolve, reject) => {
    const message = password.normalize('NFKC');
    argon2('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: size }, (fault, digest) =>
      fault === null ? resolve(digest) : reject(fault),
    );
  });

interface Waiter {
  readonly go: () => void;
  readonly refuse: (error: unknown) => void;
}

const maxPerSender = 8;

interface TurnBounds {
  readonly concurrency: number;
  readonly queueLimit: number;
}

/**
 * Runs up to `concurrency` hashes at once and queues up to `queueLimit` entries. Senders take turns. If the queue is
 * full, the entry of a sender that has none replaces the last entry of the sender with the most entries.
 */
class SenderTurns {
  readonly #bounds: TurnBounds;
  readonly #waiting = new Map<string, Waiter[]>();
  #running = 0;

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds;
  }

  /** Raises PasswordsBusy, and errors of the work. */
  async run<Result>(sender: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#bounds.concurrency) this.#running += 1;
    else await this.#wait(sender);
    try {
      return await work();
    } finally {
      const waiter = this.#next();
      if (waiter === undefined) this.#running -= 1;
      else waiter.go();
    }
  }

  pending(): number {
    return this.#running + this.#queued();
  }

  #queued(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  #wait(sender: string): Promise<void> {
    return new Promise((start, refuse) => {
      const queue = this.#waiting.get(sender) ?? [];
      const isFull = this.#queued() >= this.#bounds.queueLimit;
      if (queue.length >= maxPerSender || (isFull && (queue.length > 0 || !this.#displace())))
        return refuse(new PasswordsBusy());
      queue.push({ go: start, refuse });
      this.#waiting.set(sender, queue);
    });
  }

  /** Frees a place in the queue for a sender that has no entry. Returns false if no sender has several entries. */
  #displace(): boolean {
    const [longest] = [...this.#waiting.values()].toSorted((left, right) => right.length - left.length);
    if (longest === undefined || longest.length < 2) return false;
    longest.pop()?.refuse(new PasswordsBusy());
    return true;
  }

  /** Returns the next entry in round-robin order of senders. */
  #next(): Waiter | undefined {
    const [turn] = this.#waiting;
    if (turn === undefined) return undefined;
    const [sender, queue] = turn;
    const nextTurn = queue.shift();
    this.#waiting.delete(sender);
    if (queue.length > 0) this.#waiting.set(sender, queue);
    return nextTurn;
  }
}

/**
 * Creates a password hasher with argon2id. It runs off the main thread and takes 19 MiB per hash. Senders take turns,
 * so that the logins of one sender cannot delay those of others for long.
 */
export function createPasswords(bounds: TurnBounds): Passwords {
  const turns = new SenderTurns(bounds);
  const placeholderHash: Hash = { ...cost, salt: randomBytes(16), digest: randomBytes(32) };
  return {
    hash: (password, sender = '') =>
      turns.run(sender, async () => {
        const salt = randomBytes(16);
        return write({ ...cost, salt, digest: await digestOf(password, salt, cost, 32) });
      }),
    verify: (password, stored, sender = '') =>
      turns.run(sender, async () => {
        const storedHash = stored === undefined ? undefined : parse(stored);
        const comparedHash = storedHash ?? placeholderHash;
        const digest = await digestOf(password, comparedHash.salt, comparedHash, comparedHash.digest.length);
        const isEqual = timingSafeEqual(digest, comparedHash.digest);
        return isEqual && storedHash !== undefined;
      }),
    pending: () => turns.pending(),
  };
}
