import { openApiDocument } from '../../src/http/openapi/document.ts';

/** `docs/openapi.json`: what the service answers at `/openapi.json`. */
export function openApi(): string {
  return JSON.stringify(openApiDocument());
}
