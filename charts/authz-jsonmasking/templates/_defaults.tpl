{{/*
Gives keys without a value their default, once for each manifest, before it reads any. A values file may have a key whose lines are all
commented out; Helm removes such a value, and all that is in it. A key without a value that has no default is as good as not there: of a
limit, Kubernetes would make 0.
*/}}
{{- define "authz-jsonmasking.defaults" -}}
{{- range .Files.Get "files/defaults.json" | fromJsonArray -}}
{{- $group := $.Values -}}
{{- range initial .path -}}
{{- $group = index $group . -}}
{{- end -}}
{{- if kindIs "invalid" (index $group (last .path)) -}}
{{- $_ := set $group (last .path) .value -}}
{{- end -}}
{{- end -}}
{{- range list .Values.resources .Values.sidecar.resources .Values.test.resources -}}
{{- if kindIs "map" . }}{{ include "authz-jsonmasking.dropNulls" . }}{{ end -}}
{{- end -}}
{{- end -}}
