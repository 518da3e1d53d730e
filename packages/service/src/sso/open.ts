import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { keyFilesOnDisk } from '../config/key-files.ts';
import { readKeyring, type KeySettings } from '../config/keys.ts';
import type { Outbound } from '../outbound/index.ts';
import { createExchange } from './provider/exchange.ts';
import { createSend } from './provider/send.ts';
import type { SignOn } from './sign-on.ts';
import { createSealer } from './login/state.ts';

/** Creates single sign-on from the parts of a service; `clock` returns monotonic milliseconds. */
export function openSignOn(
  parts: Pick<SignOn, 'store' | 'open' | 'passwords' | 'attempts' | 'recorder' | 'now'> & {
    readonly outbound: Outbound;
    readonly clock: () => number;
  },
  config: Config,
  keys: KeySettings,
): SignOn {
  const { outbound, clock, ...rest } = parts;
  return {
    ...rest,
    exchange: createExchange(createSend(outbound, clock), rest.now),
    sealer: createSealer(() =>
      readKeyring({ config: keys, files: keyFilesOnDisk, random: (size) => randomBytes(size) }),
    ),
    random: (bits) => randomBytes(Math.ceil(bits / 8)).toString('base64url'),
    tokenHours: config.tokenHours,
    origins: config.ssoOrigins,
  };
}
