{{/* The name of the chart, by which its pods are selected. */}}
{{- define "authz-jsonmasking.name" -}}
{{- regexReplaceAll "[-._]+$" (default .Chart.Name .Values.nameOverride | trunc 63) "" -}}
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

{{/* The names that nothing else in the release may have, each with the value that changes it. A sidecar has only a ConfigMap. */}}
{{- define "authz-jsonmasking.ownNames" -}}
{{- $name := include "authz-jsonmasking.fullname" . -}}
name {{ $name }}: fullnameOverride
{{- if .Values.enabled }}
{{- if include "authz-jsonmasking.metricsPort" . }}
name {{ include "authz-jsonmasking.metricsName" . }}: fullnameOverride
{{- end }}
{{- if .Values.dashboard.enabled }}
name {{ $name }}-dashboard: fullnameOverride
{{- end }}
{{- if .Values.serviceAccount.create }}
name {{ include "authz-jsonmasking.serviceAccountName" . }} for a ServiceAccount: {{ ternary "serviceAccount.name" "fullnameOverride" (not (empty .Values.serviceAccount.name)) }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
Stops the installation if another instance of the chart in the same release has the same name for its resources: the last would
overwrite the others, and services would load policies that are not theirs. One instance may be rendered twice, as by a
checksum of its file. Takes the context. `.Release` is one object for all charts of a release, so that it can hold the names
that are taken.
*/}}
{{- define "authz-jsonmasking.takeName" -}}
{{- $owner := list .Template.BasePath (include "authz-jsonmasking.configMapData" .) | join "\n" | sha256sum -}}
{{- range $taken, $value := include "authz-jsonmasking.ownNames" . | fromYaml -}}
{{- $place := printf "%s/%s" (include "authz-jsonmasking.namespace" $) $taken -}}
{{- if hasKey $.Release (printf "policy-agent.pdps/%s" $place) -}}
{{- printf "\n\nauthz-jsonmasking: the PDP of this release has the %s, too\n  - give the authorizer another %s\n" $taken $value | fail -}}
{{- end -}}
{{- $key := printf "authz-jsonmasking/%s" $place -}}
{{- if ne (get $.Release $key | default $owner) $owner -}}
{{- printf "\n\nauthz-jsonmasking: two instances in this release have the %s\n  - give each a %s of its own\n" $taken $value | fail -}}
{{- end -}}
{{- $_ := set $.Release $key $owner -}}
{{- end -}}
{{- end -}}

{{/*
Stops an upgrade that would select the pods of an installed Deployment by other labels. Kubernetes refuses that, but Helm has
given its Service the new labels by then, with which that finds no pods. `lookup` sees the Deployment only when Helm talks to a
cluster.
*/}}
{{- define "authz-jsonmasking.keepSelector" -}}
{{- $name := include "authz-jsonmasking.fullname" . -}}
{{- $labels := dig "spec" "selector" "matchLabels" dict (lookup "apps/v1" "Deployment" (include "authz-jsonmasking.namespace" .) $name) -}}
{{- if and $labels (ne (toJson $labels) (include "authz-jsonmasking.selectorLabels" . | fromYaml | toJson)) -}}
{{- printf "\n\nauthz-jsonmasking: nameOverride changes the labels by which the pods of the Deployment %s are selected, and Kubernetes refuses that\n  - leave it as it is, or give another fullnameOverride as well: then there is a new Deployment\n" $name | fail -}}
{{- end -}}
{{- end -}}

{{/*
Stops an upgrade that would make the Service of an installed release headless, or give it an address. Kubernetes refuses the one, after
Helm has changed the Deployment, and ignores the other.
*/}}
{{- define "authz-jsonmasking.keepClusterIp" -}}
{{- $name := include "authz-jsonmasking.fullname" . -}}
{{- $address := dig "spec" "clusterIP" "" (lookup "v1" "Service" (include "authz-jsonmasking.namespace" .) $name) -}}
{{- if and $address (ne (eq $address "None") (eq (toString .Values.service.clusterIP) "None")) -}}
{{- printf "\n\nauthz-jsonmasking: service.clusterIP changes whether the Service %s is headless, which Kubernetes does not do\n  - delete the Service before the upgrade, or leave the value as it is\n" $name | fail -}}
{{- end -}}
{{- end -}}

{{/*
Stops the installation if the pods of another instance of the chart in the same release have the same labels, whatever the
names of their resources: each Service would send requests to the pods of both, which enforce other policies.
*/}}
{{- define "authz-jsonmasking.takePods" -}}
{{- $name := include "authz-jsonmasking.name" . -}}
{{- $key := printf "authz-jsonmasking.pods/%s/%s" (include "authz-jsonmasking.namespace" .) $name -}}
{{- if ne (get .Release $key | default .Template.BasePath) .Template.BasePath -}}
{{- printf "\n\nauthz-jsonmasking: the pods of two instances in this release have the label app.kubernetes.io/name: %s\n  - give each a nameOverride of its own, otherwise its Service finds the pods of both\n" $name | fail -}}
{{- end -}}
{{- $_ := set .Release $key .Template.BasePath -}}
{{- end -}}
