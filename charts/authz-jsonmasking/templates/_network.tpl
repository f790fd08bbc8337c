{{/* The port of the PDP at `pdpHost` and `pdpPort`, or at `pdpUrl`; nothing where the PDP is embedded. */}}
{{- define "authz-jsonmasking.pdpPort" -}}
{{- $config := include "authz-jsonmasking.config" . | fromJson -}}
{{- $address := default $config.pdpUrl $config.pdpHost | default "" -}}
{{- $written := regexFind ":[0-9]+$" (regexReplaceAll "^([A-Za-z]+://)?([^/]*).*$" $address "${2}") | trimPrefix ":" -}}
{{- $usual := ternary "443" "80" (hasPrefix "https://" (lower $address)) -}}
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

{{/* The ports of the application behind the proxy; nothing without the proxy. */}}
{{- define "authz-jsonmasking.upstreamPorts" -}}
{{- if include "authz-jsonmasking.proxyPort" . -}}
{{- if .Values.networkPolicy.upstream.ports -}}
{{- toYaml .Values.networkPolicy.upstream.ports -}}
{{- else -}}
{{- with include "authz-jsonmasking.urlPort" (dig "proxy" "upstream" "" (include "authz-jsonmasking.config" . | fromJson)) -}}
- port: {{ . }}
  protocol: TCP
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Who may read the metrics. A ServiceMonitor without any would find its pods closed: then, every pod of the cluster may. */}}
{{- define "authz-jsonmasking.metricsReaders" -}}
{{- if .Values.networkPolicy.monitoring -}}
{{- toYaml .Values.networkPolicy.monitoring -}}
{{- else if .Values.serviceMonitor.enabled -}}
- namespaceSelector: {}
{{- end -}}
{{- end -}}

{{/* The port of the collector that traces are sent to; nothing if none are. */}}
{{- define "authz-jsonmasking.tracingPort" -}}
{{- include "authz-jsonmasking.urlPort" (dig "tracing" "endpoint" "" (include "authz-jsonmasking.config" . | fromJson)) -}}
{{- end -}}

{{/*
The port of the identity provider; nothing if no tokens are verified. Its keys may be at another port than the issuer: then the
configuration names them, or `networkPolicy.extraEgress` has that port.
*/}}
{{- define "authz-jsonmasking.identityPort" -}}
{{- $jwt := dig "identity" "jwt" dict (include "authz-jsonmasking.config" . | fromJson) | default dict -}}
{{- include "authz-jsonmasking.urlPort" (default $jwt.issuer $jwt.jwksUri) -}}
{{- end -}}

{{/* The port of a URL; nothing for an empty one. */}}
{{- define "authz-jsonmasking.urlPort" -}}
{{- with . -}}
{{- $written := regexFind ":[0-9]+$" (regexReplaceAll "^([A-Za-z]+://)?([^/?#]*).*$" . "${2}") | trimPrefix ":" -}}
{{- default (ternary "443" "80" (hasPrefix "https://" (lower .))) $written -}}
{{- end -}}
{{- end -}}

{{/* Callers come in, the pod of `helm test`, and those who read the metrics. */}}
{{- define "authz-jsonmasking.ingressRules" -}}
- from:
    {{- with .Values.networkPolicy.callers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    - podSelector:
        matchLabels:
          {{- include "authz-jsonmasking.testLabels" . | nindent 10 }}
  ports:
    - port: http
      protocol: TCP
    {{- if include "authz-jsonmasking.extProcPort" . }}
    - port: ext-proc
      protocol: TCP
    {{- end }}
    {{- if include "authz-jsonmasking.proxyPort" . }}
    - port: proxy
      protocol: TCP
    {{- end }}
{{- with include "authz-jsonmasking.metricsReaders" . }}
- from:
    {{- . | nindent 4 }}
  ports:
    - port: metrics
      protocol: TCP
{{- end }}
{{- with .Values.networkPolicy.extraIngress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The pods go out only to the PDP, to the application behind the proxy, to the identity provider, to the collector of traces and to DNS. */}}
{{- define "authz-jsonmasking.egressRules" -}}
{{- with include "authz-jsonmasking.pdpPorts" . -}}
- ports:
    {{- . | nindent 4 }}
  {{- with $.Values.networkPolicy.pdp.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- with include "authz-jsonmasking.identityPort" . }}
- ports:
    - port: {{ . }}
      protocol: TCP
  {{- with $.Values.networkPolicy.identity.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- with include "authz-jsonmasking.upstreamPorts" . }}
- ports:
    {{- . | nindent 4 }}
  {{- with $.Values.networkPolicy.upstream.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- with include "authz-jsonmasking.tracingPort" . }}
- ports:
    - port: {{ . }}
      protocol: TCP
  {{- with $.Values.networkPolicy.tracing.to }}
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
