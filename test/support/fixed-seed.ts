import fc from 'fast-check';
import { runSeed } from './seed.ts';

// Read by every test file: properties that name no seed take that of the run.
fc.configureGlobal({ seed: runSeed });
