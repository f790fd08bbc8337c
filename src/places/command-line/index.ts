/** The command line: payloads from files and pipes. */
export { CommandFailure, optionsRefused } from './command-failure.ts';
export { enforcePayloads, type View } from './enforce-payloads.ts';
export { explainPayload } from './explain-payload.ts';
export { enforceRecords } from './enforce-records.ts';
export type { Enforcing } from './enforcing.ts';
export { wholeDiff } from './show-diff.ts';
export { explanationLines } from './show-explanation.ts';
export { inputsFrom } from './inputs.ts';
export { Output, OutputClosed } from './output.ts';
export { progressOn } from './progress.ts';
export { vendorFrom } from './user.ts';
