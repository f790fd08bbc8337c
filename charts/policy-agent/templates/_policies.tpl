{{/* The volumes of what the PDP decides by: its policies, and the configuration of OPA if there is one. */}}
{{- define "policy-agent.policiesVolumes" -}}
{{- $pdp := .Values.pdp -}}
{{- $opa := eq (include "policy-agent.protocol" .) "opa" -}}
{{- $own := include "policy-agent.pdpName" . -}}
{{- if and $opa (include "policy-agent.opaConfigured" .) }}
- name: config
  {{- if $pdp.opa.existingConfigSecret }}
  secret:
    secretName: {{ $pdp.opa.existingConfigSecret | quote }}
  {{- else }}
  configMap:
    name: {{ $own }}-config
  {{- end }}
{{- end }}
{{- if include "policy-agent.opaAuthorized" . }}
- name: authz
  configMap:
    name: {{ $own }}-authz
{{- end }}
{{- if and (not $opa) $pdp.existingPoliciesSecret }}
- name: policies
  secret:
    secretName: {{ $pdp.existingPoliciesSecret | quote }}
{{- else if include "policy-agent.hasPolicies" . }}
- name: policies
  configMap:
    name: {{ default $own (ternary $pdp.opa.existingPoliciesConfigMap $pdp.existingPoliciesConfigMap $opa) | quote }}
{{- end }}
{{- end -}}

{{/* Prints something if the PDP has policies in a volume; OPA may have them in bundles. */}}
{{- define "policy-agent.hasPolicies" -}}
{{- if ne (include "policy-agent.protocol" .) "opa" -}}yes
{{- else if or .Values.pdp.opa.policies .Values.pdp.opa.existingPoliciesConfigMap -}}yes
{{- end -}}
{{- end -}}

{{/* Prints something if OPA has a configuration. */}}
{{- define "policy-agent.opaConfigured" -}}
{{- if or .Values.pdp.opa.config .Values.pdp.opa.existingConfigSecret -}}yes{{- end -}}
{{- end -}}

{{/*
Policies as YAML. Helm breaks texts of more than 80 columns, without quotes. In a list that could be a dash that somebody forgot, which the
PDP refuses; and line breaks at the end get lost. Then they are JSON, which is YAML, too.
*/}}
{{- define "policy-agent.policyText" -}}
{{- $text := toYaml . -}}
{{- $isJson := hasSuffix "\n" $text -}}
{{- range regexFindAll "(?m)^ *- .*$" $text -1 -}}
{{- $isJson = or $isJson (gt (len .) 80) -}}
{{- end -}}
{{- if $isJson }}{{ include "policy-agent.jsonText" . }}{{ else }}{{ $text }}{{ end -}}
{{- end -}}

{{/* A value as JSON that is YAML, too: that allows a byte order mark only as an escape. */}}
{{- define "policy-agent.jsonText" -}}
{{- toPrettyJson . | replace "\ufeff" "\\ufeff" -}}
{{- end -}}

{{/* A value as YAML, of which Helm loses line breaks at the end: then it is JSON. */}}
{{- define "policy-agent.yamlText" -}}
{{- $text := toYaml . -}}
{{- if hasSuffix "\n" $text }}{{ include "policy-agent.jsonText" . }}{{ else }}{{ $text }}{{ end -}}
{{- end -}}

{{/* The files that the ConfigMap of the policies has; nothing if they are elsewhere. */}}
{{- define "policy-agent.policyFiles" -}}
{{- $pdp := .Values.pdp -}}
{{- if eq (include "policy-agent.protocol" .) "opa" -}}
{{- if not $pdp.opa.existingPoliciesConfigMap -}}
{{- with $pdp.opa.policies -}}
{{- include "policy-agent.yamlText" . -}}
{{- end -}}
{{- end -}}
{{- else if not (or $pdp.existingPoliciesConfigMap $pdp.existingPoliciesSecret) -}}
policies.yaml: |
  {{- include "policy-agent.policyText" $pdp.policies | nindent 2 }}
{{- end -}}
{{- end -}}

{{/* Changes with what OPA decides by, so that its pods restart when it changes. The embedded PDP reads policies again by itself. */}}
{{- define "policy-agent.policiesChecksum" -}}
{{- if eq (include "policy-agent.protocol" .) "opa" -}}
{{- $parts := list (include "policy-agent.policyFiles" .) (toJson .Values.pdp.opa.config) (include "policy-agent.opaExistingData" .) -}}
{{- if include "policy-agent.opaAuthorized" . -}}
{{- $parts = append $parts (include "policy-agent.opaAuthorization" .) -}}
{{- end -}}
{{- $parts | join "\n" | sha256sum -}}
{{- end -}}
{{- end -}}

{{/*
The names and the data of the ConfigMap and the Secret that exist already. `lookup` sees the data only when Helm talks to a
cluster in which they exist and Helm may read them.
*/}}
{{- define "policy-agent.opaExistingData" -}}
{{- range $kind, $name := dict "ConfigMap" .Values.pdp.opa.existingPoliciesConfigMap "Secret" .Values.pdp.opa.existingConfigSecret -}}
{{- with $name }}
{{ $kind }} {{ . }} {{ (lookup "v1" $kind (include "policy-agent.namespace" $) .).data | default dict | toJson }}
{{- end -}}
{{- end -}}
{{- end -}}
