const messages = {
  part_unknown: 'there is no part with this address',
  sibling_unknown: 'there is no such part to follow',
  list_unknown: 'the part has no such list',
  list_mixed: 'the list has entries that are no objects, so it can only be set as a whole',
  member_unknown: 'there is no such member',
  parent_unknown: 'there is no object to have this member',
  name_repeated: 'the object has two members of one name, so it can only be set as a whole',
  within_itself: 'a part cannot be moved into itself',
  text_unreadable: 'the text is not JSON',
  part_not_object: 'a part must be an object',
  contents_refused: 'the contents would not be valid',
  operation_unreadable: 'the operation cannot be read',
} as const;
export type ChangeFaultCode = keyof typeof messages;

/** Why an operation cannot be applied. */
export interface ChangeFault {
  readonly code: ChangeFaultCode;
  /** Index of the operation; null if the fault is of the change as a whole. */
  readonly operation: number | null;
  /** Address of the part, with the path within it, or the place in contents. */
  readonly place: string;
  readonly message: string;
}

/** Creates a fault; `message` replaces the usual one. */
export const changeFault = (
  code: ChangeFaultCode,
  place: string,
  operation: number | null = null,
  message: string = messages[code],
): ChangeFault => ({ code, operation, place, message });

/** Raised for a change that cannot be applied. Nothing of it is. */
export class ChangeError extends Error {
  readonly faults: readonly ChangeFault[];

  constructor(faults: readonly ChangeFault[]) {
    super(faults.map(({ place, message }) => (place === '' ? message : `${place}: ${message}`)).join('; '));
    this.name = 'ChangeError';
    this.faults = faults;
  }
}
