import { openApiDocument } from '../../src/places/enforce-api/openapi/document.ts';

/** `docs/openapi.json`: what the service answers at `/openapi.json`. */
export function openApi(): string {
  return JSON.stringify(openApiDocument());
}
