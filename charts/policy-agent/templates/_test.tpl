{{/* The labels of the pod of `helm test`, which the Service must not select. */}}
{{- define "policy-agent.testLabels" -}}
app.kubernetes.io/name: {{ include "policy-agent.name" . | trunc 58 | trimSuffix "-" }}-test
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* The configuration of the enforcement that `helm test` asks the PDP by. A port is required, and nothing listens on it. */}}
{{- define "policy-agent.testConfig" -}}
{{- $protocol := include "policy-agent.protocol" . -}}
{{- $url := printf "http://%s.%s.svc:%v" (include "policy-agent.pdpName" .) (include "policy-agent.namespace" .) .Values.global.policyAgent.pdp.port -}}
{{- $config := dict "port" 0 "pdpProtocol" $protocol "pdpUrl" $url -}}
{{- if eq $protocol "opa" -}}
{{- $_ := set $config "pdpUrl" (printf "%s/%s" $url (include "policy-agent.opaPath" .)) -}}
{{- end -}}
{{- $names := index .Values "authz-jsonmasking" "config" | default dict -}}
{{- range $key := list "attrName" "object" -}}
{{- with get ($.Values.pdp.policies | default dict) $key | default (get $names $key) -}}
{{- $_ := set $config $key . -}}
{{- end -}}
{{- end -}}
{{- toJson $config -}}
{{- end -}}

{{/* What `helm test` has decided about, as JSON. OPA and AuthZEN decide about a user only. */}}
{{- define "policy-agent.sampleRequest" -}}
{{- $payload := dict "id" "c1" "name" "Ann Lee" -}}
{{- $vendor := ternary dict (dict "entityId" "jane") (eq (include "policy-agent.protocol" .) "resolution") -}}
{{- default (dict "parameters" dict "vendor" $vendor "json" $payload) .Values.test.request | toRawJson -}}
{{- end -}}

{{- define "policy-agent.testEnv" -}}
- name: CONFIG
  value: {{ include "policy-agent.testConfig" . | replace "$" "$$" | quote }}
- name: REQUEST
  value: {{ include "policy-agent.sampleRequest" . | replace "$" "$$" | quote }}
{{- if not (kindIs "invalid" .Values.test.expected) }}
- name: EXPECTED
  value: {{ toRawJson .Values.test.expected | replace "$" "$$" | quote }}
{{- end }}
{{- end -}}
