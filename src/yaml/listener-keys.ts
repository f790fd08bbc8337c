import * as z from 'zod';
import { keyReferences } from './key-reference.ts';

const LARGEST_PORT = 65_535;

/**
 * The port of a listener. Without it, the listener is off.
 *
 * @param least 0 if the system may choose a free port
 */
export function portKey(least: 0 | 1, description: string, example: number) {
  return z
    .int()
    .min(least)
    .max(LARGEST_PORT)
    .optional()
    .register(keyReferences, { description, form: 'both', example });
}

/** The address of a listener. Without it, the listener is on all addresses. */
export function hostKey(description: string) {
  return z.string().min(1).optional().register(keyReferences, {
    description,
    form: 'both',
    example: '127.0.0.1',
  });
}
