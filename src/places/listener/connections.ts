import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Roster } from '../../enforcement/index.ts';

const followed = new WeakMap<Server, Connections>();

/** The connections of a server, and on which of them a request is being answered. */
export class Connections {
  /** With what is being answered on each. */
  readonly #open = new Map<Socket, Roster<ServerResponse>>();
  /** The request that came last on each. */
  readonly #latest = new WeakMap<Socket, IncomingMessage>();
  /** Connections of a TLS server whose handshake is not over, by the address of the caller. */
  readonly #handshaking = new Map<string, Socket>();

  private constructor(server: Server) {
    const isTls = 'setSecureContext' in server;
    if (isTls) server.on('connection', (socket: Socket) => this.#shakeHands(socket));
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#handshaking.delete(addressOf(socket));
      this.#open.set(socket, new Roster());
      socket.once('close', () => this.#open.delete(socket));
    });
    server.on('request', (request, response) => {
      this.#latest.set(request.socket, request);
      this.#answer(request.socket, response);
    });
  }

  /** Those of a server, followed from the first call on. */
  static of(server: Server): Connections {
    const connections = followed.get(server) ?? new Connections(server);
    followed.set(server, connections);
    return connections;
  }

  isAnswering(socket: Socket): boolean {
    return this.#responsesOn(socket).size > 0;
  }

  /** Whether a part of a request is still to come, which may have been answered already. */
  isReceiving(socket: Socket): boolean {
    return this.#latest.get(socket)?.complete === false;
  }

  /** The answer of which the caller may have a part already. */
  begunOn(socket: Socket): ServerResponse | undefined {
    return [...this.#responsesOn(socket)].find(({ headersSent }) => headersSent);
  }

  /** Cuts the connections on which nothing has come yet that could be answered. */
  cutSilent(): void {
    this.cutHandshakes();
    for (const [socket, responses] of this.#open) if (responses.size === 0) socket.destroy();
  }

  /** Cuts the connections on which TLS is not agreed upon yet. */
  cutHandshakes(): void {
    for (const socket of this.#handshaking.values()) socket.destroy();
  }

  /** Ends these connections: at once, or when what is being answered on them is answered. @returns how many */
  end(isMeant: (socket: Socket) => boolean): number {
    const meant = [...this.#open.keys()].filter(isMeant);
    for (const socket of meant) this.#endOne(socket);
    return meant.length;
  }

  #endOne(socket: Socket): void {
    const responses = this.#responsesOn(socket);
    if (responses.size === 0) socket.destroy();
    for (const response of responses) {
      response.shouldKeepAlive = false;
      response.once('close', () => socket.destroySoon());
    }
  }

  #shakeHands(socket: Socket): void {
    const address = addressOf(socket);
    this.#handshaking.set(address, socket);
    socket.once('close', () => this.#handshaking.delete(address));
  }

  #answer(socket: Socket, response: ServerResponse): void {
    const responses = this.#responsesOn(socket);
    const at = responses.add(response);
    response.on('close', () => responses.delete(at));
  }

  #responsesOn(socket: Socket): Roster<ServerResponse> {
    return this.#open.get(socket) ?? new Roster();
  }
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
