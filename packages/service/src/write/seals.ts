import type { Keyring } from '../config/keys.ts';
import { Problem } from '../problems/problem.ts';
import type { Secrets } from '../declare/secrets.ts';
import { open, rewrap, seal, sealedBy, SecretKeyMissing, type SecretPlace } from '../store/secrets/secrets.ts';
import { currentKeySetting } from '../store/secrets/sealed-keys.ts';
import { sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';

/** Seals secrets for their row with the key that the store says is current, whichever instance rotated it. */
export interface Seals {
  /** Sealed values by place: kept ones, with those given sealed again and those that are null taken out. */
  sealAll(transaction: Transaction, row: Row, kept: SealedSecrets, given: Secrets): Promise<SealedSecrets>;
  sealText(transaction: Transaction, place: SecretPlace, plain: string): Promise<string>;
  openText(place: SecretPlace, sealed: string): string;
  /** The sealed values of a row under another key; the plain text is not touched. */
  rewrapAll(row: Row, keyId: string, sealed: SealedSecrets): SealedSecrets;
  /** The id of the key a row is sealed with; null where it holds no secret. */
  keyOf(sealed: SealedSecrets): string | null;
}

type SealedSecrets = Readonly<Record<string, string>>;
export interface Row {
  readonly resource: string;
  readonly id: string;
  readonly organization: string | null;
}

/** Seals over a keyring that is read again when a key is not on it, for another instance may have rotated. */
export function createSeals(readKeyring: () => Keyring): Seals {
  let held: Keyring | undefined;
  const ring = (): Keyring => (held ??= readKeyring());
  const withKey = <Result>(use: (keyring: Keyring) => Result): Result => {
    try {
      return use(ring());
    } catch (error) {
      if (!(error instanceof SecretKeyMissing)) throw error;
      held = readKeyring();
      try {
        return use(held);
      } catch (again) {
        if (again instanceof SecretKeyMissing) throw new Problem('secret_key_missing', { retryAfterS: 30 });
        throw again;
      }
    }
  };
  // The lock makes a rotation wait for whoever seals with the key before it; the first one to seal says which key it is.
  const currentKey = async (transaction: Transaction): Promise<string> => {
    const { forShare } = transaction.dialect;
    const stored = sql`select value from setting where name = ${currentKeySetting}${forShare}`;
    for (;;) {
      const [row] = await transaction.rows(stored);
      if (typeof row?.['value'] === 'string') return row['value'];
      await transaction.run(
        sql`insert into setting (name, value) values (${currentKeySetting}, ${ring().current}) on conflict (name) do nothing`,
      );
    }
  };
  const sealText = async (transaction: Transaction, place: SecretPlace, plain: string): Promise<string> => {
    const keyId = await currentKey(transaction);
    return withKey((keyring) => seal(keyring, keyId, place, plain));
  };
  const placeOf = ({ resource, id, organization }: Row, field: string): SecretPlace => ({
    resource,
    id,
    organization,
    field,
  });
  return {
    sealText,
    openText: (place, sealed) => withKey((keyring) => open(keyring, place, sealed)),
    sealAll: async (transaction, row, kept, given) => {
      const sealed: Record<string, string> = { ...kept };
      for (const [place, plain] of Object.entries(given)) {
        if (plain === null) delete sealed[place];
        else sealed[place] = await sealText(transaction, placeOf(row, place), plain);
      }
      return sealed;
    },
    rewrapAll: (row, keyId, sealed) =>
      Object.fromEntries(
        Object.entries(sealed).map(([place, value]) => [
          place,
          withKey((keyring) => rewrap(keyring, keyId, placeOf(row, place), value)),
        ]),
      ),
    keyOf: (sealed) => {
      const ids = [...new Set(Object.values(sealed).map(sealedBy))];
      return ids.length === 0 ? null : ids.sort().join(',');
    },
  };
}
