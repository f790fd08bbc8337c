{{/* Stops the installation with one error that lists every problem; takes the context. */}}
{{- define "authz-jsonmasking.validate" -}}
{{- $found := list (include "authz-jsonmasking.problems" .) (include "authz-jsonmasking.configProblems" .) | join "\n" -}}
{{- $problems := compact (splitList "\n" $found) -}}
{{- with $problems -}}
{{- $count := ternary "1 problem" (printf "%d problems" (len .)) (eq (len .) 1) -}}
{{- printf "\n\nauthz-jsonmasking: %s in the values\n  - %s\n" $count (join "\n  - " .) | fail -}}
{{- end -}}
{{- end -}}

{{/* What is wrong with the configuration, a problem a line. */}}
{{- define "authz-jsonmasking.configProblems" -}}
{{- if .Values.existingConfigMap -}}
{{- if omit .Values.config "port" "metrics" "tls" }}
config must hold nothing but port, metrics and tls beside existingConfigMap, which takes its place
{{- end }}
{{- if not .Values.config.port }}
config.port is required: the port in the existing ConfigMap {{ .Values.existingConfigMap }}
{{- end }}
{{- else -}}
{{- include "authz-jsonmasking.keyProblems" . }}
{{ include "authz-jsonmasking.relationProblems" . }}
{{- end }}
{{- end -}}

{{/* What is wrong with single keys of the configuration, in the service's own words. */}}
{{- define "authz-jsonmasking.keyProblems" -}}
{{- $config := include "authz-jsonmasking.config" . | fromYaml -}}
{{- range (include "authz-jsonmasking.configReference" . | fromJson).keys -}}
{{- $group := $config -}}
{{- range initial .path -}}
{{- $group = get $group . | default dict -}}
{{- end }}
{{ include "authz-jsonmasking.keyProblem" (dict "reference" . "value" (index $group (last .path))) }}
{{- end }}
{{- end -}}

{{/* What is wrong with a key of the configuration. Takes a map: reference, value. */}}
{{- define "authz-jsonmasking.keyProblem" -}}
{{- $key := .reference.key -}}
{{- if kindIs "invalid" .value -}}
{{- if .reference.required }}config.{{ $key }} is required and must be {{ .reference.expectation }}{{ end -}}
{{- else if include "authz-jsonmasking.isUnfit" . -}}
config.{{ $key }} must be {{ .reference.expectation }}
{{- else -}}
{{- $text := toString .value -}}
{{- range .reference.refusals }}
{{- if and (regexMatch .pattern $text) (not (and .unless (regexMatch .unless $text))) }}config.{{ $key }} {{ .message }}{{ break }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Prints something where a value of the right type is out of range. Takes a map: reference, value. */}}
{{- define "authz-jsonmasking.isUnfit" -}}
{{- $reference := .reference -}}
{{- if kindIs "string" .value -}}
{{- if and $reference.enum (not (has .value $reference.enum)) }}not one of them{{ end -}}
{{- if lt (len .value) (int ($reference.minLength | default 0)) }}too short{{ end -}}
{{- else if or (kindIs "float64" .value) (kindIs "int64" .value) (kindIs "int" .value) -}}
{{- if and (hasKey $reference "minimum") (lt (float64 .value) (float64 $reference.minimum)) }}too small{{ end -}}
{{- if and (hasKey $reference "maximum") (gt (float64 .value) (float64 $reference.maximum)) }}too large{{ end -}}
{{- end -}}
{{- end -}}

{{/* What is wrong between keys of the configuration, in the service's own words, or with what only a pod must not have. */}}
{{- define "authz-jsonmasking.relationProblems" -}}
{{- $config := include "authz-jsonmasking.config" . | fromYaml -}}
{{- $messages := (include "authz-jsonmasking.configReference" . | fromJson).messages -}}
{{- $remote := or $config.pdpUrl $config.pdpHost -}}
{{- if not (or $remote $config.policyFile) }}
{{ $messages.noPdp }}
{{- end }}
{{- if and $remote $config.policyFile }}
config.policyFile {{ $messages.policyFileBesidePdp }}
{{- end }}
{{- if and $remote (include "authz-jsonmasking.policyFile" .) }}
policies are for the embedded PDP, but config has a remote one (pdpUrl or pdpHost); keep one of them
{{- end }}
{{- if and $config.pdpPort (not $config.pdpHost) }}
config.pdpPort {{ $messages.pdpPortWithoutHost }}
{{- end }}
{{- if and (hasKey $config "port") (eq (toString $config.port) "0") }}
config.port must not be 0: the Service has to know the port
{{- end }}
{{- if and .Values.enabled (regexMatch "^(localhost|127\\..*|::1)$" (toString $config.host)) }}
config.host must not be a loopback address, where the Service cannot reach it; leave it out
{{- end }}
{{- end -}}

{{/* What is wrong with other values, a problem a line. */}}
{{- define "authz-jsonmasking.problems" -}}
{{- include "authz-jsonmasking.sourceProblems" . }}
{{ include "authz-jsonmasking.capacityProblems" . }}
{{ include "authz-jsonmasking.routeProblems" . }}
{{ include "authz-jsonmasking.monitoringProblems" . }}
{{- end -}}

{{- define "authz-jsonmasking.sourceProblems" -}}
{{- if gt (len (compact (list (ternary "policies" "" (not (empty .Values.policies))) .Values.existingPoliciesConfigMap .Values.existingPoliciesSecret))) 1 }}
policies, existingPoliciesConfigMap and existingPoliciesSecret exclude each other
{{- end }}
{{- range $index, $scope := .Values.policies.scopes }}
{{- if hasKey $scope "clientSecret" }}
policies.scopes[{{ $index }}].clientSecret is a secret, which no ConfigMap may hold; put the policy file into a Secret and name it in existingPoliciesSecret
{{- end }}
{{- end }}
{{- end -}}

{{- define "authz-jsonmasking.capacityProblems" -}}
{{- $minimum := .Values.replicaCount -}}
{{- with .Values.autoscaling -}}
{{- if .enabled -}}
{{- $minimum = .minReplicas -}}
{{- if gt (int .minReplicas) (int .maxReplicas) }}
autoscaling.minReplicas must not be greater than autoscaling.maxReplicas
{{- end }}
{{- if not (or .targetCPUUtilizationPercentage .targetMemoryUtilizationPercentage .metrics) }}
autoscaling needs something to scale by: targetCPUUtilizationPercentage, targetMemoryUtilizationPercentage or metrics
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.podDisruptionBudget.minAvailable }}
{{- if and $.Values.podDisruptionBudget.enabled (not (kindIs "string" .)) (ge (int .) (int $minimum)) (gt (int $minimum) 0) }}
podDisruptionBudget.minAvailable must be less than the number of pods ({{ int $minimum }}), or no node could ever be drained
{{- end }}
{{- end }}
{{- $stopping := include "authz-jsonmasking.stoppingSeconds" . | int }}
{{- if le (int .Values.terminationGracePeriodSeconds) $stopping }}
terminationGracePeriodSeconds must be more than {{ $stopping }}: pods take that long to stop
{{- end }}
{{- end -}}

{{- define "authz-jsonmasking.routeProblems" -}}
{{- with .Values.ingress }}
{{- if and .enabled (not .hosts) }}
ingress.hosts is required: an Ingress without hosts would take the traffic of all
{{- end }}
{{- end }}
{{- with .Values.httpRoute }}
{{- if and .enabled (not .parentRefs) }}
httpRoute.parentRefs is required: the gateways that the route is attached to
{{- end }}
{{- end }}
{{- with .Values.networkPolicy }}
{{- if and .enabled (not .callers) (not .extraIngress) }}
networkPolicy.callers is required: without any, nobody could call the service
{{- end }}
{{- end }}
{{- end -}}

{{- define "authz-jsonmasking.monitoringProblems" -}}
{{- range $name := list "serviceMonitor" "prometheusRule" }}
{{- if and (get $.Values $name).enabled (not (include "authz-jsonmasking.metricsPort" $)) }}
{{ $name }}.enabled needs a port to scrape; give config.metrics.port
{{- end }}
{{- end }}
{{- end -}}

{{/*
How many seconds a pod may take to stop: as long as it goes on serving, and as long as requests under way may take.
The durations in the configuration are milliseconds.
*/}}
{{- define "authz-jsonmasking.stoppingSeconds" -}}
{{- $delay := include "authz-jsonmasking.configValue" (dict "context" . "key" "drainDelay") -}}
{{- $timeout := include "authz-jsonmasking.configValue" (dict "context" . "key" "drainTimeout") -}}
{{- $exchange := include "authz-jsonmasking.configValue" (dict "context" . "key" "pdpTimeout") -}}
{{- $milliseconds := add (int64 $delay) (int64 (default $exchange $timeout)) -}}
{{- add (int64 .Values.preStopSeconds) (ceil (divf $milliseconds 1000) | int64) -}}
{{- end -}}
