{{- define "example-microservice.selectorLabels" -}}
app.kubernetes.io/name: orders
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* The program: one that calls the authorizer, or one that leaves masking to the proxy beside it. */}}
{{- define "example-microservice.program" -}}
{{- ternary "files/plain-orders.mjs" "files/orders.mjs" (not (empty (include "authz-jsonmasking.sidecar.targetPort" .))) -}}
{{- end -}}

{{/* The metadata of a resource. */}}
{{- define "example-microservice.metadata" -}}
name: {{ .Release.Name }}-orders
namespace: {{ .Release.Namespace }}
labels:
  {{- include "example-microservice.selectorLabels" . | nindent 2 }}
  app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .Release.Service }}
  helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}
