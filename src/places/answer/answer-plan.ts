import type { HeaderFields } from '../../enforcement/index.ts';
import { valuesOf } from '../listener/index.ts';
import { codingOf, type ContentCoding } from './codings.ts';
import { mediaOf, type BodyFormat } from './media.ts';

/** What the application says ahead of a body. */
export interface AnswerHead {
  readonly status: number;
  readonly fields: HeaderFields;
}

/** What is done with an answer of an enforced route. */
export type AnswerPlan =
  /** There is no body, or it must not be sent. */
  | { readonly kind: 'bodiless' }
  /** The body passes. */
  | { readonly kind: 'pass' }
  /** The body is enforced, as a whole or record by record. */
  | { readonly kind: 'enforce'; readonly format: BodyFormat; readonly coding: ContentCoding | undefined }
  /** The body cannot be read. Without a body, the answer passes. */
  | { readonly kind: 'refuse'; readonly reason: string; readonly unlessEmpty: boolean };

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
/** A range of a representation (RFC 9110), and a difference between two (RFC 3229). */
const PARTS: ReadonlySet<number> = new Set([206, 226]);

/**
 * Decides what is done with an answer, from its head alone (docs/proxy.md).
 *
 * @param method of the request
 * @param passesNonJson whether the route lets bodies pass that are not JSON
 */
export function planFor(method: string, { status, fields }: AnswerHead, passesNonJson: boolean): AnswerPlan {
  if (method === 'HEAD' || status < 200 || WITHOUT_BODY.has(status)) return { kind: 'bodiless' };
  if (PARTS.has(status)) return refuse('it is a part of a representation', false);
  if (valuesOf(fields, 'content-length')[0] === '0') return { kind: 'bodiless' };
  const media = mediaOf(fields);
  if (media.format === 'unclear') return refuse(media.reason, true);
  if (media.format === 'other')
    return passesNonJson ? { kind: 'pass' } : refuse('its media type is not JSON', true);
  const coding = codingOf(fields);
  if (coding === 'unknown') return refuse('its content coding is not known', true);
  return { kind: 'enforce', format: media.format, coding };
}

/** Whether an answer says how long its body is. Those to `HEAD` would say how long the original body is. */
export function hasLength(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304;
}

function refuse(reason: string, unlessEmpty: boolean): AnswerPlan {
  return { kind: 'refuse', reason, unlessEmpty };
}
