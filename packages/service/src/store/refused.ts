/** A refused operation on a store; the message has the reason. Nothing existing was changed. */
export class StoreRefused extends Error {}
