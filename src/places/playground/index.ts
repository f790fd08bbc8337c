/** The playground: a page on which policies are tried out on payloads. */
export { explainer, type Source } from './explain.ts';
export { readPage, type Page } from './page.ts';
export { lineAt, type PlaygroundProblem } from './problems.ts';
export type { PlaygroundRequest } from './request.ts';
export { startPlayground, type Playground } from './server.ts';
