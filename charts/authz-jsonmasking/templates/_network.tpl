{{/* The port of the PDP at `pdpHost` and `pdpPort`, or at `pdpUrl`; nothing where the PDP is embedded. */}}
{{- define "authz-jsonmasking.pdpPort" -}}
{{- $config := include "authz-jsonmasking.config" . | fromYaml -}}
{{- $address := default $config.pdpUrl $config.pdpHost | default "" -}}
{{- $written := regexFind ":[0-9]+$" (regexReplaceAll "^([a-z]+://)?([^/]*).*$" $address "${2}") | trimPrefix ":" -}}
{{- $usual := ternary "443" "80" (hasPrefix "https://" $address) -}}
{{- if $config.pdpHost -}}
{{- default $usual $config.pdpPort -}}
{{- else if $address -}}
{{- default $usual $written -}}
{{- end -}}
{{- end -}}

{{/* The ports that the pods may reach the PDP at. */}}
{{- define "authz-jsonmasking.pdpPorts" -}}
{{- if .Values.networkPolicy.pdp.ports -}}
{{- toYaml .Values.networkPolicy.pdp.ports -}}
{{- else -}}
{{- with include "authz-jsonmasking.pdpPort" . -}}
- port: {{ . }}
  protocol: TCP
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Only callers come in, and whoever reads the metrics. */}}
{{- define "authz-jsonmasking.ingressRules" -}}
{{- with .Values.networkPolicy.callers -}}
- from:
    {{- toYaml . | nindent 4 }}
    - podSelector:
        matchLabels:
          {{- include "authz-jsonmasking.testLabels" $ | nindent 10 }}
  ports:
    - port: http
      protocol: TCP
{{- end }}
{{- with .Values.networkPolicy.monitoring }}
- from:
    {{- toYaml . | nindent 4 }}
  ports:
    - port: metrics
      protocol: TCP
{{- end }}
{{- with .Values.networkPolicy.extraIngress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The pods go out only to the PDP and to DNS. */}}
{{- define "authz-jsonmasking.egressRules" -}}
{{- with include "authz-jsonmasking.pdpPorts" . -}}
- ports:
    {{- . | nindent 4 }}
  {{- with $.Values.networkPolicy.pdp.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- with .Values.networkPolicy.dns }}
- ports:
    - port: 53
      protocol: UDP
    - port: 53
      protocol: TCP
  to:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- with .Values.networkPolicy.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end -}}
