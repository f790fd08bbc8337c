{{/*
Gives keys without a value their default, once for each manifest, before it reads any. A values file may have a key whose lines are all
commented out; Helm removes such a value, and all that is in it. A key without a value that has no default is as good as not there: of a
limit, Kubernetes would make 0.
*/}}
{{- define "policy-agent.defaults" -}}
{{- range .Files.Get "files/defaults.json" | fromJsonArray -}}
{{- $group := $.Values -}}
{{- range initial .path -}}
{{- $group = index $group . -}}
{{- end -}}
{{- if kindIs "invalid" (index $group (last .path)) -}}
{{- $_ := set $group (last .path) .value -}}
{{- end -}}
{{- end -}}
{{- range $group := list .Values.pdp .Values.pdp.opa .Values.test -}}
{{- range pick $group "resources" "startupProbe" "livenessProbe" "readinessProbe" -}}
{{- if kindIs "map" . }}{{ include "policy-agent.dropNulls" . }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Removes the keys without a value from a map, and from the maps in it. */}}
{{- define "policy-agent.dropNulls" -}}
{{- range $key, $value := . -}}
{{- if kindIs "map" $value -}}
{{- include "policy-agent.dropNulls" $value -}}
{{- else if kindIs "invalid" $value -}}
{{- $_ := unset $ $key -}}
{{- end -}}
{{- end -}}
{{- end -}}
