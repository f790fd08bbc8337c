import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests may wait on one connection for the one that is being answered. No caller sends nearly as many ahead. */
const MAX_WAITING = 100;

type Waiting = [IncomingMessage, ServerResponse][];

/**
 * Answers the requests of one connection one after the other, so that a caller that sends many ahead and reads no
 * answer uses no more memory than one that waits. A connection with too many waiting requests is cut, and so is one
 * whose caller does not take an answer in time.
 *
 * @param answerTimeout how long a caller may take to receive an answer, in milliseconds
 */
export function oneAtATime(handler: RequestListener, answerTimeout: number): RequestListener {
  const busy = new WeakMap<Socket, Waiting>();
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    // The request may have lost its socket by then.
    const { socket } = request;
    boundAnswer(response, answerTimeout);
    response.on('close', () => beginNext(socket));
    handler(request, response);
  };
  const beginNext = (socket: Socket): void => {
    const next = socket.writable ? busy.get(socket)?.shift() : undefined;
    if (next) begin(...next);
    else busy.delete(socket);
  };
  return (request, response) => {
    const { socket } = request;
    // Requests that were sent ahead still arrive after the connection is cut.
    if (!socket.writable) return;
    const waiting = busy.get(socket);
    if (waiting === undefined) {
      busy.set(socket, []);
      begin(request, response);
    } else if (waiting.push([request, response]) > MAX_WAITING) {
      waiting.length = 0;
      socket.destroy();
    }
  };
}

/** Cuts a caller that reads its answer slowly or not at all: the answer would stay in memory. */
function boundAnswer(response: ServerResponse, timeout: number): void {
  response.on('prefinish', () => {
    // The system has all of it: as a rule, it takes a small answer at once.
    if (response.writableLength === 0) return;
    const late = setTimeout(() => response.destroy(), timeout);
    response.on('close', () => clearTimeout(late));
  });
}
