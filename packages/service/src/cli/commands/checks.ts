// Commands that load the same parts of the service, in one entry of the build.
export { connectorCheck } from './connector-check.ts';
export { pluginCheck } from './plugin-check.ts';
