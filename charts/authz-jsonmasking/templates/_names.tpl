{{/* The name of the chart, by which its pods are selected. */}}
{{- define "authz-jsonmasking.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of the release's resources; a release that is called like the chart does not repeat it. */}}
{{- define "authz-jsonmasking.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- default $full .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of the Service that Prometheus finds the metrics by. */}}
{{- define "authz-jsonmasking.metricsName" -}}
{{ include "authz-jsonmasking.fullname" . }}-metrics
{{- end -}}

{{- define "authz-jsonmasking.serviceAccountName" -}}
{{- $own := ternary (include "authz-jsonmasking.fullname" .) "default" .Values.serviceAccount.create -}}
{{- default $own .Values.serviceAccount.name -}}
{{- end -}}

{{/* The port of the Service. */}}
{{- define "authz-jsonmasking.servicePort" -}}
{{- default (include "authz-jsonmasking.port" .) .Values.service.port -}}
{{- end -}}


{{/* The namespace of every resource. */}}
{{- define "authz-jsonmasking.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end -}}
