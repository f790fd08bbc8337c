/** `POST /enforce` and the service's own endpoints. */
export { createHttpApp } from './http-app.ts';
export { createOperationsApp, type Health } from './operations-app.ts';
