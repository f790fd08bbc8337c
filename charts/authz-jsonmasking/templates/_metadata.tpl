{{- define "authz-jsonmasking.selectorLabels" -}}
app.kubernetes.io/name: {{ include "authz-jsonmasking.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* What tells the Service of the metrics from the one that callers use. */}}
{{- define "authz-jsonmasking.metricsLabels" -}}
app.kubernetes.io/component: metrics
{{- end -}}

{{/* The labels that every resource has. */}}
{{- define "authz-jsonmasking.labels" -}}
{{ include "authz-jsonmasking.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/component: authorizer
app.kubernetes.io/part-of: {{ include "authz-jsonmasking.name" . | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" | quote }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/*
The metadata of a resource.
Takes a map: context; name, where it is not that of the release's resources; labels and annotations of this resource.
*/}}
{{- define "authz-jsonmasking.metadata" -}}
{{- $labels := merge (dict) (.labels | default dict) (include "authz-jsonmasking.labels" .context | fromYaml) -}}
{{- $annotations := merge (dict) (.annotations | default dict) .context.Values.commonAnnotations -}}
name: {{ .name | default (include "authz-jsonmasking.fullname" .context) | quote }}
namespace: {{ include "authz-jsonmasking.namespace" .context | quote }}
labels:
  {{- toYaml $labels | nindent 2 }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
