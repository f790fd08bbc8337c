import lodash from 'lodash';
import type { RequestHandler } from 'express';
import { openApiDocument } from './document.ts';

const documentText = lodash.once(() => JSON.stringify(openApiDocument()));

/** `GET /openapi.json`: the description of this service. */
export const describeService: RequestHandler = (_request, response) => {
  response
    .set({ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
    .send(documentText());
};
