/** The protocols of remote PDPs. */
import type { Pdp, Transport } from '../port.ts';
import type { AuthzenSettings } from './authzen/index.ts';
import type { OpaSettings } from './opa/index.ts';
import { pdpSpeaking, type Protocol } from '../protocol.ts';
import type { ResolutionEndpoints } from './resolution/index.ts';

export { problemsWithMaskKeys, PROTOCOL_KEYS } from './sections.ts';

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

type Build = (settings: ProtocolSettings, addresses: Addresses) => Promise<Protocol>;

/** The protocols, each of which is loaded if it is configured. To add one, add its folder here and its keys in `sections.ts`. */
const PROTOCOLS: Readonly<Record<ProtocolSettings['pdpProtocol'], Build>> = {
  async resolution(_settings, { resolution }) {
    const { resolutionProtocol } = await import('./resolution/index.ts');
    return resolutionProtocol(resolution);
  },
  async opa(settings, { address }) {
    const { opaProtocol } = await import('./opa/index.ts');
    return opaProtocol({ ...settings, url: address });
  },
  async authzen(settings, { address }) {
    const { authzenEndpoints, authzenProtocol } = await import('./authzen/index.ts');
    return authzenProtocol({ ...settings, endpoints: authzenEndpoints(address) });
  },
};

/** A remote PDP, asked by the configured protocol. */
export async function createRemotePdp(
  settings: ProtocolSettings,
  addresses: Addresses,
  transport: Transport,
): Promise<Pdp> {
  return pdpSpeaking(await PROTOCOLS[settings.pdpProtocol](settings, addresses), transport);
}
