/** `POST /enforce` and the service's own endpoints. */
export { createExplainApp } from './explain-app.ts';
export { createHttpApp } from './http-app.ts';
export { createOperationsApp, type Health } from './operations-app.ts';
