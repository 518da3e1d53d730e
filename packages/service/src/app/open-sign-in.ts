import { createLoginAttempts } from '../login/attempts.ts';
import { createPasswords, type Passwords } from '../login/passwords.ts';
import type { Service } from '../pipeline/service.ts';
import { openSignOn } from '../sso/open.ts';
import type { SignOn } from '../sso/sign-on.ts';
import type { Component } from './component.ts';
import { measuredPasswords } from './measured.ts';
import type { Platform } from './open-platform.ts';
import type { Sources } from './open-sources.ts';

/** Sign-in with a password or through an identity provider. */
export interface SignIn extends Component {
  readonly passwords: Passwords;
  readonly attempts: Service['attempts'];
  readonly signOn: SignOn;
}

export function openSignIn(platform: Platform, { outbound }: Sources): SignIn {
  const { config, store, metrics: recorder, now, clock, keys, openSecret } = platform;
  const passwords = measuredPasswords(
    createPasswords({ concurrency: config.passwordThreads, queueLimit: 64 }),
    recorder,
  );
  const attempts = createLoginAttempts(config.loginFailures, clock);
  return {
    passwords,
    attempts,
    signOn: openSignOn({ store, open: openSecret, passwords, attempts, recorder, now, outbound, clock }, config, keys),
    gauges: { inlay_passwords_pending: () => passwords.pending() },
    close: async () => undefined,
  };
}
