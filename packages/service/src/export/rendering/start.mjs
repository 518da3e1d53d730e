// Plain JavaScript: the compile cache must be on before the first TypeScript file.
import { enableCompileCache } from 'node:module';

enableCompileCache();
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
const loaded = import('./render-file.ts');
void loaded.then(() => process.send('ready'));
process.on('message', (order) => {
  void loaded.then(({ renderFile }) => renderFile(order)).then((reply) => process.send(reply));
});
