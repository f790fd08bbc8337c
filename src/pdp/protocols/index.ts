/** The protocols of remote PDPs. */
import type { Pdp, Transport } from '../port.ts';
import { authzenEndpoints, authzenProtocol, type AuthzenSettings } from './authzen/index.ts';
import { opaProtocol, type OpaSettings } from './opa/index.ts';
import { pdpSpeaking, type Protocol } from '../protocol.ts';
import { resolutionProtocol, type ResolutionEndpoints } from './resolution/index.ts';

export { PROTOCOL_KEYS } from './sections.ts';

/** Everything that any protocol takes from the configuration. */
interface ProtocolSettings extends Omit<OpaSettings, 'url'>, Omit<AuthzenSettings, 'endpoints'> {
  readonly pdpProtocol: 'resolution' | 'opa' | 'authzen';
}

/** The addresses of the PDP. */
interface Addresses {
  /** The address as it is configured, with its path. */
  readonly address: URL;
  readonly resolution: ResolutionEndpoints;
}

type Build = (settings: ProtocolSettings, addresses: Addresses) => Protocol;

/** The protocols. To add one, add its folder here and its keys in `sections.ts`. */
const PROTOCOLS: Readonly<Record<ProtocolSettings['pdpProtocol'], Build>> = {
  resolution: (_settings, { resolution }) => resolutionProtocol(resolution),
  opa: (settings, { address }) => opaProtocol({ ...settings, url: address }),
  authzen: (settings, { address }) => authzenProtocol({ ...settings, endpoints: authzenEndpoints(address) }),
};

/** A remote PDP, asked by the configured protocol. */
export function createRemotePdp(settings: ProtocolSettings, addresses: Addresses, transport: Transport): Pdp {
  return pdpSpeaking(PROTOCOLS[settings.pdpProtocol](settings, addresses), transport);
}
