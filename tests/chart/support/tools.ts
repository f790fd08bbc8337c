import { describe } from '@jest/globals';
import { ensureTool } from '../../../scripts/tools/tool.ts';

const helm = ensureTool('helm');
const kubeconform = ensureTool('kubeconform');

/** The paths of the tools; empty where there are none, which only skipped tests get to see. */
export const tools = { helm: helm ?? '', kubeconform: kubeconform ?? '' };

const present = helm !== undefined && kubeconform !== undefined;
if (!present) process.stderr.write('Neither Helm and kubeconform nor Go: tests of the charts are SKIPPED.\n');

/** Describes tests that need Helm. Where it can't be had they count as skipped, and a line says so. */
export const describeChart = present ? describe : describe.skip;
