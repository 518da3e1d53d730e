import type { Keyring } from '../config/keys.ts';
import { Problem } from '../problems/problem.ts';
import type { Secrets } from '../declare/secrets.ts';
import { open, rewrap, seal, sealedBy, SecretKeyMissing, type SecretPlace } from '../store/secrets/secrets.ts';
import { currentKeySetting } from '../store/secrets/sealed-keys.ts';
import { sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';

type SealedSecrets = Readonly<Record<string, string>>;
export interface Row {
  readonly resource: string;
  readonly id: string;
  readonly organization: string | null;
}

const placeOf = ({ resource, id, organization }: Row, field: string): SecretPlace => ({
  resource,
  id,
  organization,
  field,
});

/** Seals secrets, bound to their row, with the current key of the store. Any instance may have changed that key. */
export class Seals {
  readonly #readKeyring: () => Keyring;
  #keyring: Keyring | undefined;
  constructor(readKeyring: () => Keyring) {
    this.#readKeyring = readKeyring;
  }

  /** Seals new secrets of a row, and removes secrets that are null. Returns all sealed secrets of the row. */
  async sealAll(transaction: Transaction, row: Row, stored: SealedSecrets, secrets: Secrets): Promise<SealedSecrets> {
    const sealed: Record<string, string> = { ...stored };
    for (const [field, plain] of Object.entries(secrets)) {
      if (plain === null) delete sealed[field];
      else sealed[field] = await this.sealText(transaction, placeOf(row, field), plain);
    }
    return sealed;
  }

  async sealText(transaction: Transaction, place: SecretPlace, plain: string): Promise<string> {
    const keyId = await this.#currentKey(transaction);
    return this.#withKey((keyring) => seal(keyring, keyId, place, plain));
  }

  openText(place: SecretPlace, sealed: string): string {
    return this.#withKey((keyring) => open(keyring, place, sealed));
  }

  /** Reseals the secrets of a row with another key, without decrypting their text. */
  rewrapAll(row: Row, keyId: string, sealed: SealedSecrets): SealedSecrets {
    return Object.fromEntries(
      Object.entries(sealed).map(([field, value]) => [
        field,
        this.#withKey((keyring) => rewrap(keyring, keyId, placeOf(row, field), value)),
      ]),
    );
  }

  /** Returns the id of the key that the secrets of a row are sealed with; null if the row has no secrets. */
  keyOf(sealed: SealedSecrets): string | null {
    const ids = [...new Set(Object.values(sealed).map(sealedBy))];
    return ids.length === 0 ? null : ids.sort().join(',');
  }

  /** Rereads the keyring if a key is missing, since another instance may have rotated. */
  #withKey<Result>(use: (keyring: Keyring) => Result): Result {
    try {
      return use((this.#keyring ??= this.#readKeyring()));
    } catch (error) {
      if (!(error instanceof SecretKeyMissing)) throw error;
      this.#keyring = this.#readKeyring();
      try {
        return use(this.#keyring);
      } catch (again) {
        if (again instanceof SecretKeyMissing) throw new Problem('secret_key_missing', { retryAfterS: 30 });
        throw again;
      }
    }
  }

  /**
   * Returns the current key. The lock makes a rotation wait for writes that use the previous key. The first write
   * determines the current key.
   */
  async #currentKey(transaction: Transaction): Promise<string> {
    const { forShare } = transaction.dialect;
    const stored = sql`select value from setting where name = ${currentKeySetting}${forShare}`;
    for (;;) {
      const [row] = await transaction.rows(stored);
      if (typeof row?.['value'] === 'string') return row['value'];
      const keyring = (this.#keyring ??= this.#readKeyring());
      await transaction.run(
        sql`insert into setting (name, value) values (${currentKeySetting}, ${keyring.current}) on conflict (name) do nothing`,
      );
    }
  }
}
