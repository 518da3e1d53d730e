import type { StageResult, TestStage } from '../../connector.ts';
import { SourceProblem, type SourceCause } from '../../problem.ts';
import type { PluginDataset } from '../datasets.ts';
import type { PluginTarget } from '../protocol.ts';

/** The test stage in which each cause of failure occurs. Other causes occur when tables are listed. */
const stageOf: Readonly<Partial<Record<SourceCause, TestStage>>> = {
  settings: 'reach',
  unknown_host: 'reach',
  refused: 'reach',
  forbidden_address: 'reach',
  timeout: 'reach',
  unavailable: 'reach',
  busy: 'reach',
  tls: 'tls',
  credentials: 'sign_in',
};

const passMessages: Readonly<Record<TestStage, string>> = {
  reach: 'The plugin answers.',
  tls: 'The call is encrypted.',
  sign_in: 'The plugin accepts the credentials.',
  access: '',
};

/** Derives the result of each stage from the outcome of listing tables, which is a list or an error. */
export function stagesOf(target: PluginTarget | undefined, outcome: unknown): readonly StageResult[] {
  const isSecure = target?.baseUrl.startsWith('https:') === true;
  const stages: readonly TestStage[] = ['reach', ...(isSecure ? (['tls'] as const) : []), 'sign_in', 'access'];
  if (isListing(outcome)) {
    const message = `The plugin offers ${outcome.length} ${outcome.length === 1 ? 'dataset' : 'datasets'}.`;
    return stages.map((stage) => ({ stage, ok: true, cause: null, message: passMessages[stage] || message }));
  }
  const cause = outcome instanceof SourceProblem ? outcome.cause : 'failed';
  const message = outcome instanceof SourceProblem ? outcome.message : 'The plugin cannot be used.';
  const failedStage = stageOf[cause] ?? 'access';
  const order: readonly TestStage[] = ['reach', 'tls', 'sign_in', 'access'];
  const passedStages = stages.filter((stage) => order.indexOf(stage) < order.indexOf(failedStage));
  return [
    ...passedStages.map((stage) => ({ stage, ok: true, cause: null, message: passMessages[stage] })),
    { stage: failedStage, ok: false, cause, message },
  ];
}

const isListing = (outcome: unknown): outcome is readonly PluginDataset[] => Array.isArray(outcome);
