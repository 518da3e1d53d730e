export * from './model.ts';
export * from './query.ts';
