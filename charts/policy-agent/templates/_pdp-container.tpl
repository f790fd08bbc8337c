{{/* The container of the PDP: the embedded one of the authorizer, or OPA. */}}
{{- define "policy-agent.pdpContainer" -}}
{{- $pdp := .Values.pdp -}}
{{- $opa := eq (include "policy-agent.protocol" .) "opa" -}}
{{- $runtime := ternary $pdp.opa $pdp $opa -}}
name: pdp
image: {{ include "policy-agent.image" . | quote }}
imagePullPolicy: {{ $runtime.image.pullPolicy | quote }}
{{- with $runtime.command }}
command:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with include "policy-agent.pdpArguments" (dict "context" . "arguments" $runtime.args) | trim }}
args:
  {{- . | nindent 2 }}
{{- end }}
{{- range $field := list "startupProbe" "livenessProbe" "readinessProbe" }}
{{- with get $runtime $field }}
{{ $field }}:
  {{- /* Another handler is in the place of the chart's own, with which Helm merges it. */}}
  {{- ternary (omit . "httpGet") . (not (empty (or .exec .grpc .tcpSocket))) | toYaml | nindent 2 }}
{{- end }}
{{- end }}
{{- range $field := list "env" "envFrom" "lifecycle" "resources" "securityContext" }}
{{- with get $pdp $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
ports:
  - name: http
    containerPort: {{ .Values.global.policyAgent.pdp.port }}
{{- with include "policy-agent.pdpMounts" . | trim }}
volumeMounts:
  {{- . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Arguments, and those that tell OPA where its files are. Takes a map: context, arguments. */}}
{{- define "policy-agent.pdpArguments" -}}
{{- range .arguments }}
- {{ tpl . $.context | quote }}
{{- end }}
{{- if eq (include "policy-agent.protocol" .context) "opa" }}
{{- if include "policy-agent.opaConfigured" .context }}
- --config-file=/etc/opa/config.yaml
{{- end }}
{{- if include "policy-agent.opaAuthorized" .context }}
- --authorization=basic
- /etc/opa-authz
{{- end }}
{{- if include "policy-agent.opaWatches" .context }}
- --watch
{{- end }}
{{- if include "policy-agent.hasPolicies" .context }}
- /etc/policy-agent
{{- end }}
{{- end }}
{{- end -}}

{{- define "policy-agent.pdpMounts" -}}
{{- $opa := eq (include "policy-agent.protocol" .) "opa" -}}
{{- if include "policy-agent.hasPolicies" . }}
- name: policies
  mountPath: /etc/policy-agent
  readOnly: true
{{- end }}
{{- if and $opa (include "policy-agent.opaConfigured" .) }}
- name: config
  mountPath: /etc/opa
  readOnly: true
{{- end }}
{{- if include "policy-agent.opaAuthorized" . }}
- name: authz
  mountPath: /etc/opa-authz
  readOnly: true
{{- end }}
{{- with .Values.pdp.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* How the PDP's pods are spread; a constraint without a selector is about them. */}}
{{- define "policy-agent.topologySpreadConstraints" -}}
{{- $selector := dict "matchLabels" (include "policy-agent.selectorLabels" . | fromYaml) -}}
{{- range .Values.pdp.topologySpreadConstraints }}
- {{ merge (dict) . (dict "labelSelector" $selector) | toYaml | nindent 2 | trim }}
{{- end }}
{{- end -}}
