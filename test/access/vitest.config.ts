import { defineConfig } from 'vitest/config';

/** Only the tests of access, which every changed copy of the policy runs against. */
export default defineConfig({ test: { include: ['packages/service/src/access/*.test.ts'] } });
