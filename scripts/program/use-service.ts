import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import * as z from 'zod';

const DECISION =
  '{"tokenValidity":0,"response":[{"access":[{"path":"name","resourceType":"columns","attributes":{"column":["name"]},' +
  '"actions":[{"action":"MASK"}],"policies":[{"name":"Names","metadata":{}}]}],"privileges":{"allowed":[],"denied":[]}}]}';
const QUESTION = '{"clientId":"a","clientSecret":"b","entityTypeId":"User","entityId":"ann"}';
/** How many requests are made: more than one, because connections are used again. */
const REQUESTS = 3;

const listening = z.object({ port: z.number() });

/**
 * Starts the service in this process, and has it enforce a payload.
 *
 * @param use runs the program with arguments
 * @param payload a file
 * @param work a folder for files
 */
export async function useService(
  use: (...args: readonly string[]) => Promise<void>,
  payload: string,
  work: string,
): Promise<void> {
  const config = path.join(work, 'service.yaml');
  const ready = path.join(work, 'ready');
  const pdpUrl = `http://127.0.0.1:${await startPdp()}`;
  await writeFile(config, `port: 0\nhost: 127.0.0.1\npdpUrl: ${pdpUrl}\nattrName: column\n`);
  await use('-c', config, '--ready-file', ready);
  const url = readFileSync(ready, 'utf8').trim();
  const json = readFileSync(payload, 'utf8');
  // oxlint-disable-next-line no-await-in-loop -- one after the other, on the same connection
  for (let request = 0; request < REQUESTS; request += 1) await enforceAt(url, json);
}

async function enforceAt(url: string, json: string): Promise<void> {
  const body = `{"parameters":{},"vendor":${QUESTION},"json":${json}}`;
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/enforce`, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the program answers ${answer.status}`);
}

async function startPdp(): Promise<number> {
  const pdp = createServer((request, response) => {
    request.resume().once('end', () => response.end(DECISION));
  });
  await once(pdp.listen(0, '127.0.0.1'), 'listening');
  return listening.parse(pdp.address()).port;
}
