import { defineElements } from './index.ts';

defineElements();

export * from './index.ts';
