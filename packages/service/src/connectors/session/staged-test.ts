import type { StageResult } from '../connector.ts';
import type { Encryption } from './encryption.ts';
import { SourceProblem, type SourceCause } from '../problem.ts';

/** The steps of a connection test, in order. Each step raises SourceProblem if it fails. */
export interface TestSteps {
  reach(): Promise<void>;
  signIn(): Promise<Encryption>;
  /** Returns the number of tables that the user may read. */
  count(): Promise<number>;
}

const encryptionWords: Readonly<Record<Encryption, string>> = {
  verified: 'The connection is encrypted, and the certificate of the server was checked.',
  unverified: 'The connection is encrypted; the certificate of the server was not checked.',
  none: 'The connection is not encrypted.',
};

const networkCauses = new Set<SourceCause>(['settings', 'unknown_host', 'refused', 'forbidden_address']);

const failedStage = (stage: StageResult['stage'], error: unknown): StageResult => {
  const { cause, message } = error instanceof SourceProblem ? error : new SourceProblem('failed');
  return { stage, ok: false, cause, message };
};
const passedStage = (stage: StageResult['stage'], message: string): StageResult => ({
  stage,
  ok: true,
  cause: null,
  message,
});

/** Runs the steps until one fails, and reports the result of each step. */
export async function stagedTest(steps: TestSteps): Promise<readonly StageResult[]> {
  const results: StageResult[] = [];
  try {
    await steps.reach();
    results.push(passedStage('reach', 'The host answers at this port.'));
  } catch (error) {
    return [failedStage('reach', error)];
  }
  try {
    results.push(
      passedStage('tls', encryptionWords[await steps.signIn()]),
      passedStage('sign_in', 'The user may sign in.'),
    );
  } catch (error) {
    const cause = error instanceof SourceProblem ? error.cause : 'failed';
    if (networkCauses.has(cause)) return [failedStage('reach', error)];
    if (cause === 'tls') return [...results, failedStage('tls', error)];
    return [...results, failedStage(cause === 'missing' || cause === 'grant' ? 'access' : 'sign_in', error)];
  }
  try {
    const count = await steps.count();
    if (count === 0) throw new SourceProblem('grant', 'The user may sign in but may read no table; grant it SELECT.');
    return [...results, passedStage('access', count === 1 ? 'One table can be read.' : `${count} tables can be read.`)];
  } catch (error) {
    return [...results, failedStage('access', error)];
  }
}
