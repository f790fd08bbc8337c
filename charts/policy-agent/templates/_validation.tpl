{{/* Stops the installation with one error that lists every problem of the PDP's values. */}}
{{- define "policy-agent.validate" -}}
{{- $problems := compact (splitList "\n" (include "policy-agent.problems" .)) -}}
{{- with $problems -}}
{{- $count := ternary "1 problem" (printf "%d problems" (len .)) (eq (len .) 1) -}}
{{- printf "\n\npolicy-agent: %s in the values\n  - %s\n" $count (join "\n  - " .) | fail -}}
{{- end -}}
{{- end -}}

{{/* What is wrong with the values, a problem a line. */}}
{{- define "policy-agent.problems" -}}
{{- if .Values.pdp.enabled -}}
{{- $name := include "policy-agent.pdpName" . }}
{{- if not (regexMatch "^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$" $name) }}
global.policyAgent.pdp.host must be the name of a Service, such as {{ "{{ .Release.Name }}-pdp" }}, while pdp.enabled is true
{{- end }}
{{- range $index, $scope := .Values.pdp.policies.scopes }}
{{- if hasKey $scope "clientSecret" }}
pdp.policies.scopes[{{ $index }}].clientSecret is a secret, which no ConfigMap may hold; put the policy file into a Secret and name it in pdp.existingPoliciesSecret
{{- end }}
{{- end }}
{{- if le (int .Values.pdp.terminationGracePeriodSeconds) (int .Values.pdp.preStopSeconds) }}
pdp.terminationGracePeriodSeconds must be more than pdp.preStopSeconds
{{- end }}
{{- end }}
{{- end -}}
