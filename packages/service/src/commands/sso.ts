/** What the provider says about somebody whose sign-in was checked to the end. */
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

/** The login that a sign-in gives. */
export interface Login {
  readonly tokenHash: string;
  /** When it ends. */
  readonly expiry: string;
  /** Kept sealed, to sign out at the provider with. */
  readonly idToken: string;
  /** It begins with a code that is handed over; null where the token is handed over at once. */
  readonly code: { readonly hash: string; readonly challenge: string; readonly until: string } | null;
}

/** What single sign-on writes, as plain data. */
export type SsoCommand =
  /** Uses something that may be used once; answers a count of 0 where it was used before. */
  | { readonly kind: 'sso'; readonly step: 'use'; readonly id: string; readonly until: string }
  /** Somebody signed in: person, membership, groups, login and verification in one. */
  | {
      readonly kind: 'sso';
      readonly step: 'sign-in';
      readonly signedIn: SignedIn;
      /** The person who proved in another way that this is them; null where nobody did. */
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
  /** The provider says that somebody has signed out; `id` is the one of its message. */
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
  /** Lets people of an organization use passwords again, and gives one of them a new one; for the operator. */
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
  /** Somebody with this address is there already: they must prove that it is them. */
  | { readonly kind: 'prove'; readonly userId: string; readonly organizationId: string }
  | {
      readonly kind: 'refused';
      readonly cause: 'changed_meanwhile' | 'person_incomplete' | 'email_taken' | 'not_a_member';
    };

/** What single sign-on answers beside numbers. */
export type SsoWritten = { readonly kind: 'sso'; readonly outcome: SignInOutcome };
