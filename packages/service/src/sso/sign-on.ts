import type { Command, WriteResult } from '../commands/command.ts';
import type { Recorder } from '../metrics/metrics.ts';
import { Problem } from '../problems/problem.ts';
import type { Tools } from '../resource/rules.ts';
import { StoreConflict, type Store } from '../store/store.ts';
import type { SsoCommand } from '../commands/sso.ts';
import type { SecretOpener } from './provider/configuration.ts';
import type { Exchange } from './provider/exchange.ts';
import type { Sealer } from './login/state.ts';

/** Shared context of single sign-on; built once by `app`. */
export interface SignOn {
  readonly store: Store<Command, WriteResult>;
  readonly open: SecretOpener;
  readonly exchange: Exchange;
  readonly sealer: Sealer;
  readonly passwords: Tools['passwords'];
  readonly attempts: Tools['attempts'];
  readonly recorder: Recorder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns random base64url text with this number of bits. */
  readonly random: (bits: number) => string;
  readonly tokenHours: number;
  /** Origins whose pages may request a sign-in. */
  readonly origins: readonly string[];
}

/** The parts of a browser request that single sign-on needs. */
export interface Visit {
  /** The public address of this service, without a trailing slash. */
  readonly base: string;
  readonly cookies: ReadonlyMap<string, string>;
}

export const isSecure = ({ base }: Visit): boolean => base.startsWith('https:');
export const redirectUri = ({ base }: Visit): string => `${base}/sso/callback`;

/** Performs a write. Retries if another sign-in has created the same person concurrently. Raises Problem. */
export async function writeSso({ store }: SignOn, command: SsoCommand): Promise<WriteResult> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const result = await store.write(command);
      if (result.kind === 'problem') throw new Problem(result.problem.code, result.problem);
      return result;
    } catch (error) {
      if (!(error instanceof StoreConflict) || attempt >= 3) throw error;
    }
  }
}

/** Returns the count of a write's result; 0 if the result has none. */
export const countOf = (result: WriteResult): number => (result.kind === 'done' ? result.count : 0);
