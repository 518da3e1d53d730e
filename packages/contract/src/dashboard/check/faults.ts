import { isTimeZone, structureOrder, timeZoneFault } from '../../contents.ts';
import { inWords, isObject, listOr, objectOr, type Json, type JsonObject } from '../../json.ts';
import { isListKind, isPlainKind, kindFault } from '../../members/kinds.ts';
import type { Member, MemberKind, Members } from '../../members/member.ts';
import type { Fault } from '../../theme/check-theme.ts';
import { oneOf } from '../../wording/faults.ts';
import { contentsMembers } from '../members.ts';

/** Returns the fault in the value of a checked member; null if the value is valid. */
function memberFault({ kind, values, required }: Member, value: Json | undefined): string | null {
  if (values !== undefined && required === true) {
    if (values.some((allowedValue) => allowedValue === value)) return null;
    const expectation = oneOf(values.map(inWords), value);
    return value === undefined ? `is required and ${expectation}` : expectation;
  }
  return value === undefined ? null : kindFault(kind, value);
}

const hasChecked = ({ members }: Members): boolean => Object.values(members).some(({ checked }) => checked === true);

function checkInside(kind: MemberKind, value: Json | undefined, at: string, fault: Fault): void {
  if (isPlainKind(kind) || value === undefined) return;
  if (!isListKind(kind)) return isObject(value) ? checkMembers(kind, value, at, fault) : undefined;
  const { each } = kind;
  if (typeof each === 'string' || !hasChecked(each)) return;
  for (const [index, entry] of listOr(value).entries()) {
    const place = `${at}[${index}]`;
    if (isObject(entry)) checkMembers(each, entry, place, fault);
    else fault(place, 'must be an object');
  }
}

/** Checks the members of an object, and then the members of nested objects. */
function checkMembers({ members }: Members, value: JsonObject, at: string, fault: Fault): void {
  const declaredValues = Object.entries(members).map(([name, declared]) => {
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    return { declared, own, place: `${at}.${name}` };
  });
  for (const { declared, own, place } of declaredValues) {
    const message = declared.checked === true ? memberFault(declared, own) : null;
    if (message !== null) fault(place, message);
  }
  for (const { declared, own, place } of declaredValues) checkInside(declared.kind, own, place, fault);
}

/** Checks that each screen mode has at most one view. */
function checkModes(views: readonly Json[], at: string, fault: Fault): void {
  const modes = new Set<Json>();
  for (const [index, view] of views.entries()) {
    const modus = objectOr(view)['screenModus'] ?? null;
    if (modus !== null && modes.has(modus))
      fault(`${at}[${index}].screenModus`, `is that of another view too: ${inWords(modus)}`);
    modes.add(modus);
  }
}

/**
 * Checks those members of contents whose faults make the service refuse the contents. specification/dashboards#contents
 */
export function checkContents(contents: Json, at: string, fault: Fault): void {
  if (!isObject(contents)) return fault(at, 'must be an object');
  checkMembers(contentsMembers, contents, at, fault);
  const { views, timezone, version } = contents;
  checkModes(listOr(views), `${at}.views`, fault);
  if (typeof version === 'string' && structureOrder(version) === undefined)
    fault(`${at}.version`, 'must be a version of three numbers such as "0.1.99"');
  const { type, id } = objectOr(timezone);
  if ((type ?? 'fixed') === 'fixed' && typeof id === 'string' && !isTimeZone(id))
    fault(`${at}.timezone.id`, timeZoneFault);
}
