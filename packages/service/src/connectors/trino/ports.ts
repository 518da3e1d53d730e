import type { HttpPorts } from '../session/http-transport.ts';
import { properties } from './properties.ts';

export const usualPort = 8080;

export const ports: HttpPorts = { usualPort, securePort: 8443, properties };
