{{/* A text as one word of a shell. */}}
{{- define "authz-jsonmasking.shellWord" -}}
{{- . | replace "'" "'\\''" | printf "'%s'" -}}
{{- end -}}

{{/* The next steps, with commands for these values. */}}
{{- define "authz-jsonmasking.notes" -}}
{{- $service := include "authz-jsonmasking.fullname" . }}
{{- $scheme := include "authz-jsonmasking.scheme" . }}
{{- $port := include "authz-jsonmasking.servicePort" . | int }}
{{- /* Below 1024, only root may listen. */}}
{{- $local := ternary (add 8000 $port) $port (lt $port 1024) }}
The JSON masking authorizer {{ .Chart.AppVersion }} is starting in the namespace {{ include "authz-jsonmasking.namespace" . }}.
{{- $config := include "authz-jsonmasking.config" . | fromJson }}
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

  kubectl --namespace {{ include "authz-jsonmasking.namespace" . }} port-forward service/{{ $service }} {{ $local }}:{{ $port }}

{{- $certified := eq "require" (dig "tls" "clientCertificates" "" $config) }}
{{- $named := regexMatch "(?i)\"authorization\":" (toJson .Values.test.headers) }}
{{- $token := and (dig "identity" "required" false $config) (not $named) }}
{{- $certificate := ternary "a certificate that the service accepts" "" $certified }}
{{- $bearer := ternary (printf "a token of %s in TOKEN" (dig "identity" "jwt" "issuer" "the issuer" $config)) "" $token }}

In another terminal, send a payload{{ with compact (list $certificate $bearer) }} with {{ join " and " . }}{{ end }}:

  curl -sS {{ ternary "--insecure " "" (eq $scheme "https") }}{{ ternary "--cert tls.crt --key tls.key " "" $certified }}{{ $scheme }}://127.0.0.1:{{ $local }}/enforce \
    {{- if $token }}
    --header "Authorization: Bearer $TOKEN" \
    {{- end }}
    --header 'Content-Type: application/json' \
{{- range $name, $value := .Values.test.headers }}
    --header {{ printf "%s: %s" $name $value | include "authz-jsonmasking.shellWord" }} \
{{- end }}
    --data {{ include "authz-jsonmasking.sampleRequest" . | include "authz-jsonmasking.shellWord" }}

{{- if not (or .Values.test.existingSecret .Values.test.request.vendor) }}

The PDP may need more attributes of the caller under "vendor", such as a clientId.
{{- end }}
{{- $host := include "authz-jsonmasking.host" . }}
{{- with include "authz-jsonmasking.proxyPort" . }}

The reverse proxy takes the requests of config.proxy.upstream at {{ $scheme }}://{{ $host }}:{{ . }}
{{- end }}
{{- with include "authz-jsonmasking.extProcPort" . }}

Envoy calls the external processor at {{ $host }}:{{ . }} (gRPC).
{{- end }}

To test the release from inside the cluster, through the Service:

  helm --namespace {{ .Release.Namespace }} test {{ .Release.Name }}
{{- end -}}
