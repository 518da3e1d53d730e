// Plain JavaScript: the compile cache must be on before the first TypeScript file.
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { serve } = await import('./main.ts');
serve(3, () => process.kill(process.pid, 'SIGKILL'));
