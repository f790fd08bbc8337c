import { neededTool } from '../../support/tools.ts';

const helm = neededTool('helm');
const kubeconform = neededTool('kubeconform');

/** The paths of the tools; empty where there are none, which only skipped tests get to see. */
export const tools = { helm: helm.program, kubeconform: kubeconform.program };

/** Describes tests that need Helm. */
export const describeChart = tools.helm === '' ? helm.describe : kubeconform.describe;
