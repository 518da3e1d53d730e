/** A verified sign-in with the claims of the provider. */
export interface SignedIn {
  readonly configurationId: string;
  readonly fingerprint: string;
  readonly issuer: string;
  readonly subject: string;
  /** Session id at the provider, which its logout requests name. */
  readonly session: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly level: number | null;
  readonly groups: readonly string[] | null;
}

/** The login created by a sign-in. */
export interface Login {
  readonly tokenHash: string;
  /** Time at which the login ends. */
  readonly expiry: string;
  /** The provider's ID token, needed to sign out at the provider. The store keeps it sealed. */
  readonly idToken: string;
  /** Authorization code to exchange for the token; null if the token is returned directly. */
  readonly code: { readonly hash: string; readonly challenge: string; readonly until: string } | null;
}

/** The write commands of single sign-on. */
export type SsoCommand =
  /** Consumes a single-use id. Returns a count of 0 if the id was already used. */
  | { readonly kind: 'sso'; readonly step: 'use'; readonly id: string; readonly until: string }
  /** Creates or updates user, membership, groups, login and verification in one transaction. */
  | {
      readonly kind: 'sso';
      readonly step: 'sign-in';
      readonly signedIn: SignedIn;
      /** The user who has proved in another way to own this identity; null if nobody has. */
      readonly provenUserId: string | null;
      readonly login: Login | null;
    }
  /** Exchanges a code for the login that it stands for. */
  | {
      readonly kind: 'sso';
      readonly step: 'take';
      readonly codeHash: string;
      readonly challenge: string;
      readonly tokenHash: string;
      readonly expiry: string;
    }
  /** Ends a login at the request of its user. */
  | { readonly kind: 'sso'; readonly step: 'end'; readonly authorizationId: string }
  /** Ends the logins that a logout request of the provider names. `id` identifies the request. */
  | {
      readonly kind: 'sso';
      readonly step: 'logout';
      readonly organizationId: string;
      readonly issuer: string;
      readonly subject: string | null;
      readonly session: string | null;
      readonly id: string;
      readonly until: string;
    }
  /** Enables passwords again in an organization and sets one for a user. Only for the operator. */
  | {
      readonly kind: 'sso';
      readonly step: 'unlock';
      readonly organizationId: string;
      readonly email: string | null;
      readonly passwordHash: string | null;
    };

/** Outcome of a sign-in. */
export type SignInOutcome =
  | {
      readonly kind: 'signed-in';
      readonly userId: string;
      readonly authorizationId: string | null;
      readonly verified: boolean;
    }
  /** A user with this email address exists and must prove that they are the person who signs in. */
  | { readonly kind: 'prove'; readonly userId: string; readonly organizationId: string }
  | {
      readonly kind: 'refused';
      readonly cause: 'changed_meanwhile' | 'person_incomplete' | 'email_taken' | 'not_a_member';
    };

export type SsoResult = { readonly kind: 'sso'; readonly outcome: SignInOutcome };

export interface SsoCommands {
  readonly sso: SsoCommand;
}
