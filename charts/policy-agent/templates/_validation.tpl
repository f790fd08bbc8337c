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
{{- include "policy-agent.stoppingProblem" . }}
{{- include "policy-agent.labelProblems" . }}
{{- include "policy-agent.nameProblems" . }}
{{- end }}
{{- end -}}

{{/* The PDP of the image takes as long to stop as its `--drain-delay` and the 10 seconds that requests may take. */}}
{{- define "policy-agent.stoppingProblem" -}}
{{- $arguments := join " " .Values.pdp.args -}}
{{- $delay := regexFind "--drain-delay[ =][0-9]+" $arguments | regexFind "[0-9]+$" | float64 -}}
{{- $stopping := add 10 (divf $delay 1000 | ceil | int) -}}
{{- if and $delay (le (int .Values.pdp.terminationGracePeriodSeconds) (int $stopping)) }}
pdp.terminationGracePeriodSeconds must be more than {{ $stopping }}: the PDP takes that long to stop
{{- end }}
{{- end -}}

{{/* Labels that would replace those by which the Deployment and the Service find the pods. */}}
{{- define "policy-agent.labelProblems" -}}
{{- $selectors := include "policy-agent.selectorLabels" . | fromYaml -}}
{{- range $value, $labels := dict "commonLabels" .Values.commonLabels "pdp.podLabels" .Values.pdp.podLabels }}
{{- range $label, $_ := $labels }}
{{- if hasKey $selectors $label }}
{{ $value }}.{{ $label }} must not be given: the Deployment and the Service find the pods by it
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The names by which the agent's own PDP answers, if the authorizer asks it and would look for others. */}}
{{- define "policy-agent.nameProblems" -}}
{{- $authorizer := index .Values "authz-jsonmasking" -}}
{{- $config := $authorizer.config | default dict -}}
{{- $exists := or .Values.pdp.existingPoliciesConfigMap .Values.pdp.existingPoliciesSecret -}}
{{- $other := or $config.pdpUrl $config.pdpHost $config.policyFile $authorizer.policies $authorizer.existingConfigMap $authorizer.existingPoliciesConfigMap $authorizer.existingPoliciesSecret -}}
{{- if and $authorizer.enabled (not $exists) (not $other) }}
{{- range $key, $usual := dict "attrName" "column" "object" "table" }}
{{- $answered := get ($.Values.pdp.policies | default dict) $key | default $usual }}
{{- if ne (toString $answered) (get $config $key | default "" | toString) }}
authz-jsonmasking.config.{{ $key }} must be {{ $answered }}, as in the answers of the agent's PDP (pdp.policies)
{{- end }}
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
