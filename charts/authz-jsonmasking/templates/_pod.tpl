{{/* How the pods are spread; a constraint without a selector is about the Deployment's own pods. */}}
{{- define "authz-jsonmasking.topologySpreadConstraints" -}}
{{- $selector := dict "matchLabels" (include "authz-jsonmasking.selectorLabels" . | fromYaml) -}}
{{- range .Values.topologySpreadConstraints }}
- {{ merge (dict) . (dict "labelSelector" $selector) | toYaml | nindent 2 | trim }}
{{- end }}
{{- end -}}

{{/* Where and as whom the pods run. */}}
{{- define "authz-jsonmasking.placement" -}}
{{- with include "authz-jsonmasking.topologySpreadConstraints" . }}
topologySpreadConstraints:
  {{- . | nindent 2 }}
{{- end }}
{{- range $field := list "affinity" "nodeSelector" "tolerations" "dnsConfig" "hostAliases" }}
{{- with get $.Values $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- range $field := list "priorityClassName" "runtimeClassName" "schedulerName" "dnsPolicy" }}
{{- with get $.Values $field }}
{{ $field }}: {{ . | quote }}
{{- end }}
{{- end }}
{{- end -}}
