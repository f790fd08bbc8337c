{{/*
Gives keys without a value their default, once for each manifest, before it reads any. A values file may have a key whose lines are all
commented out; Helm removes such a value, and all that is in it.
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
{{- end -}}
