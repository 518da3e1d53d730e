import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate authority of our own and certificates of a server that it has signed. */
export interface Certificates {
  /** The authority's certificate as PEM. */
  readonly ca: string;
  /** Paths of a certificate for `localhost` and 127.0.0.1, or for another name, and of its key. */
  of(name: 'localhost' | 'other.example'): { readonly cert: string; readonly key: string };
  remove(): void;
}

const openssl = (folder: string, ...args: readonly string[]): void => {
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
};

/** Makes them in a new folder whose files belong to `owner`. */
export function makeCertificates(owner?: { readonly uid: number; readonly gid: number }): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-certificates-'));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(folder, 'req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test CA');
  const sign = (name: string, names: string): void => {
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${names}`);
    openssl(folder, 'req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', `${name}.ext`];
    openssl(folder, 'x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...by);
  };
  sign('localhost', 'DNS:localhost,IP:127.0.0.1');
  sign('other.example', 'DNS:other.example');
  const paths = (name: string) => ({ cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) });
  if (owner !== undefined) {
    chownSync(folder, owner.uid, owner.gid);
    for (const name of ['localhost', 'other.example'])
      for (const path of Object.values(paths(name))) chownSync(path, owner.uid, owner.gid);
  }
  return {
    ca: readFileSync(join(folder, 'ca.pem'), 'utf8'),
    of: paths,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
