{{/*
The service beside a microservice, in its pod. A microservice's chart lists this chart as a dependency, sets its value
`enabled` to false, and includes the templates of this file. Each takes the microservice chart's own context, or that of
this chart where it goes by an alias there: `(index .Subcharts "the-alias")`.

  authz-jsonmasking.sidecar.configMap        a manifest of its own
  authz-jsonmasking.sidecar.annotations      for the pod template
  authz-jsonmasking.sidecar.initContainers   list items for `initContainers`: the native sidecar, where the cluster has it
  authz-jsonmasking.sidecar.containers       list items for `containers`: the plain container, where it has not
  authz-jsonmasking.sidecar.volumes          list items for `volumes`
  authz-jsonmasking.sidecar.imagePullSecrets list items for `imagePullSecrets`: those of this chart's image
  authz-jsonmasking.sidecar.url              where the microservice reaches it
  authz-jsonmasking.sidecar.targetPort       the port of the proxy for the Service of the microservice; nothing without `sidecar.proxy`
  authz-jsonmasking.sidecar.proxyPort        its number, for probes of the microservice, which know the ports of their own container alone
*/}}

{{- define "authz-jsonmasking.sidecar.configMap" -}}
{{- include "authz-jsonmasking.sidecar.within" (list . "authz-jsonmasking.sidecarConfigMap") -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecar.annotations" -}}
{{- include "authz-jsonmasking.sidecar.within" (list . "authz-jsonmasking.sidecarAnnotations") -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecar.initContainers" -}}
{{- include "authz-jsonmasking.sidecar.within" (list . "authz-jsonmasking.sidecarNative") -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecar.containers" -}}
{{- include "authz-jsonmasking.sidecar.within" (list . "authz-jsonmasking.sidecarPlain") -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecar.volumes" -}}
{{- include "authz-jsonmasking.sidecar.within" (list . "authz-jsonmasking.volumes") -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecar.imagePullSecrets" -}}
{{- include "authz-jsonmasking.sidecar.within" (list . "authz-jsonmasking.imagePullSecrets") -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecar.url" -}}
{{- include "authz-jsonmasking.sidecar.within" (list . "authz-jsonmasking.sidecarUrl") -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecar.targetPort" -}}
{{- include "authz-jsonmasking.sidecar.within" (list . "authz-jsonmasking.sidecarTargetPort") -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecar.proxyPort" -}}
{{- include "authz-jsonmasking.sidecar.within" (list . "authz-jsonmasking.sidecarProxyPort") -}}
{{- end -}}

{{/*
Includes a template with the values of a sidecar, which listens on loopback only.
Takes a list: a context as described above, the template. Prints nothing where `sidecar.enabled` is false. Next to a Deployment
of its own (`enabled`), the sidecar has another ConfigMap. In an umbrella chart, the name of the microservice's chart is part of
its name: several may have one.
*/}}
{{- define "authz-jsonmasking.sidecar.within" -}}
{{- $given := first . -}}
{{- $context := get ($given.Subcharts | default dict) "authz-jsonmasking" | default $given -}}
{{- include "authz-jsonmasking.defaults" $context -}}
{{- if $context.Values.sidecar.enabled -}}
{{- $values := set (deepCopy $context.Values) "enabled" false -}}
{{- $config := include "authz-jsonmasking.sidecarConfig" $context | fromJson -}}
{{- if $context.Values.enabled -}}
{{- $own := include "authz-jsonmasking.fullname" $context | trunc 44 | trimSuffix "-" -}}
{{- $_ := set $values "fullnameOverride" (printf "%s-sidecar" $own) -}}
{{- else if not (or $context.Values.fullnameOverride $context.Values.nameOverride $given.Chart.IsRoot (eq $given.Chart.Name $context.Chart.Name)) -}}
{{- $_ := set $values "nameOverride" (printf "%s-%s" $given.Chart.Name $context.Chart.Name | lower | replace "_" "-" | trunc 63 | trimSuffix "-") -}}
{{- end -}}
{{- $sidecar := omit $context "Values" -}}
{{- $_ := set $sidecar "Values" (set $values "config" $config) -}}
{{- $_ := set $sidecar "isAlone" (not $context.Values.enabled) -}}
{{- include "authz-jsonmasking.validate" $sidecar -}}
{{- include (last .) $sidecar -}}
{{- end -}}
{{- end -}}

{{/*
The configuration of a sidecar: callers on loopback only, health checks at a port that the kubelet reaches. A native
sidecar stops after the microservice, which is its only caller, so it can stop at once. A plain container and a proxy are
asked to stop at the same time as the microservice, and keep serving until the microservice has stopped.
*/}}
{{- define "authz-jsonmasking.sidecarConfig" -}}
{{- $written := include "authz-jsonmasking.writtenConfig" . | fromJson -}}
{{- $health := dict "port" .Values.sidecar.healthPort -}}
{{- $own := dict "health" (merge (dict) ($written.health | default dict) $health) -}}
{{- if not .Values.existingConfigMap -}}
{{- $_ := set $own "host" "127.0.0.1" -}}
{{- with .Values.sidecar.proxy -}}
{{- if .enabled -}}
{{- $_ := set $own "proxy" (merge (dict) ($written.proxy | default dict) (pick . "port" "upstream")) -}}
{{- end -}}
{{- end -}}
{{- if not (hasKey $written "drainDelay") -}}
{{- $stopsLast := and (include "authz-jsonmasking.sidecarIsNative" .) (not .Values.sidecar.proxy.enabled) -}}
{{- $_ := set $own "drainDelay" (ternary 0 15000 (not (empty $stopsLast))) -}}
{{- end -}}
{{- end -}}
{{- mergeOverwrite $written $own | toJson -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecarConfigMap" -}}
{{- with include "authz-jsonmasking.configMapData" . | trim -}}
{{- include "authz-jsonmasking.takeName" $ -}}
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "authz-jsonmasking.metadata" (dict "context" $) | nindent 2 }}
data:
  {{- . | nindent 2 }}
{{- end -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecarAnnotations" -}}
checksum/authz-jsonmasking: {{ include "authz-jsonmasking.configChecksum" . | quote }}
{{- end -}}

{{- define "authz-jsonmasking.sidecarUrl" -}}
http://127.0.0.1:{{ include "authz-jsonmasking.port" . }}
{{- end -}}

{{- define "authz-jsonmasking.sidecarTargetPort" -}}
{{- with .Values.sidecar.proxy }}{{ if .enabled }}{{ .portName }}{{ end }}{{ end -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecarProxyPort" -}}
{{- with .Values.sidecar.proxy }}{{ if .enabled }}{{ dig "proxy" "port" .port $.Values.config }}{{ end }}{{ end -}}
{{- end -}}

{{/* Whether the sidecar is a native one. Prints nothing where it is not. */}}
{{- define "authz-jsonmasking.sidecarIsNative" -}}
{{- $has := semverCompare ">=1.29.0-0" .Capabilities.KubeVersion.Version -}}
{{- if or (eq .Values.sidecar.mode "native") (and (eq .Values.sidecar.mode "auto") $has) -}}native{{- end -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecarNative" -}}
{{- if include "authz-jsonmasking.sidecarIsNative" . -}}
- {{ include "authz-jsonmasking.sidecarContainer" . | nindent 2 | trim }}
  restartPolicy: Always
{{- end -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecarPlain" -}}
{{- if not (include "authz-jsonmasking.sidecarIsNative" .) -}}
- {{ include "authz-jsonmasking.sidecarContainer" . | nindent 2 | trim }}
{{- end -}}
{{- end -}}

{{/*
The lifecycle hooks of the sidecar. Kubernetes sends SIGTERM to a native sidecar only after the microservice has stopped. A proxy
has to know earlier: its clients keep connections open, and leave only if the answers carry `Connection: close`.
*/}}
{{- define "authz-jsonmasking.sidecarLifecycle" -}}
{{- if .Values.lifecycle -}}
{{- toYaml .Values.lifecycle -}}
{{- else if and .Values.sidecar.proxy.enabled (include "authz-jsonmasking.sidecarIsNative" .) -}}
preStop:
  exec:
    command: [node, --eval, 'process.kill(1, "SIGTERM")']
{{- end -}}
{{- end -}}

{{- define "authz-jsonmasking.sidecarContainer" -}}
name: {{ .Values.sidecar.name | quote }}
{{ include "authz-jsonmasking.containerBase" . }}
ports:
  - name: authz-health
    containerPort: {{ include "authz-jsonmasking.healthPort" . }}
  {{- with include "authz-jsonmasking.sidecarProxyPort" . }}
  - name: {{ $.Values.sidecar.proxy.portName | quote }}
    containerPort: {{ . }}
  {{- end }}
  {{- $metrics := include "authz-jsonmasking.metricsPort" . }}
  {{- if and $metrics (ne $metrics (include "authz-jsonmasking.healthPort" .)) }}
  - name: authz-metrics
    containerPort: {{ $metrics }}
  {{- end }}
{{- $target := dict "port" "authz-health" "scheme" "HTTP" }}
{{- include "authz-jsonmasking.httpProbes" (dict "context" . "probes" .Values.sidecar "target" $target) }}
{{- with include "authz-jsonmasking.sidecarLifecycle" . }}
lifecycle:
  {{- . | nindent 2 }}
{{- end }}
{{- with default .Values.resources .Values.sidecar.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
