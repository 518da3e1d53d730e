// Plain JavaScript: the compile cache must be on before the first TypeScript file, or this thread loads the whole type
// stripper for files that were stripped long ago (26 MB).
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./reader.ts');
