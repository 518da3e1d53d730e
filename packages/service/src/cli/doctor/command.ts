import { readArguments } from '../arguments.ts';
import type { Finding } from './finding.ts';
import {
  checkClock,
  checkFolder,
  checkKeys,
  checkMetrics,
  checkNode,
  checkPlatform,
  checkPort,
  checkRows,
} from './machine.ts';
import { checkModel } from './model.ts';
import { settingsOf } from '../settings.ts';
import { repairRecords } from './repair.ts';
import { checkSettings } from './settings.ts';
import { checkStore } from './store.ts';
import type { Host } from '../host.ts';

async function examine(host: Host): Promise<readonly Finding[]> {
  const { config, findings } = checkSettings(host.env);
  const machine = [
    checkNode(process.versions.node),
    ...(await checkPlatform(process.platform, process.arch)),
    checkClock(Date.now()),
  ];
  if (config === undefined) return [...findings, ...machine];
  const keys = checkKeys(config);
  const keysHold = keys.every(({ level }) => level !== 'fail');
  return [
    ...findings,
    ...machine,
    ...checkFolder(config),
    ...checkRows(config),
    checkMetrics(config),
    ...keys,
    ...(keysHold ? await checkStore(config, Date.now) : []),
    ...(await checkModel(config)),
    await checkPort(config),
  ];
}

/** Diagnoses this installation and suggests fixes. */
export async function doctor(args: readonly string[], host: Host): Promise<number> {
  const { values } = readArguments(args, { json: { type: 'boolean' }, repair: { type: 'boolean' } });
  const repaired = values.repair === true ? await repairRecords(settingsOf(host)) : [];
  const findings = [...repaired, ...(await examine(host))];
  const hasFailed = findings.some(({ level }) => level === 'fail');
  if (values.json === true) {
    host.out(JSON.stringify({ ok: !hasFailed, checks: findings }, null, 2));
  } else {
    for (const { level, check, description, fix } of findings) {
      host.out(`${level.padEnd(4)}  ${check}: ${description}${fix === undefined ? '' : `. ${fix}`}`);
    }
  }
  return hasFailed ? 1 : 0;
}
