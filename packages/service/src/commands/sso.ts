/** A verified sign-in, as the provider describes it. */
export interface SignedIn {
  readonly configurationId: string;
  readonly fingerprint: string;
  readonly issuer: string;
  readonly subject: string;
  /** The session at the provider, for its logout. */
  readonly session: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly level: number | null;
  readonly groups: readonly string[] | null;
}

/** The login that a sign-in creates. */
export interface Login {
  readonly tokenHash: string;
  /** When it ends. */
  readonly expiry: string;
  /** Kept sealed, to sign out at the provider with. */
  readonly idToken: string;
  /** The code that it is exchanged for; null where the token is handed over at once. */
  readonly code: { readonly hash: string; readonly challenge: string; readonly until: string } | null;
}

/** What single sign-on writes, as plain data. */
export type SsoCommand =
  /** Uses an id that is valid once; answers a count of 0 if it was used before. */
  | { readonly kind: 'sso'; readonly step: 'use'; readonly id: string; readonly until: string }
  /** A sign-in: user, membership, groups, login and verification in one transaction. */
  | {
      readonly kind: 'sso';
      readonly step: 'sign-in';
      readonly signedIn: SignedIn;
      /** The user who proved in another way that this is their identity; null for none. */
      readonly provenUserId: string | null;
      readonly login: Login | null;
    }
  /** Takes the login of a code. */
  | {
      readonly kind: 'sso';
      readonly step: 'take';
      readonly codeHash: string;
      readonly challenge: string;
      readonly tokenHash: string;
      readonly expiry: string;
    }
  /** Ends a login, as its holder. */
  | { readonly kind: 'sso'; readonly step: 'end'; readonly authorizationId: string }
  /** A logout at the provider; `id` is that of its message. */
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
  /** Allows passwords in an organization again, and sets one for a user; for the operator. */
  | {
      readonly kind: 'sso';
      readonly step: 'unlock';
      readonly organizationId: string;
      readonly email: string | null;
      readonly passwordHash: string | null;
    };

/** How a sign-in ended. */
export type SignInOutcome =
  | {
      readonly kind: 'signed-in';
      readonly userId: string;
      readonly authorizationId: string | null;
      readonly verified: boolean;
    }
  /** There is a user with this address, who must prove that the identity is theirs. */
  | { readonly kind: 'prove'; readonly userId: string; readonly organizationId: string }
  | {
      readonly kind: 'refused';
      readonly cause: 'changed_meanwhile' | 'person_incomplete' | 'email_taken' | 'not_a_member';
    };

/** The result of a sign-in. */
export type SsoResult = { readonly kind: 'sso'; readonly outcome: SignInOutcome };

export interface SsoCommands {
  readonly sso: SsoCommand;
}
