import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stopLater } from '../pdp/transport/setup.ts';

/** Writes files into a folder of their own, which `closeAll` removes. @returns the folder */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'authz-jsonmasking-'));
  stopLater(() => rm(folder, { recursive: true }));
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(folder, name), text)));
  return folder;
}

/** Writes a file. @returns its path */
export async function fileWith(text: string): Promise<string> {
  return path.join(await folderWith({ 'file.yaml': text }), 'file.yaml');
}
