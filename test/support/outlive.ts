import { spawn } from 'node:child_process';

/**
 * Sees to it that a process and its folder do not outlive this one, however this one ends: a runner may kill its workers.
 *
 * @param folder removed afterwards; nothing when not given
 * @returns a function that ends the watch
 */
export function endWithUs(pid: number, signal: 'QUIT' | 'KILL', folder?: string): () => void {
  const script = 'read -r never; kill -"$1" "$0" 2>/dev/null; [ -z "$2" ] || { sleep 1; rm -rf "$2"; }';
  const args = ['-c', script, String(pid), signal, folder ?? ''];
  // The shell reads from a pipe that closes with this process. In a group of its own no signal to ours reaches it.
  const watch = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watch.on('error', () => undefined);
  watch.unref();
  return () => void watch.kill('SIGKILL');
}
