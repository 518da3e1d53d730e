// Plain JavaScript: the compile cache must be on before the first TypeScript file.
import { enableCompileCache } from 'node:module';

enableCompileCache();
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
const loaded = import('../carry-out.ts');
void loaded.then(() => process.send('ready'));
process.on('message', (order) => {
  void loaded.then(({ carryOut }) => carryOut(order)).then((reply) => process.send(reply));
});
