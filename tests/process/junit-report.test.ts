import { existsSync, readFileSync } from 'node:fs';
import { readlink, symlink } from 'node:fs/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { removeReport, writeReport } from '../../src/process/junit-report.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { folderWith } from '../support/folder.ts';

afterEach(closeAll);

const REPORT = '<?xml version="1.0"?>\n<testsuites/>\n';
/** A name that would begin another line and write to the terminal. */
const ODD = 'a\n\u001B[31mb';
const ODD_SHOWN = String.raw`a\n\u001b[31mb`;

describe('the report of the run before', () => {
  test('is gone before the tests run', async () => {
    const folder = await folderWith({ 'junit.xml': REPORT });
    await removeReport(`${folder}/junit.xml`);
    expect(existsSync(`${folder}/junit.xml`)).toBe(false);
  });

  test('is emptied if a link leads to it', async () => {
    const folder = await folderWith({ 'junit.xml': REPORT });
    await symlink('junit.xml', `${folder}/link`);
    await removeReport(`${folder}/link`);
    expect(await readlink(`${folder}/link`)).toBe('junit.xml');
    expect(readFileSync(`${folder}/junit.xml`, 'utf8')).toBe('');
  });

  test('need not exist', async () => {
    const folder = await folderWith({});
    await expect(removeReport(`${folder}/junit.xml`)).resolves.toBeUndefined();
  });

  test('is not taken for one if it begins otherwise, which is said in a line that can be read', async () => {
    const folder = await folderWith({ [ODD]: '<?xs' });
    await expect(removeReport(`${folder}/${ODD}`)).rejects.toThrow(
      `${folder}/${ODD_SHOWN} is not a report, and is not overwritten.`,
    );
    expect(existsSync(`${folder}/${ODD}`)).toBe(true);
  });
});

test('why a report cannot be written is said in a line that can be read', async () => {
  const folder = await folderWith({});
  await expect(writeReport(`${folder}/${ODD}/junit.xml`, REPORT)).rejects.toThrow(
    `${folder}/${ODD_SHOWN}/junit.xml cannot be written: its folder does not exist.`,
  );
});
