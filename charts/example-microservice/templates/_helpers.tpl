{{- define "example-microservice.selectorLabels" -}}
app.kubernetes.io/name: orders
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* The program: one that calls the authorizer, or one that leaves masking to the proxy beside it. */}}
{{- define "example-microservice.program" -}}
{{- ternary "plain-orders.mjs" "orders.mjs" (not (empty (include "authz-jsonmasking.sidecar.targetPort" .))) -}}
{{- end -}}

{{- define "example-microservice.labels" -}}
{{ include "example-microservice.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" | quote }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The metadata of a resource. */}}
{{- define "example-microservice.metadata" -}}
name: {{ .Release.Name }}-orders
namespace: {{ .Release.Namespace | quote }}
labels:
  {{- include "example-microservice.labels" . | fromYaml | toYaml | nindent 2 }}
{{- with .Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Stops an installation whose proxy would pass requests on to another port than that of the microservice. */}}
{{- define "example-microservice.checkUpstream" -}}
{{- $authorizer := index .Values "authz-jsonmasking" -}}
{{- $proxy := ($authorizer.config | default dict).proxy | default dict -}}
{{- $upstream := $proxy.upstream | default $authorizer.sidecar.proxy.upstream -}}
{{- if ne (include "authz-jsonmasking.urlPort" $upstream) (toString .Values.port) -}}
{{- fail (printf "port must be that of authz-jsonmasking.sidecar.proxy.upstream, to which the proxy passes requests on: %s" $upstream) -}}
{{- end -}}
{{- end -}}

{{/* Stops an installation whose two containers would listen on one port of their pod. */}}
{{- define "example-microservice.checkPorts" -}}
{{- $authorizer := index .Values "authz-jsonmasking" -}}
{{- $ports := dict "config.port" ($authorizer.config | default dict).port "sidecar.healthPort" $authorizer.sidecar.healthPort -}}
{{- range $name, $port := $ports -}}
{{- if eq (toString $port) (toString $.Values.port) -}}
{{- fail (printf "port must differ from authz-jsonmasking.%s: both containers are in one pod" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The secrets for both images. */}}
{{- define "example-microservice.imagePullSecrets" -}}
{{- $secrets := include "authz-jsonmasking.sidecar.imagePullSecrets" . | fromYamlArray -}}
{{- range .Values.imagePullSecrets -}}
{{- $secrets = append $secrets (ternary . (dict "name" .) (kindIs "map" .)) -}}
{{- end -}}
{{- with uniq $secrets }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{/* How the pods are spread; a constraint without a selector is about them. */}}
{{- define "example-microservice.topologySpreadConstraints" -}}
{{- $selector := dict "matchLabels" (include "example-microservice.selectorLabels" . | fromYaml) -}}
{{- range .Values.topologySpreadConstraints }}
- {{ merge (dict) . (dict "labelSelector" $selector) | toYaml | nindent 2 | trim }}
{{- end }}
{{- end -}}
