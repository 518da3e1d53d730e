export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly level: number;
}

export interface NewOrganization {
  readonly organizationName: string;
  readonly owner: NewUser;
  readonly key: string | null;
  readonly tokenHash: string;
}

/** Creates the first organization, its owner and an API key in an empty store. Does nothing in any other store. */
export interface BootstrapCommand {
  readonly kind: 'bootstrap';
  readonly first: NewOrganization;
}

/** Creates an organization with an owner; for the operator. */
export interface OrganizationCommand {
  readonly kind: 'organization';
  readonly first: NewOrganization;
}

/** Creates a user of an organization; for the operator. */
export interface PersonCommand {
  readonly kind: 'person';
  readonly organizationId: string;
  readonly person: NewUser;
}

/** For the operator: transfers all records of one user to another. Returns the number of transferred records. */
export interface TransferCommand {
  readonly kind: 'transfer';
  readonly fromId: string;
  readonly toId: string;
  /** True if the previous owner remains; false to delete that user. */
  readonly keepsUser: boolean;
}

export interface OrganizationCommands {
  readonly bootstrap: BootstrapCommand;
  readonly organization: OrganizationCommand;
  readonly person: PersonCommand;
  readonly transfer: TransferCommand;
}
