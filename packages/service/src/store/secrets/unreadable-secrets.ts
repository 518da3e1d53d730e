import { name, sql } from '../sql.ts';
import { currentSecretKey, rowsBySecretKey, type Rows } from './sealed-keys.ts';

/** Stored secrets that none of the configured keys can decrypt. */
export interface UnreadableSecrets {
  readonly count: number;
  /** Ids of the missing keys. The ids reveal nothing about the keys themselves. */
  readonly missingKeys: readonly string[];
}

/** Dependencies for counting unreadable secrets. */
export interface SecretsReading {
  readonly reader: Rows;
  /** Tables that have a column of secrets. */
  readonly tables: readonly string[];
  /** Ids of the configured keys. */
  readonly keyIds: () => ReadonlySet<string>;
  /** Called when the number of unreadable secrets changes. */
  readonly changed: (now: UnreadableSecrets) => void;
}

/** Counts the secrets in a table that were sealed with a key. Each sealed text begins with the id of its key. */
async function sealedIn(reader: Rows, table: string, keyId: string): Promise<number> {
  const mark = `"v1.${keyId}.`;
  const [row] = await reader.rows(
    sql`select sum(length(secrets) - length(replace(secrets, ${mark}, ''))) as letters from ${name(table)}
      where secret_key is not null and secret_key like ${`%${keyId}%`}`,
  );
  return Number(row?.['letters'] ?? 0) / mark.length;
}

/** Counts the stored secrets that no configured key can decrypt. Raises what the store raises. */
async function unreadableSecrets({ reader, tables, keyIds }: SecretsReading): Promise<UnreadableSecrets> {
  const knownIds = keyIds();
  const currentKey = await currentSecretKey(reader);
  const sealing = [
    ...(await rowsBySecretKey(reader, tables)).keys(),
    ...(currentKey === undefined ? [] : [currentKey]),
  ];
  const missingKeys = [...new Set(sealing)].filter((id) => !knownIds.has(id)).toSorted((a, b) => a.localeCompare(b));
  let count = 0;
  for (const id of missingKeys) for (const table of tables) count += await sealedIn(reader, table, id);
  return { count, missingKeys };
}

/** Watches whether the configured keys can decrypt all secrets, since operators add and rotate keys at run time. */
export class SecretsWatch {
  readonly #reading: SecretsReading;
  #last: UnreadableSecrets = { count: 0, missingKeys: [] };

  constructor(reading: SecretsReading) {
    this.#reading = reading;
  }

  get last(): UnreadableSecrets {
    return this.#last;
  }

  /** Counts again. Raises what the store raises, and ConfigFault for invalid keys. */
  async look(): Promise<void> {
    const earlierState = this.#last;
    const currentState = await unreadableSecrets(this.#reading);
    this.#last = currentState;
    if (
      currentState.count !== earlierState.count ||
      currentState.missingKeys.join() !== earlierState.missingKeys.join()
    )
      this.#reading.changed(currentState);
  }
}

/** Returns the message for the operator. */
export const unreadableWords = ({ count, missingKeys }: UnreadableSecrets): string =>
  `${count} stored secrets cannot be opened, since this instance does not have the key ${missingKeys.join(', ')}: add it to INLAY_SECRET_KEY_PREVIOUS or to the key file, or, where it is lost, enter these secrets again; "inlay doctor" says more`;
