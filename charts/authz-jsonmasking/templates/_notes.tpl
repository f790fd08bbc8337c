{{/* What to do next, by commands that work for these values. */}}
{{- define "authz-jsonmasking.notes" -}}
{{- $service := include "authz-jsonmasking.fullname" . }}
{{- $scheme := include "authz-jsonmasking.scheme" . }}
{{- $port := include "authz-jsonmasking.servicePort" . }}
The JSON masking authorizer {{ .Chart.AppVersion }} is being started in the namespace {{ .Release.Namespace }}.

Wait until it is ready, which it is once it has reached its PDP:

  kubectl --namespace {{ .Release.Namespace }} rollout status deployment/{{ $service }}

Callers in the cluster reach it at {{ include "authz-jsonmasking.url" . }}/enforce. To try it from here, forward the port:

  kubectl --namespace {{ .Release.Namespace }} port-forward service/{{ $service }} {{ $port }}:{{ $port }}

and in another terminal, have a payload masked:

  curl {{ ternary "--insecure " "" (eq $scheme "https") }}{{ $scheme }}://127.0.0.1:{{ $port }}/enforce \
    --header 'Content-Type: application/json' \
{{- range $name, $value := .Values.test.headers }}
    --header {{ printf "%s: %s" $name $value | squote }} \
{{- end }}
    --data {{ include "authz-jsonmasking.sampleRequest" . | replace "'" "'\\''" | printf "'%s'" }}

{{- if not (or .Values.test.existingSecret .Values.test.request.vendor) }}

The PDP may want more of the caller under "vendor", such as a clientId.
{{- end }}

The same through the Service, from inside of the cluster:

  helm --namespace {{ .Release.Namespace }} test {{ .Release.Name }}
{{- end -}}
