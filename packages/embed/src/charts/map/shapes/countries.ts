import { createFindCountry } from '../names.ts';
import type { Level } from '../map-level.ts';
import { readShapes } from '../shapes.ts';
import file from './countries.json' with { type: 'json' };

const shapes = readShapes(file);

export const countries: Level = { shapes, find: createFindCountry(shapes) };
