import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

const followed = new WeakMap<Server, Connections>();

/** The connections of a server, and on which of them a request is being answered. */
export class Connections {
  private readonly open = new Set<Socket>();
  private readonly answering = new Map<Socket, number>();

  private constructor(server: Server) {
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
    server.on('request', ({ socket }, response) => {
      this.count(socket, 1);
      response.once('close', () => this.count(socket, -1));
    });
  }

  /** Those of a server, followed from the first time that it is asked for them. */
  static of(server: Server): Connections {
    const connections = followed.get(server) ?? new Connections(server);
    followed.set(server, connections);
    return connections;
  }

  isAnswering(socket: Socket): boolean {
    return this.answering.has(socket);
  }

  /** Cuts the connections on which nothing has come yet that could be answered. */
  cutSilent(): void {
    for (const socket of this.open) if (!this.isAnswering(socket)) socket.destroy();
  }

  private count(socket: Socket, change: number): void {
    const requests = (this.answering.get(socket) ?? 0) + change;
    if (requests > 0) this.answering.set(socket, requests);
    else this.answering.delete(socket);
  }
}
