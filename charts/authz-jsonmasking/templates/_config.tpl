{{/* What the service's own schema says of each key, as JSON; generated from it. */}}
{{- define "authz-jsonmasking.configReference" -}}
{{- .Files.Get "files/config-reference.json" -}}
{{- end -}}

{{/* The policy file is mounted beside the configuration, from wherever it comes. Prints nothing where there is none. */}}
{{- define "authz-jsonmasking.policyFile" -}}
{{- with .Values -}}
{{- if or .policies .existingPoliciesConfigMap .existingPoliciesSecret -}}policies.yaml{{- end -}}
{{- end -}}
{{- end -}}

{{/* The agent's own PDP, if an umbrella chart has one, as keys of the configuration. */}}
{{- define "authz-jsonmasking.agentPdp" -}}
{{- $pdp := ((.Values.global | default dict).policyAgent | default dict).pdp | default dict -}}
{{- if $pdp.host -}}
{{- $protocol := $pdp.protocol | default "resolution" -}}
{{- if eq $protocol "resolution" -}}
pdpHost: {{ tpl $pdp.host . | quote }}
{{- with $pdp.port }}
pdpPort: {{ . }}
{{- end }}
{{- else -}}
pdpProtocol: {{ $protocol | quote }}
pdpUrl: {{ include "authz-jsonmasking.agentPdpUrl" . | quote }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* The address of the agent's PDP for the protocols of which `pdpUrl` has it: with `opa`, that of the document. */}}
{{- define "authz-jsonmasking.agentPdpUrl" -}}
{{- with .Values.global.policyAgent.pdp -}}
{{- $host := tpl .host $ -}}
{{- ternary $host (printf "http://%s" $host) (contains "://" $host) -}}
{{- with .port }}:{{ . }}{{ end -}}
{{- if and (eq .protocol "opa") .document }}/v1/data/{{ regexReplaceAll "/+" .document "/" | trimAll "/" }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* The PDP where the configuration names none: the policy file, else the agent's own. */}}
{{- define "authz-jsonmasking.defaultPdp" -}}
{{- $policyFile := include "authz-jsonmasking.policyFile" . -}}
{{- if $policyFile -}}
policyFile: {{ $policyFile | quote }}
{{- else -}}
{{- include "authz-jsonmasking.agentPdp" . -}}
{{- end -}}
{{- end -}}

{{/* The configuration in the values, as JSON; null means that a key is not given. */}}
{{- define "authz-jsonmasking.writtenConfig" -}}
{{- $written := .Values.config | default dict | toJson | fromJson -}}
{{- include "authz-jsonmasking.dropNulls" $written -}}
{{- toJson $written -}}
{{- end -}}

{{/* Removes the keys without a value from a map, and from the maps in it. */}}
{{- define "authz-jsonmasking.dropNulls" -}}
{{- range $key, $value := . -}}
{{- if kindIs "map" $value -}}
{{- include "authz-jsonmasking.dropNulls" $value -}}
{{- else if kindIs "invalid" $value -}}
{{- $_ := unset $ $key -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The port that the service listens on. */}}
{{- define "authz-jsonmasking.port" -}}
{{- with .Values.config }}{{ with .port }}{{ . }}{{ end }}{{ end -}}
{{- end -}}

{{/* The address of the PDP in the configuration, whose templates are filled in, as JSON. */}}
{{- define "authz-jsonmasking.givenPdp" -}}
{{- $addresses := dict -}}
{{- range $key, $value := pick (.Values.config | default dict) "pdpUrl" "pdpHost" -}}
{{- if kindIs "string" $value -}}
{{- $_ := set $addresses $key (tpl $value $) -}}
{{- end -}}
{{- end -}}
{{- toJson $addresses -}}
{{- end -}}

{{/* The configuration that the service gets, as JSON. */}}
{{- define "authz-jsonmasking.config" -}}
{{- $config := mergeOverwrite (include "authz-jsonmasking.writtenConfig" . | fromJson) (include "authz-jsonmasking.givenPdp" . | fromJson) -}}
{{- if not (or $config.pdpUrl $config.pdpHost $config.policyFile) -}}
{{- $config = mergeOverwrite $config (include "authz-jsonmasking.defaultPdp" . | fromYaml) -}}
{{- end -}}
{{- toJson $config -}}
{{- end -}}

{{/* The configuration as YAML, in which Helm loses line breaks at the end: then it is JSON, which is YAML, too. */}}
{{- define "authz-jsonmasking.configText" -}}
{{- $config := include "authz-jsonmasking.config" . | fromJson -}}
{{- $text := toYaml $config -}}
{{- if hasSuffix "\n" $text }}{{ include "authz-jsonmasking.jsonText" $config }}{{ else }}{{ $text }}{{ end -}}
{{- end -}}

{{/* A value as JSON that is YAML, too: that allows a byte order mark only as an escape. */}}
{{- define "authz-jsonmasking.jsonText" -}}
{{- toPrettyJson . | replace "\ufeff" "\\ufeff" -}}
{{- end -}}

{{/*
Changes with the configuration, so that the pods restart when it changes. The service reads policies again by itself.
*/}}
{{- define "authz-jsonmasking.configChecksum" -}}
{{- list (include "authz-jsonmasking.config" .) (include "authz-jsonmasking.existingData" .) | join "\n" | sha256sum -}}
{{- end -}}

{{/*
The name and the data of the ConfigMap that exists already. `lookup` sees the data only when Helm talks to a cluster in
which it exists and Helm may read it. Policies in it are for the service to read again.
*/}}
{{- define "authz-jsonmasking.existingData" -}}
{{- with .Values.existingConfigMap }}
ConfigMap {{ . }} {{ omit ((lookup "v1" "ConfigMap" (include "authz-jsonmasking.namespace" $) .).data | default dict) "policies.yaml" | toJson }}
{{- end -}}
{{- end -}}

{{/*
The key of the policies in the ConfigMap, which changes with the configuration: policies may be right only with the configuration
that came with them. The kubelet does not update a volume that names a key which is not there, so that pods of another
configuration keep the policies that they have.
*/}}
{{- define "authz-jsonmasking.policiesKey" -}}
{{- if .Values.existingConfigMap -}}
policies.yaml
{{- else -}}
{{- include "authz-jsonmasking.config" . | sha256sum | trunc 10 | printf "policies-%s.yaml" -}}
{{- end -}}
{{- end -}}

{{/*
Policies as YAML. Helm breaks texts of more than 80 columns, without quotes. In a list that could be a dash that somebody forgot, which the
PDP refuses; and line breaks at the end get lost. Then they are JSON, which is YAML, too.
*/}}
{{- define "authz-jsonmasking.policyText" -}}
{{- $text := toYaml . -}}
{{- $isJson := hasSuffix "\n" $text -}}
{{- range regexFindAll "(?m)^ *- .*$" $text -1 -}}
{{- $isJson = or $isJson (gt (len .) 80) -}}
{{- end -}}
{{- if $isJson }}{{ include "authz-jsonmasking.jsonText" . }}{{ else }}{{ $text }}{{ end -}}
{{- end -}}

{{/* The data of the ConfigMap. */}}
{{- define "authz-jsonmasking.configMapData" -}}
{{- if not .Values.existingConfigMap }}
config.yaml: |
  {{- include "authz-jsonmasking.configText" . | nindent 2 }}
{{- end }}
{{- with .Values.policies }}
{{ include "authz-jsonmasking.policiesKey" $ }}: |
  {{- include "authz-jsonmasking.policyText" . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A key of the configuration, or its default in the service's schema, as text. Takes a map: context, key. */}}
{{- define "authz-jsonmasking.configValue" -}}
{{- $config := include "authz-jsonmasking.config" .context | fromJson -}}
{{- range (include "authz-jsonmasking.configReference" .context | fromJson).keys -}}
{{- if eq .key $.key -}}
{{- $group := $config -}}
{{- range initial .path -}}
{{- $group = get $group . | default dict -}}
{{- end -}}
{{- $value := index $group (last .path) -}}
{{- if not (kindIs "invalid" $value) }}{{ $value }}{{ else if hasKey . "default" }}{{ .default }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The port of the metrics; nothing where the service has none. */}}
{{- define "authz-jsonmasking.metricsPort" -}}
{{- dig "metrics" "port" "" (include "authz-jsonmasking.writtenConfig" . | fromJson) -}}
{{- end -}}

{{/* The port of the listener for health checks alone; nothing if the service has none. */}}
{{- define "authz-jsonmasking.healthPort" -}}
{{- dig "health" "port" "" (include "authz-jsonmasking.writtenConfig" . | fromJson) -}}
{{- end -}}

{{/* The name of the port for health checks: that of the metrics if one listener serves both; nothing if there is none. */}}
{{- define "authz-jsonmasking.healthPortName" -}}
{{- with include "authz-jsonmasking.healthPort" . -}}
{{- ternary "metrics" "health" (eq . (include "authz-jsonmasking.metricsPort" $)) -}}
{{- end -}}
{{- end -}}

{{/* The port of the reverse proxy; nothing if it is not opened. */}}
{{- define "authz-jsonmasking.proxyPort" -}}
{{- dig "proxy" "port" "" (include "authz-jsonmasking.writtenConfig" . | fromJson) -}}
{{- end -}}

{{/* The port of the external processor of Envoy; nothing if it is not opened. */}}
{{- define "authz-jsonmasking.extProcPort" -}}
{{- dig "extProc" "port" "" (include "authz-jsonmasking.writtenConfig" . | fromJson) -}}
{{- end -}}

{{/* The scheme that the service is called by: http, or https where the configuration has a certificate for it. */}}
{{- define "authz-jsonmasking.scheme" -}}
{{- $certificate := dig "tls" "certFile" "" (include "authz-jsonmasking.writtenConfig" . | fromJson) -}}
{{- ternary "http" "https" (empty $certificate) -}}
{{- end -}}
