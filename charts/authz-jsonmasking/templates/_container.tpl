{{- define "authz-jsonmasking.image" -}}
{{- $registry := default .Values.image.registry (.Values.global | default dict).imageRegistry -}}
{{- $repository := compact (list ($registry | default "" | trimSuffix "/") .Values.image.repository) | join "/" -}}
{{- $tagged := printf "%s:%s" $repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- ternary (printf "%s@%s" $repository .Values.image.digest) $tagged (not (empty .Values.image.digest)) -}}
{{- end -}}

{{- define "authz-jsonmasking.imagePullSecrets" -}}
{{- $secrets := list -}}
{{- range concat ((.Values.global | default dict).imagePullSecrets | default list) .Values.imagePullSecrets -}}
{{- $secrets = append $secrets (ternary . (dict "name" .) (kindIs "map" .)) -}}
{{- end -}}
{{- with uniq $secrets }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{/* What the container has in the Deployment and in a sidecar. */}}
{{- define "authz-jsonmasking.containerBase" -}}
image: {{ include "authz-jsonmasking.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy | quote }}
{{- /* What is wrong with a configuration shows in the status of the pod, too. */}}
terminationMessagePolicy: FallbackToLogsOnError
args:
  - --config
  - /etc/authz-jsonmasking/config.yaml
  {{- with (include "authz-jsonmasking.configMapData" . | printf "%s\n" | fromYaml) }}
  {{- with get . "config.yaml" }}
  {{- /* A container that starts again must not read the configuration of another revision. */}}
  - --config-sha256
  - {{ sha256sum . | quote }}
  {{- end }}
  {{- end }}
  {{- with .Values.extraArgs }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .Values.extraEnv }}
env:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.extraEnvFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - name: authz-jsonmasking-config
    mountPath: /etc/authz-jsonmasking
    readOnly: true
  {{- range $index, $certificate := .Values.certificates }}
  - name: authz-jsonmasking-certificates-{{ $index }}
    mountPath: {{ $certificate.mountPath | quote }}
    readOnly: true
  {{- end }}
  {{- if .Values.maskKeysSecret }}
  - name: authz-jsonmasking-mask-keys
    mountPath: /etc/authz-jsonmasking-mask-keys
    readOnly: true
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* The container of the Deployment. */}}
{{- define "authz-jsonmasking.container" -}}
name: authz-jsonmasking
{{ include "authz-jsonmasking.containerBase" . }}
ports:
  - name: http
    containerPort: {{ include "authz-jsonmasking.port" . }}
  {{- with include "authz-jsonmasking.metricsPort" . }}
  - name: metrics
    containerPort: {{ . }}
  {{- end }}
  {{- with include "authz-jsonmasking.extProcPort" . }}
  - name: ext-proc
    containerPort: {{ . }}
  {{- end }}
  {{- with include "authz-jsonmasking.proxyPort" . }}
  - name: proxy
    containerPort: {{ . }}
  {{- end }}
  {{- if eq (include "authz-jsonmasking.healthPortName" .) "health" }}
  - name: health
    containerPort: {{ include "authz-jsonmasking.healthPort" . }}
  {{- end }}
{{- include "authz-jsonmasking.probes" . }}
{{- with .Values.lifecycle }}
lifecycle:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The probes of the Deployment's container: at the listener for health checks, which has no TLS, if there is one. */}}
{{- define "authz-jsonmasking.probes" -}}
{{- $target := dict "port" "http" "scheme" (include "authz-jsonmasking.scheme" . | upper) -}}
{{- with include "authz-jsonmasking.healthPortName" . -}}
{{- $target = dict "port" . "scheme" "HTTP" -}}
{{- end -}}
{{- include "authz-jsonmasking.httpProbes" (dict "context" . "probes" .Values "target" $target) }}
{{- end -}}

{{/* Probes over HTTP. Takes a map: context; probes, their fields by name; target, the port and the scheme. */}}
{{- define "authz-jsonmasking.httpProbes" -}}
{{- range $name, $path := include "authz-jsonmasking.probePaths" .context | fromYaml }}
{{- with get $.probes $name }}
{{- $request := merge (dict "path" $path) $.target }}
{{ $name }}:
  {{- include "authz-jsonmasking.probe" (dict "fields" . "handler" (dict "httpGet" $request)) | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "authz-jsonmasking.probePaths" -}}
startupProbe: /health/liveness
livenessProbe: /health/liveness
readinessProbe: /health/readiness
{{- end -}}

{{/* A probe. Takes a map: fields, of the values; handler, where the fields have none. */}}
{{- define "authz-jsonmasking.probe" -}}
{{- $fields := deepCopy .fields -}}
{{- include "authz-jsonmasking.dropNulls" $fields -}}
{{- $handlers := pick $fields "exec" "grpc" "httpGet" "tcpSocket" -}}
{{- merge (dict) $fields (ternary .handler dict (empty $handlers)) | toYaml -}}
{{- end -}}

{{/* The volumes that the container mounts. The configuration and the policies meet in one folder. */}}
{{- define "authz-jsonmasking.volumes" -}}
- name: authz-jsonmasking-config
  projected:
    sources:
      {{- if or (not .Values.existingConfigMap) .Values.policies }}
      - configMap:
          name: {{ include "authz-jsonmasking.fullname" . | quote }}
          items:
            {{- if not .Values.existingConfigMap }}
            - key: config.yaml
              path: config.yaml
            {{- end }}
            {{- if .Values.policies }}
            - key: {{ include "authz-jsonmasking.policiesKey" . }}
              path: policies.yaml
            {{- end }}
      {{- end }}
      {{- with .Values.existingConfigMap }}
      - configMap:
          name: {{ . | quote }}
          items:
            - key: {{ $.Values.existingConfigMapKey | quote }}
              path: config.yaml
      {{- end }}
      {{- with .Values.existingPoliciesConfigMap }}
      - configMap:
          name: {{ . | quote }}
          items:
            - key: policies.yaml
              path: policies.yaml
      {{- end }}
      {{- with .Values.existingPoliciesSecret }}
      - secret:
          name: {{ . | quote }}
          items:
            - key: policies.yaml
              path: policies.yaml
      {{- end }}
{{- range $index, $certificate := .Values.certificates }}
- name: authz-jsonmasking-certificates-{{ $index }}
  secret:
    secretName: {{ $certificate.secretName | quote }}
    {{- with $certificate.items }}
    items:
      {{- toYaml . | nindent 6 }}
    {{- end }}
{{- end }}
{{- with .Values.maskKeysSecret }}
- name: authz-jsonmasking-mask-keys
  secret:
    secretName: {{ . | quote }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
