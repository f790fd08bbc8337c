import { VERSION } from '../../../src/version.ts';

/** The image under test, which the cluster has to have. */
export const IMAGE = process.env['IMAGE'] ?? `authz-jsonmasking:${VERSION}`;

interface Volume {
  readonly mountPath: string;
  readonly configMap: { readonly name: string };
}

export const POD_SECURITY = {
  runAsNonRoot: true,
  runAsUser: 65_532,
  seccompProfile: { type: 'RuntimeDefault' },
};
export const CONTAINER_SECURITY = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** A pod with one container, as the restricted Pod Security Standard demands. */
export function restricted(name: string, container: object, { mountPath, ...source }: Volume): object {
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
          ...container,
          securityContext: CONTAINER_SECURITY,
          volumeMounts: [{ name: 'files', mountPath }],
        },
      ],
      volumes: [{ name: 'files', ...source }],
    },
  };
}
