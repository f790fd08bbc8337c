import process from 'node:process';
import type { Problem } from '../yaml/index.ts';
import { pdpAddress } from './endpoints.ts';
import type { Configuration } from './schema.ts';

/** A port that the service listens on, and the key that sets it. */
interface Listener {
  readonly key: string;
  readonly port: number | undefined;
  readonly host: string | undefined;
}

const ALL_ADDRESSES: ReadonlySet<string | undefined> = new Set([undefined, '0.0.0.0', '::', '']);
const METRICS = 'metrics.port';
const HEALTH = 'health.port';
/** What `localhost` may mean: listeners there share their ports. */
const LOOPBACK: ReadonlySet<string | undefined> = new Set(['localhost', '127.0.0.1', '::1']);
/** Addresses of the same machine. All of 127.0.0.0/8 are, also written as IPv6. */
const LOCAL = /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/iu;

/** An address that the service sends requests to, and the key that sets it. */
interface Target {
  readonly key: string;
  readonly url: URL;
}

/** Whether only programs on the same machine, or in the same pod, can connect to an address. */
export function isLoopback(host: string): boolean {
  return LOCAL.test(host);
}

/** Everything that listens, the service first. */
function listenersOf(configuration: Configuration): readonly Listener[] {
  const { host, port, proxy, extProc, metrics, health, explain } = configuration;
  return [
    { key: 'port', port, host },
    { key: 'proxy.port', port: proxy.port, host: proxy.host },
    { key: 'extProc.port', port: extProc.port, host: extProc.host },
    { key: METRICS, port: metrics.port, host: metrics.host },
    { key: HEALTH, port: health.port, host: health.host },
    { key: 'explain.port', port: explain.port, host: explain.host },
  ];
}

function overlap(one: Listener, other: Listener): boolean {
  if (ALL_ADDRESSES.has(one.host) || ALL_ADDRESSES.has(other.host) || one.host === other.host) return true;
  return LOOPBACK.has(one.host) && LOOPBACK.has(other.host) && [one.host, other.host].includes('localhost');
}

/** The listeners that need the port of one before them. Port 0 is a different one each time. */
export function listenerProblems(configuration: Configuration): readonly Problem[] {
  const listeners = listenersOf(configuration);
  return listeners.flatMap((listener, index) => {
    const { port } = listener;
    const taken = listeners
      .slice(0, index)
      .find((other) => port !== undefined && port !== 0 && other.port === port && overlap(listener, other));
    return taken === undefined ? [] : problemsBetween(listener, taken);
  });
}

/** Hosts that are no name or address alone: no listener can be on them. */
export function hostProblems(configuration: Configuration): readonly Problem[] {
  return listenersOf(configuration).flatMap(({ key, host }) => {
    if (host === undefined || !/[:/\s]/u.test(host) || isIPv6(host)) return [];
    const message = `must be a name or an IP address, without a scheme or a port; the port belongs in ${key}`;
    return [{ key: key.replace(/port$/u, 'host'), message }];
  });
}

/** Most hosts have no colon, and the modules of sockets and their patterns of addresses take longer to load than a short command. */
function isIPv6(host: string): boolean {
  return process.getBuiltinModule('node:net').isIPv6(host);
}

/** What the service would ask of one of its own listeners. */
export function selfProblems(configuration: Configuration): readonly Problem[] {
  const listeners = listenersOf(configuration);
  return targetsOf(configuration).flatMap(({ key, url }) => {
    const own = listeners.find((listener) => leadsTo(url, listener));
    return own === undefined ? [] : [{ key, message: `leads back to the service itself (${own.key})` }];
  });
}

function targetsOf(configuration: Configuration): readonly Target[] {
  const { pdpUrl, pdpHost, proxy } = configuration;
  const pdp = pdpHost === undefined ? pdpUrl && 'pdpUrl' : 'pdpHost';
  return [
    ...(pdp ? [{ key: pdp, url: pdpAddress(configuration) }] : []),
    ...(proxy.upstream === undefined ? [] : [{ key: 'proxy.upstream', url: new URL(proxy.upstream) }]),
  ];
}

/** Names of other machines are not looked up. */
function leadsTo({ hostname, port, protocol }: URL, listener: Listener): boolean {
  if (Number(port || (protocol === 'https:' ? 443 : 80)) !== listener.port) return false;
  const host = hostname.replace(/^\[(.*)\]$/u, '$1');
  const isHere = LOOPBACK.has(host) || ALL_ADDRESSES.has(host) || host === listener.host;
  return isHere && overlap({ ...listener, host }, listener);
}

/** Health and metrics may be served by one listener, which then has one address. */
function problemsBetween(listener: Listener, taken: Listener): readonly Problem[] {
  if (listener.key !== HEALTH || taken.key !== METRICS)
    return [
      { key: listener.key, message: `must differ from ${taken.key}: two listeners cannot share a port` },
    ];
  if (listener.host === taken.host) return [];
  return [{ key: 'health.host', message: 'must be metrics.host, as both are on one port' }];
}
