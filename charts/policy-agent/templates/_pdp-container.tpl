{{/* The container of the PDP. */}}
{{- define "policy-agent.pdpContainer" -}}
{{- $pdp := .Values.pdp -}}
name: pdp
image: {{ include "policy-agent.image" . }}
imagePullPolicy: {{ $pdp.image.pullPolicy }}
{{- with $pdp.command }}
command:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pdp.args }}
args:
  {{- range . }}
  - {{ tpl . $ | quote }}
  {{- end }}
{{- end }}
{{- range $field := list "env" "lifecycle" "startupProbe" "livenessProbe" "readinessProbe" "resources" "securityContext" }}
{{- with get $pdp $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
ports:
  - name: http
    containerPort: {{ .Values.global.policyAgent.pdp.port }}
volumeMounts:
  - name: policies
    mountPath: /etc/policy-agent
    readOnly: true
  {{- with $pdp.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* How the PDP's pods are spread; a constraint without a selector is about them. */}}
{{- define "policy-agent.topologySpreadConstraints" -}}
{{- $selector := dict "matchLabels" (include "policy-agent.selectorLabels" . | fromYaml) -}}
{{- range .Values.pdp.topologySpreadConstraints }}
- {{ merge (dict) . (dict "labelSelector" $selector) | toYaml | nindent 2 | trim }}
{{- end }}
{{- end -}}
