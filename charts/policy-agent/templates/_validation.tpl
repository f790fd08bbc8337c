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
{{- if not .Values.pdp.enabled }}
{{- include "policy-agent.noPdpProblem" . }}
{{- else -}}
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

{{/*
Where the agent has no PDP of its own, the name of its Service leads nowhere: the authorizer needs an address that says
where else to go.
*/}}
{{- define "policy-agent.noPdpProblem" -}}
{{- $authorizer := index .Values "authz-jsonmasking" -}}
{{- $config := $authorizer.config | default dict -}}
{{- $own := or $config.pdpUrl $config.pdpHost $config.policyFile $authorizer.policies $authorizer.existingConfigMap $authorizer.existingPoliciesConfigMap $authorizer.existingPoliciesSecret -}}
{{- if and $authorizer.enabled (not $own) (contains "{{" .Values.global.policyAgent.pdp.host) }}
The authorizer has no PDP: pdp.enabled is false, and neither global.policyAgent.pdp nor authz-jsonmasking.config leads to another
{{- end }}
{{- end -}}
