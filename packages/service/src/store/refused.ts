/** A refused operation on a store. The message has the reason. Existing data is unchanged. */
export class StoreRefused extends Error {}
