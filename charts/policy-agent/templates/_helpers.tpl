{{- define "policy-agent.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of the PDP's resources, by which the authorizer finds it. */}}
{{- define "policy-agent.pdpName" -}}
{{- tpl .Values.global.policyAgent.pdp.host . -}}
{{- end -}}

{{- define "policy-agent.selectorLabels" -}}
app.kubernetes.io/name: {{ include "policy-agent.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: pdp
{{- end -}}

{{- define "policy-agent.labels" -}}
{{ include "policy-agent.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ include "policy-agent.name" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The metadata of a resource of the PDP. Takes a map: context; annotations of this resource. */}}
{{- define "policy-agent.metadata" -}}
name: {{ include "policy-agent.pdpName" .context }}
namespace: {{ .context.Release.Namespace }}
labels:
  {{- include "policy-agent.labels" .context | nindent 2 }}
{{- with merge (dict) (.annotations | default dict) .context.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "policy-agent.image" -}}
{{- with .Values.pdp.image -}}
{{- $registry := default .registry $.Values.global.imageRegistry -}}
{{- $repository := compact (list $registry .repository) | join "/" -}}
{{- $tagged := printf "%s:%s" $repository (default $.Chart.AppVersion .tag) -}}
{{- ternary (printf "%s@%s" $repository .digest) $tagged (not (empty .digest)) -}}
{{- end -}}
{{- end -}}

{{- define "policy-agent.imagePullSecrets" -}}
{{- $secrets := list -}}
{{- range concat (.Values.global.imagePullSecrets | default list) .Values.imagePullSecrets -}}
{{- $secrets = append $secrets (ternary . (dict "name" .) (kindIs "map" .)) -}}
{{- end -}}
{{- with uniq $secrets }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{/* Where the policies are mounted from: their own ConfigMap, or what exists already. */}}
{{- define "policy-agent.policiesVolume" -}}
{{- with .Values.pdp -}}
{{- if .existingPoliciesSecret -}}
secret:
  secretName: {{ .existingPoliciesSecret }}
{{- else -}}
configMap:
  name: {{ default (include "policy-agent.pdpName" $) .existingPoliciesConfigMap }}
{{- end -}}
{{- end -}}
{{- end -}}
