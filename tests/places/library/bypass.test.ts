import { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import express, { type Response } from 'express';
import { createEnforcer, maskResponses } from '../../../src/library.ts';
import { closeAll, portOf, stopLater } from '../../pdp/transport/setup.ts';
import { fileWith } from '../../support/process.ts';

afterEach(closeAll);

const BODY = '{"ssn":"123-45-6789"}';
const POLICIES = 'policies: [{ name: SSN, properties: [ssn], action: MASK }]';

type Replaced = 'write' | 'end' | 'writeHead';
type Handler = (response: Response) => void;

/** Every byte that a client gets from an application with this handler, and what was logged. */
async function bytesFrom(handle: Handler): Promise<{ bytes: string; logged: string[] }> {
  const logged: string[] = [];
  const write = (message: string, fields: object = {}): void =>
    void logged.push(JSON.stringify({ message, ...fields }));
  const log = { error: write, warn: write, info: write, debug: write };
  const enforcer = await createEnforcer({ policyFile: await fileWith(POLICIES) }, { log });
  stopLater(() => enforcer.close());
  const app = express();
  app.use(maskResponses(enforcer, { vendor: {} }));
  app.use((_, response) => handle(response.type('json')));
  const server = app.listen(0);
  stopLater(async () => void server.close());
  const socket = connect(portOf(server));
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return { bytes: await text(socket).catch(() => ''), logged };
}

/** Calls a method of Node.js that the middleware has replaced on the response. */
function byPrototype(response: Response, method: Replaced, argument: unknown): void {
  const { prototype }: { readonly prototype: object } = ServerResponse;
  const original: (...args: readonly unknown[]) => unknown = Reflect.get(prototype, method);
  Reflect.apply(original, response, [argument]);
}

/** Puts methods of Node.js in the place of those that hold answers back. */
function undo(response: Response, method: Replaced): void {
  Reflect.deleteProperty(response, method);
}

describe('no byte leaves that an application sends', () => {
  test.each<[string, Handler]>([
    [
      'by write of the prototype',
      (response) => {
        byPrototype(response, 'write', BODY);
        response.end();
      },
    ],
    ['by end of the prototype', (response) => byPrototype(response, 'end', BODY)],
    [
      'by writeHead and end of the prototype',
      (response) => {
        byPrototype(response, 'writeHead', 200);
        byPrototype(response, 'end', BODY);
      },
    ],
    [
      'after it has deleted the replaced methods',
      (response) => {
        undo(response, 'write');
        undo(response, 'end');
        undo(response, 'writeHead');
        response.end(BODY);
      },
    ],
  ])('%s', async (_name, handle) => {
    const { bytes } = await bytesFrom(handle);
    expect(bytes).not.toContain('123-45-6789');
  });

  test('and the log has the reason', async () => {
    const { logged } = await bytesFrom((response) => {
      undo(response, 'end');
      undo(response, 'writeHead');
      response.end(BODY);
    });
    expect(logged).toContainEqual(expect.stringContaining('it is sent past the methods of the response'));
  });
});
