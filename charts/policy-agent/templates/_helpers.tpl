{{- define "policy-agent.name" -}}
{{- regexReplaceAll "[-._]+$" (default .Chart.Name .Values.nameOverride | trunc 63) "" -}}
{{- end -}}

{{/* The name of the PDP's resources, by which the authorizer finds it. */}}
{{- define "policy-agent.pdpName" -}}
{{- tpl .Values.global.policyAgent.pdp.host . -}}
{{- end -}}

{{/*
Stops an upgrade that would select the pods of an installed Deployment by other labels. Kubernetes refuses that, but Helm has
given its Service the new labels by then, with which that finds no pods. `lookup` sees the Deployment only when Helm talks to a
cluster.
*/}}
{{- define "policy-agent.keepSelector" -}}
{{- $name := include "policy-agent.pdpName" . -}}
{{- $labels := dig "spec" "selector" "matchLabels" dict (lookup "apps/v1" "Deployment" (include "policy-agent.namespace" .) $name) -}}
{{- if and $labels (ne (toJson $labels) (include "policy-agent.selectorLabels" . | fromYaml | toJson)) -}}
{{- printf "\n\npolicy-agent: nameOverride changes the labels by which the pods of the Deployment %s are selected, and Kubernetes refuses that\n  - leave it as it is, or give another global.policyAgent.pdp.host as well: then there is a new Deployment\n" $name | fail -}}
{{- end -}}
{{- end -}}

{{/*
Stops an upgrade that would make the Service of an installed PDP headless, or give it an address. Kubernetes refuses the one, after Helm
has changed the Deployment, and ignores the other.
*/}}
{{- define "policy-agent.keepClusterIp" -}}
{{- $name := include "policy-agent.pdpName" . -}}
{{- $address := dig "spec" "clusterIP" "" (lookup "v1" "Service" (include "policy-agent.namespace" .) $name) -}}
{{- if and $address (ne (eq $address "None") (eq (toString .Values.pdp.service.clusterIP) "None")) -}}
{{- printf "\n\npolicy-agent: pdp.service.clusterIP changes whether the Service %s is headless, which Kubernetes does not do\n  - delete the Service before the upgrade, or leave the value as it is\n" $name | fail -}}
{{- end -}}
{{- end -}}

{{/* The names that nothing else in the release may have, each with the value that changes it. */}}
{{- define "policy-agent.ownNames" -}}
{{- $name := include "policy-agent.pdpName" . -}}
{{- $host := "global.policyAgent.pdp.host" -}}
name {{ $name }}: {{ $host }}
{{- if and (eq (include "policy-agent.protocol" .) "opa") .Values.pdp.opa.config }}
name {{ $name }}-config: {{ $host }}
{{- end }}
{{- if include "policy-agent.opaAuthorized" . }}
name {{ $name }}-authz: {{ $host }}
{{- end }}
{{- if .Values.pdp.serviceAccount.create }}
name {{ include "policy-agent.serviceAccountName" . }} for a ServiceAccount: {{ ternary "pdp.serviceAccount.name" $host (not (empty .Values.pdp.serviceAccount.name)) }}
{{- end }}
{{- end -}}

{{/*
Stops the installation if the PDP of another agent in the same release has the same name, or pods with the same labels: one would
overwrite the other, or its Service would find the pods of both. `.Release` is one object for all charts of a release.
*/}}
{{- define "policy-agent.takePdp" -}}
{{- $namespace := include "policy-agent.namespace" . -}}
{{- range $taken, $value := include "policy-agent.ownNames" . | fromYaml -}}
{{- if hasKey $.Release (printf "authz-jsonmasking/%s/%s" $namespace $taken) -}}
{{- printf "\n\npolicy-agent: an authorizer in this release has the %s, too\n  - give the PDP another %s\n" $taken $value | fail -}}
{{- end -}}
{{- $key := printf "policy-agent.pdps/%s/%s" $namespace $taken -}}
{{- include "policy-agent.takeKey" (dict "context" $ "key" $key "taken" $taken "value" $value) -}}
{{- end -}}
{{- /* Authorizers take the same keys for their pods. */ -}}
{{- $name := include "policy-agent.name" . -}}
{{- $key := printf "authz-jsonmasking.pods/%s/%s" $namespace $name -}}
{{- include "policy-agent.takeKey" (dict "context" . "key" $key "taken" (printf "name %s" $name) "value" "nameOverride") -}}
{{- end -}}

{{/* Takes a key of the release, which no other instance may have. Takes a map: context, key; taken and value, for the message. */}}
{{- define "policy-agent.takeKey" -}}
{{- $owner := .context.Template.BasePath -}}
{{- if ne (get .context.Release .key | default $owner) $owner -}}
{{- printf "\n\npolicy-agent: the PDP and the pods of another instance in this release have the %s\n  - give each a %s of its own, otherwise requests reach the other\n" .taken .value | fail -}}
{{- end -}}
{{- $_ := set .context.Release .key $owner -}}
{{- end -}}

{{- define "policy-agent.serviceAccountName" -}}
{{- $own := ternary (include "policy-agent.pdpName" .) "default" .Values.pdp.serviceAccount.create -}}
{{- default $own .Values.pdp.serviceAccount.name -}}
{{- end -}}

{{- define "policy-agent.selectorLabels" -}}
app.kubernetes.io/name: {{ include "policy-agent.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/component: pdp
{{- end -}}

{{- define "policy-agent.labels" -}}
{{ include "policy-agent.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ include "policy-agent.name" . | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" | quote }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The metadata of a resource of the PDP. Takes a map: context; name, if it has another; labels and annotations of this resource. */}}
{{- define "policy-agent.metadata" -}}
name: {{ .name | default (include "policy-agent.pdpName" .context) | quote }}
namespace: {{ include "policy-agent.namespace" .context | quote }}
labels:
  {{- merge (dict) (.labels | default dict) (include "policy-agent.labels" .context | fromYaml) | toYaml | nindent 2 }}
{{- with merge (dict) (.annotations | default dict) .context.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* What the PDP speaks, in the words of the service's `pdpProtocol`. */}}
{{- define "policy-agent.protocol" -}}
{{- .Values.global.policyAgent.pdp.protocol | default "resolution" -}}
{{- end -}}

{{/* The name of an image. Takes a map: context, image. */}}
{{- define "policy-agent.imageOf" -}}
{{- $registry := default .image.registry .context.Values.global.imageRegistry -}}
{{- $repository := compact (list ($registry | default "" | trimSuffix "/") .image.repository) | join "/" -}}
{{- $tagged := printf "%s:%s" $repository (default .context.Chart.AppVersion .image.tag) -}}
{{- ternary (printf "%s@%s" $repository .image.digest) $tagged (not (empty .image.digest)) -}}
{{- end -}}

{{/* The image of the PDP. */}}
{{- define "policy-agent.image" -}}
{{- $image := ternary .Values.pdp.opa.image .Values.pdp.image (eq (include "policy-agent.protocol" .) "opa") -}}
{{- include "policy-agent.imageOf" (dict "context" . "image" $image) -}}
{{- end -}}

{{/* The path of OPA's document, without the first slash. OPA redirects a path that has more slashes than it needs. */}}
{{- define "policy-agent.opaPath" -}}
v1/data/{{ regexReplaceAll "/+" .Values.global.policyAgent.pdp.document "/" | trimAll "/" }}
{{- end -}}

{{/* The paths that an Ingress leads to: those that decisions are asked for at. */}}
{{- define "policy-agent.decisionPaths" -}}
{{- $protocol := include "policy-agent.protocol" . -}}
{{- if eq $protocol "opa" -}}
- path: /{{ include "policy-agent.opaPath" . }}
{{- else if eq $protocol "authzen" -}}
- path: /access/v1/evaluation
- path: /access/v1/evaluations
{{- else -}}
- path: /api/runtime/resolution/v3
- path: /api/runtime/token/v3
{{- end -}}
{{- end -}}

{{/* The namespace of every resource. */}}
{{- define "policy-agent.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end -}}

{{- define "policy-agent.imagePullSecrets" -}}
{{- $secrets := list -}}
{{- range concat (.Values.global.imagePullSecrets | default list) .Values.imagePullSecrets -}}
{{- $secrets = append $secrets (ternary . (dict "name" .) (kindIs "map" .)) -}}
{{- end -}}
{{- with uniq $secrets }}{{ toYaml . }}{{ end -}}
{{- end -}}
