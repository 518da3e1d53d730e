import { featureOf, type Feature, type JsonObject, type Validation } from '@inlay/contract';
import type { Declaration, FeatureUse, Operation } from '../declare/declaration.ts';
import { varietyOf } from '../declare/properties.ts';
import { Problem } from '../problems/problem.ts';
import type { Caller } from './caller.ts';

/** True if the features of an embed token include one; true for people, whom rights alone govern. */
export const hasFeature = ({ features }: Pick<Caller, 'features'>, feature: Feature): boolean =>
  features === null || features.includes(feature);

/** Creates the problem for a feature that is off; `places` names what in the request needs it. */
export const featureOff = (feature: Feature, places?: Validation): Problem =>
  new Problem('feature_off', {
    message: `The feature "${feature}" is off for this token. It is needed to ${featureOf(feature)?.allows ?? 'do this'}.`,
    ...(places === undefined ? {} : { validation: places }),
  });

/** Creates the problem for the path in a request that needs a feature. */
export const featureOffAt = (feature: Feature, at: string): Problem =>
  featureOff(feature, { [at]: [`needs the feature "${feature}"`] });

/** Raises Problem `feature_off` if a feature is off for the caller. specification/rights#features */
export function mustHaveFeature(caller: Caller | null, feature: Feature): void {
  if (caller !== null && !hasFeature(caller, feature)) throw featureOff(feature);
}

const isMet = ({ when, decided }: FeatureUse, input: JsonObject): boolean =>
  decided !== true && (when === undefined || when(input));

/** A request as far as its features depend on it. */
export interface FeaturedRequest {
  readonly operation: Operation;
  /** Returns the record, which has the variety. It is not called for callers without features. */
  readonly record: () => JsonObject;
  /** The sent properties, or `find` of a get. */
  readonly input: JsonObject;
}

/** Raises Problem `feature_off` if a feature that an operation needs is off for the caller. */
export function mustHaveFeatures(
  caller: Caller | null,
  declaration: Declaration,
  { operation, record, input }: FeaturedRequest,
): void {
  if (caller === null || caller.features === null || declaration.features === undefined) return;
  const variety = varietyOf(declaration, record());
  for (const use of declaration.features)
    if (use.on.includes(operation) && (use.of === undefined || use.of === variety) && isMet(use, input))
      mustHaveFeature(caller, use.feature);
}
