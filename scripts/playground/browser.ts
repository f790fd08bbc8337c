import { chromium, type Browser } from 'playwright-core';
import { ensureTool } from '../tools/tool.ts';

/** Starts Chromium, which has to be on the machine. @returns undefined if it is not, and cannot be installed */
export async function startChromium(): Promise<Browser | undefined> {
  const executablePath = ensureTool('chromium');
  return executablePath === undefined ? undefined : chromium.launch({ executablePath });
}
