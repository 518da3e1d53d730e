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

/** Creates the first organization, owner and key in an empty store; does nothing in another. */
export interface BootstrapCommand {
  readonly kind: 'bootstrap';
  readonly first: NewOrganization;
}

/** Creates an organization with an owner, for the operator. */
export interface OrganizationCommand {
  readonly kind: 'organization';
  readonly first: NewOrganization;
}

/** Creates a user of an organization, for the operator. */
export interface PersonCommand {
  readonly kind: 'person';
  readonly organizationId: string;
  readonly person: NewUser;
}

/** Makes one user the owner of all records of another, for the operator; answers how many. */
export interface TransferCommand {
  readonly kind: 'transfer';
  readonly fromId: string;
  readonly toId: string;
  /** Otherwise the former owner is deleted. */
  readonly keepsUser: boolean;
}

export interface OrganizationCommands {
  readonly bootstrap: BootstrapCommand;
  readonly organization: OrganizationCommand;
  readonly person: PersonCommand;
  readonly transfer: TransferCommand;
}
