import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterEach, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { folderWith } from '../support/folder.ts';
import { fencesIn } from './markdown.ts';
import { PROGRAM } from '../support/program.ts';

afterEach(closeAll);

const COMMAND = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;

test('docs/tutorial.md leads from an empty folder to what it shows', async () => {
  const folder = await folderWith({ 'authz-jsonmasking': COMMAND });
  chmodSync(path.join(folder, 'authz-jsonmasking'), 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  const fences = fencesIn(readFileSync('docs/tutorial.md', 'utf8'));
  let printed = '';
  const shown: string[] = [];
  const found: string[] = [];
  for (const { info, text } of fences) {
    const [language = '', role = ''] = info.split(' ');
    if (language === 'sh') printed = execFileSync('sh', ['-c', text], { cwd: folder, env, encoding: 'utf8' });
    else if (role === 'output') {
      shown.push(text);
      found.push(printed.trimEnd());
    } else writeFileSync(path.join(folder, role), `${text}\n`);
  }
  expect(found).toEqual(shown);
  expect(printed).toContain('3 passed, 0 failed');
});
