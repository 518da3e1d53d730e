/** Something that was not done to a store; the message says why, and nothing that stood there before was changed. */
export class StoreRefused extends Error {}
