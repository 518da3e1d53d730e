import { defineStudio } from './index.ts';

defineStudio();

export * from './index.ts';
