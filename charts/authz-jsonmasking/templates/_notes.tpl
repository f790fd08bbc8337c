{{/* The next steps, with commands for these values. */}}
{{- define "authz-jsonmasking.notes" -}}
{{- $service := include "authz-jsonmasking.fullname" . }}
{{- $scheme := include "authz-jsonmasking.scheme" . }}
{{- $port := include "authz-jsonmasking.servicePort" . }}
The JSON masking authorizer {{ .Chart.AppVersion }} is starting in the namespace {{ include "authz-jsonmasking.namespace" . }}.
{{- $config := include "authz-jsonmasking.config" . | fromYaml }}
{{- if and (or $config.pdpUrl $config.pdpHost) (not $config.attrName) }}

config.attrName is missing: the service refuses decisions with conditional or denied masks (502). Give the attribute that
your PDP uses for the names of properties, and config.object if it uses another one for their prefixes:

  config:
    attrName: column
    object: table
{{- end }}

Wait until the pods are ready, which means that they can reach their PDP:

  kubectl --namespace {{ include "authz-jsonmasking.namespace" . }} rollout status deployment/{{ $service }}

In the cluster, the URL is {{ include "authz-jsonmasking.url" . }}/enforce. To try it from here, forward the port:

  kubectl --namespace {{ include "authz-jsonmasking.namespace" . }} port-forward service/{{ $service }} {{ $port }}:{{ $port }}

In another terminal, send a payload:

  curl -sS {{ ternary "--insecure " "" (eq $scheme "https") }}{{ $scheme }}://127.0.0.1:{{ $port }}/enforce \
    --header 'Content-Type: application/json' \
{{- range $name, $value := .Values.test.headers }}
    --header {{ printf "%s: %s" $name $value | squote }} \
{{- end }}
    --data {{ include "authz-jsonmasking.sampleRequest" . | replace "'" "'\\''" | printf "'%s'" }}

{{- if not (or .Values.test.existingSecret .Values.test.request.vendor) }}

The PDP may need more attributes of the caller under "vendor", such as a clientId.
{{- end }}

To test the release from inside the cluster, through the Service:

  helm --namespace {{ .Release.Namespace }} test {{ .Release.Name }}
{{- end -}}
