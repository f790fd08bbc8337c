import { VERSION } from '../../../src/version.ts';

/** The image under test, which the cluster has to have. */
export const IMAGE = process.env['IMAGE'] ?? `authz-jsonmasking:${VERSION}`;

interface Volume {
  readonly mountPath: string;
  /** Such as `{ configMap: { name } }`. */
  readonly source: object;
}

interface PodParts {
  /** The command of its container. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly volumes?: readonly Volume[];
}

const POD_SECURITY = {
  runAsNonRoot: true,
  runAsUser: 65_532,
  seccompProfile: { type: 'RuntimeDefault' },
};
const CONTAINER_SECURITY = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** A pod with one container on the image under test, as the restricted Pod Security Standard demands. */
export function restricted(name: string, { command, env = {}, volumes = [] }: PodParts): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 1,
      securityContext: POD_SECURITY,
      containers: [
        {
          name,
          image: IMAGE,
          command,
          env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
          securityContext: CONTAINER_SECURITY,
          volumeMounts: volumes.map(({ mountPath }, i) => ({ name: `volume-${i}`, mountPath })),
        },
      ],
      volumes: volumes.map(({ source }, i) => ({ name: `volume-${i}`, ...source })),
    },
  };
}

/** A Service that leads to the pods with the label `app`. */
export function serviceOf(app: string, ...ports: readonly number[]): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: app },
    spec: { selector: { app }, ports: ports.map((port) => ({ name: `port-${port}`, port })) },
  };
}
