{{/* What to do next, by commands that work for these values. */}}
{{- define "authz-jsonmasking.notes" -}}
{{- $service := include "authz-jsonmasking.fullname" . }}
{{- $scheme := include "authz-jsonmasking.scheme" . }}
{{- $port := include "authz-jsonmasking.servicePort" . }}
The JSON masking authorizer {{ .Chart.AppVersion }} is being started in the namespace {{ include "authz-jsonmasking.namespace" . }}.
{{- $config := include "authz-jsonmasking.config" . | fromYaml }}
{{- if and (or $config.pdpUrl $config.pdpHost) (not $config.attrName) }}

config.attrName is not given: decisions with conditional or denied masks are refused with 502. Give the attribute by which
your PDP names properties, and config.object if it names their prefixes by another one:

  config:
    attrName: column
    object: table
{{- end }}

A pod is ready when it has reached its PDP. Wait for that:

  kubectl --namespace {{ include "authz-jsonmasking.namespace" . }} rollout status deployment/{{ $service }}

Callers in the cluster reach it at {{ include "authz-jsonmasking.url" . }}/enforce. To try it from here, forward the port:

  kubectl --namespace {{ include "authz-jsonmasking.namespace" . }} port-forward service/{{ $service }} {{ $port }}:{{ $port }}

and in another terminal, have a payload masked:

  curl -sS {{ ternary "--insecure " "" (eq $scheme "https") }}{{ $scheme }}://127.0.0.1:{{ $port }}/enforce \
    --header 'Content-Type: application/json' \
{{- range $name, $value := .Values.test.headers }}
    --header {{ printf "%s: %s" $name $value | squote }} \
{{- end }}
    --data {{ include "authz-jsonmasking.sampleRequest" . | replace "'" "'\\''" | printf "'%s'" }}

{{- if not (or .Values.test.existingSecret .Values.test.request.vendor) }}

The PDP may want more of the caller under "vendor", such as a clientId.
{{- end }}

To test the release from inside the cluster, through the Service:

  helm --namespace {{ .Release.Namespace }} test {{ .Release.Name }}
{{- end -}}
