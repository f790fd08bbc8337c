{{/* Stops the installation with one error that lists every problem of the PDP's values. */}}
{{- define "policy-agent.validate" -}}
{{- $problems := compact (splitList "\n" (include "policy-agent.problems" .)) -}}
{{- if and .Values.pdp.enabled (not $problems) -}}
{{- $problems = include "policy-agent.mountProblems" . | splitList "\n" | compact -}}
{{- end -}}
{{- with $problems -}}
{{- $count := ternary "1 problem" (printf "%d problems" (len .)) (eq (len .) 1) -}}
{{- printf "\n\npolicy-agent: %s in the values\n  - %s\n" $count (join "\n  - " .) | fail -}}
{{- end -}}
{{- end -}}

{{/* The problems of the values, one per line. */}}
{{- define "policy-agent.problems" -}}
{{- $protocols := list "resolution" "opa" "authzen" -}}
{{- if not (has (include "policy-agent.protocol" .) $protocols) }}
global.policyAgent.pdp.protocol must be one of {{ join ", " $protocols }}
{{- end }}
{{- range omit .Values.global.policyAgent.pdp "host" "port" "protocol" "document" | keys | sortAlpha }}
global.policyAgent.pdp.{{ . }} is not a known key; the keys are host, port, protocol and document
{{- end }}
{{- $port := toString .Values.global.policyAgent.pdp.port }}
{{- if not (and (regexMatch "^[0-9]{1,5}$" $port) (ge (int $port) 1) (le (int $port) 65535)) }}
global.policyAgent.pdp.port must be an integer from 1 to 65535
{{- end }}
{{- if not .Values.pdp.enabled }}
{{- include "policy-agent.noPdpProblem" . }}
{{- else -}}
{{- $name := include "policy-agent.pdpName" . }}
{{- if not (regexMatch "^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$" $name) }}
global.policyAgent.pdp.host must be the name of a Service, such as {{ "{{ .Release.Name }}-pdp" }}, while pdp.enabled is true
{{- end }}
{{- range $index, $scope := .Values.pdp.policies.scopes }}
{{- if hasKey $scope "clientSecret" }}
pdp.policies.scopes[{{ $index }}].clientSecret must not be in a ConfigMap; put the policy file into a Secret and name it in pdp.existingPoliciesSecret
{{- end }}
{{- end }}
{{- if regexMatch "\\x{85}|\\\\u202[89]" (toJson .Values.pdp.policies) }}
pdp.policies has U+0085, U+2028 or U+2029, which Helm's YAML takes for a line break
{{- else if and .Values.pdp.policies (not (toYaml .Values.pdp.policies)) }}
pdp.policies has a character that YAML does not allow, such as U+007F or U+FFFF
{{- end }}
{{- include "policy-agent.actionProblems" . }}
{{- include "policy-agent.referenceProblems" . }}
{{- include "policy-agent.opaProblems" . }}
{{- include "policy-agent.routeProblems" . }}
{{- include "policy-agent.serviceTypeProblems" . }}
{{- include "policy-agent.capacityProblems" . }}
{{- include "policy-agent.monitoringProblems" . }}
{{- include "policy-agent.dnsProblem" . }}
{{- include "policy-agent.probeProblems" . }}
{{- include "policy-agent.stoppingProblem" . }}
{{- include "policy-agent.labelProblems" . }}
{{- include "policy-agent.nameProblems" . }}
{{- include "policy-agent.reachProblems" . }}
{{- end }}
{{- end -}}

{{/*
The actions of the policies that the embedded PDP does not take, in its own words, one per line. The text of a literal may be
anything that is not meant as an action. Beside an empty value, the name is the text.
*/}}
{{- define "policy-agent.actionProblems" -}}
{{- $known := .Files.Get "files/policy-actions.json" | fromJson -}}
{{- range $index, $policy := (.Values.pdp.policies | default dict).policies -}}
{{- $isLiteral := kindIs "map" $policy.action -}}
{{- $text := toString $policy.action -}}
{{- $member := "" -}}
{{- if $isLiteral }}
{{- $member = ternary "name" "value" (regexMatch $known.blank (toString $policy.action.value)) -}}
{{- $text = toString (get $policy.action $member) -}}
{{- end -}}
{{- $problem := ternary "" $known.message $isLiteral -}}
{{- range $known.openings -}}
{{- if regexMatch .begins $text }}{{ $problem = .message }}{{ end -}}
{{- end -}}
{{- if regexMatch $known.pattern $text -}}
{{- $problem = include "policy-agent.argumentProblem" (dict "text" $text "known" $known) -}}
{{- end -}}
{{- if $problem }}
pdp.policies.policies[{{ $index }}].action{{ with $member }}.{{ . }}{{ end }} {{ $problem }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Why the argument of an action can't be used. Takes a map: text, known. */}}
{{- define "policy-agent.argumentProblem" -}}
{{- $problem := "" -}}
{{- range .known.limits -}}
{{- if regexMatch .pattern $.text }}{{ $problem = .message }}{{ end -}}
{{- end -}}
{{- if $problem -}}
{{- $problem -}}
{{- else if regexMatch .known.json.pattern .text -}}
{{- /* Numbers that are too large for Go are right. They may also be a part of an escape such as \u1e12. */ -}}
{{- $json := regexReplaceAll .known.json.pattern .text "${1}" -}}
{{- $json = regexReplaceAll "([0-9]{20})[0-9]{200,}" (regexReplaceAll "([0-9][eE])[-+]?[0-9]{3,}" $json "${1}00") "${1}" -}}
{{- $read := printf "{\"value\":[%s]}" $json | fromJson -}}
{{- if not (and (hasKey $read "value") (eq (len $read) 1) (eq (len $read.value) 1)) }}{{ .known.json.message }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* What does not hold between the parts of the policies, in the words of the embedded PDP, one per line. */}}
{{- define "policy-agent.referenceProblems" -}}
{{- $file := .Values.pdp.policies | default dict -}}
{{- $references := (.Files.Get "files/policy-actions.json" | fromJson).references -}}
{{- $clients := list -}}
{{- range $index, $scope := $file.scopes -}}
{{- if has (toString $scope.clientId) $clients }}
pdp.policies.scopes[{{ $index }}].clientId {{ $references.repeated }}
{{- end -}}
{{- $clients = append $clients (toString $scope.clientId) -}}
{{- end -}}
{{- $own := merge (dict) (pick $file "attrName" "object" "assetType") $references.names -}}
{{- $names := list -}}
{{- $used := list -}}
{{- range $index, $policy := $file.policies -}}
{{- if has (toString $policy.name) $names }}
pdp.policies.policies[{{ $index }}].name {{ $references.repeated }}
{{- end -}}
{{- $names = append $names (toString $policy.name) -}}
{{- $used = append $used (toString ($policy.assetType | default $own.assetType)) -}}
{{- range $place, $scope := $policy.scopes -}}
{{- if not (has (toString $scope) $clients) }}
pdp.policies.policies[{{ $index }}].scopes[{{ $place }}] {{ $references.unknownScope }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $assetType, $_ := $file.mappers }}
{{- if not (has $assetType $used) }}
pdp.policies.mappers.{{ $assetType }} {{ $references.unusedAssetType }}
{{- end }}
{{- end }}
{{- if $file }}
{{- if regexMatch "[{,]\"__proto__\":" (toJson $file) }}
pdp.policies has the key __proto__, which is not allowed
{{- end }}
{{- if eq (toString $own.attrName) (toString $own.object) }}
pdp.policies.object {{ $references.sameNames }}
{{- end }}
{{- end -}}
{{- include "policy-agent.sourceProblems" . }}
{{- end -}}

{{/* Policies that the PDP would not read: those from two places, and those of another protocol. The policies that the chart has by default give way. */}}
{{- define "policy-agent.sourceProblems" -}}
{{- $sources := list .Values.pdp.existingPoliciesConfigMap .Values.pdp.existingPoliciesSecret -}}
{{- $usual := dict -}}
{{- range .Files.Get "files/defaults.json" | fromJsonArray -}}
{{- if eq (join "." .path) "pdp.policies" }}{{ $usual = .value }}{{ end -}}
{{- end -}}
{{- $own := ternary "" "policies" (eq (toJson .Values.pdp.policies) (toJson $usual)) -}}
{{- if gt (len (compact (append $sources $own))) 1 }}
pdp.policies, pdp.existingPoliciesConfigMap and pdp.existingPoliciesSecret exclude each other
{{- end }}
{{- if eq (include "policy-agent.protocol" .) "opa" }}
{{- if $own }}
pdp.policies is not read with protocol: opa; give the Rego files in pdp.opa.policies
{{- end }}
{{- range $name := list "existingPoliciesConfigMap" "existingPoliciesSecret" }}
{{- if get $.Values.pdp $name }}
pdp.{{ $name }} is not read with protocol: opa; give the Rego files in pdp.opa.existingPoliciesConfigMap
{{- end }}
{{- end }}
{{- if .Values.pdp.command }}
pdp.command is not read with protocol: opa; the image starts OPA, with pdp.opa.args
{{- end }}
{{- else }}
{{- range $name := list "policies" "existingPoliciesConfigMap" "config" "existingConfigSecret" }}
{{- if get $.Values.pdp.opa $name }}
pdp.opa.{{ $name }} is not read without protocol: opa; give global.policyAgent.pdp.protocol
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The problems of OPA as the PDP. */}}
{{- define "policy-agent.opaProblems" -}}
{{- if eq (include "policy-agent.protocol" .) "opa" }}
{{- $opa := .Values.pdp.opa }}
{{- $document := .Values.global.policyAgent.pdp.document | default "" | trimAll "/" }}
{{- if not $document }}
global.policyAgent.pdp.document is required with protocol: opa: the path of the document, such as masking/decision
{{- else if or (not (regexMatch "^([^\\s\\v\\p{Z}\\x{FEFF}\\x00-\\x1F\\x7F?#\\\\%]|%[0-9A-Fa-f]{2})+$" $document)) (regexMatch "(?i)(^|/)([.]|%2e){1,2}(/|$)|[$][{]" $document) }}
global.policyAgent.pdp.document must be the path of the document, such as masking/decision: without blanks, ?, #, ${, backslashes, segments of dots, and % other than in escapes
{{- end }}
{{- if not (or $opa.policies $opa.existingPoliciesConfigMap $opa.config.bundles $opa.config.discovery $opa.existingConfigSecret) }}
pdp.opa has no policies; give policies, existingPoliciesConfigMap, or bundles in config or existingConfigSecret
{{- end }}
{{- if and $opa.policies $opa.existingPoliciesConfigMap }}
pdp.opa.policies and pdp.opa.existingPoliciesConfigMap exclude each other
{{- end }}
{{- if and $opa.config $opa.existingConfigSecret }}
pdp.opa.config and pdp.opa.existingConfigSecret exclude each other
{{- end }}
{{- if regexMatch "\"(token|password|client_secret|private_key|secret_key)\":" (toJson $opa.config) }}
pdp.opa.config has credentials, which must not be in a ConfigMap; put the configuration into a Secret and name it in pdp.opa.existingConfigSecret
{{- end }}
{{- range $file, $_ := $opa.policies }}
{{- if not (regexMatch "^[A-Za-z0-9_-][A-Za-z0-9._-]*\\.(rego|json|yaml)$" $file) }}
pdp.opa.policies.{{ $file }} must be the name of a file that OPA loads: letters, digits, dots and hyphens, and .rego, .json or .yaml
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The problems of the ways that lead to the PDP. */}}
{{- define "policy-agent.routeProblems" -}}
{{- with .Values.pdp.ingress }}
{{- if and .enabled (not .hosts) }}
pdp.ingress.hosts is required: an Ingress without hosts matches the requests for all hosts
{{- end }}
{{- range $index, $entry := ternary .hosts list .enabled }}
{{- $host := tpl $entry.host $ }}
{{- if or (not (regexMatch "^([*][.])?[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" $host)) (regexMatch "^[0-9.]+$" $host) }}
pdp.ingress.hosts[{{ $index }}].host must be the name of a host, and is {{ $host | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.pdp.httpRoute }}
{{- if and .enabled (not .parentRefs) }}
pdp.httpRoute.parentRefs is required: list the gateways of the route
{{- end }}
{{- end }}
{{- with .Values.pdp.networkPolicy }}
{{- if and .enabled (not .callers) (not .extraIngress) }}
pdp.networkPolicy.callers is required: without it, no pod can ask the PDP
{{- end }}
{{- end }}
{{- end -}}

{{/* Fields of the Service that its type does not have. */}}
{{- define "policy-agent.serviceTypeProblems" -}}
{{- $types := dict "nodePort" (list "NodePort" "LoadBalancer") "externalTrafficPolicy" (list "NodePort" "LoadBalancer") "loadBalancerClass" (list "LoadBalancer") "loadBalancerSourceRanges" (list "LoadBalancer") -}}
{{- range $field, $known := $types }}
{{- if and (get $.Values.pdp.service $field) (not (has $.Values.pdp.service.type $known)) }}
pdp.service.{{ $field }} needs pdp.service.type {{ join " or " $known }}
{{- end }}
{{- end }}
{{- if and (eq (toString .Values.pdp.service.clusterIP) "None") (ne .Values.pdp.service.type "ClusterIP") }}
pdp.service.clusterIP must not be None with pdp.service.type {{ .Values.pdp.service.type }}
{{- end }}
{{- end -}}

{{/* What two parts of a pod must not both have, and mounts without a volume. For values without other problems. */}}
{{- define "policy-agent.mountProblems" -}}
{{- $volumes := list -}}
{{- range concat (include "policy-agent.policiesVolumes" . | fromYamlArray) .Values.pdp.extraVolumes }}
{{- if has .name $volumes }}
pdp.extraVolumes must not have {{ .name }}: a volume of this name is there already
{{- end }}
{{- $volumes = append $volumes .name }}
{{- end }}
{{- $folders := list }}
{{- range include "policy-agent.pdpMounts" . | fromYamlArray }}
{{- $folder := clean .mountPath }}
{{- if has $folder $folders }}
pdp.extraVolumeMounts must not have the mountPath {{ .mountPath }}: another volume is mounted there
{{- end }}
{{- $folders = append $folders $folder }}
{{- if not (has .name $volumes) }}
pdp.extraVolumeMounts has {{ .name }}, and no volume has this name; add it to pdp.extraVolumes
{{- end }}
{{- end }}
{{- $containers := list (include "policy-agent.pdpContainer" . | fromYaml).name }}
{{- range concat .Values.pdp.extraInitContainers .Values.pdp.extraContainers }}
{{- if has .name $containers }}
pdp.extraContainers and pdp.extraInitContainers must not have {{ .name }}: a container of this name is there already
{{- end }}
{{- $containers = append $containers .name }}
{{- end }}
{{- end -}}

{{/* The problems of how many pods there are. */}}
{{- define "policy-agent.capacityProblems" -}}
{{- $minimum := .Values.pdp.replicaCount -}}
{{- with .Values.pdp.autoscaling -}}
{{- if .enabled -}}
{{- $minimum = .minReplicas -}}
{{- if gt (int .minReplicas) (int .maxReplicas) }}
pdp.autoscaling.minReplicas must not be greater than pdp.autoscaling.maxReplicas
{{- end }}
{{- if not (or .targetCPUUtilizationPercentage .targetMemoryUtilizationPercentage .metrics) }}
pdp.autoscaling needs a target: targetCPUUtilizationPercentage, targetMemoryUtilizationPercentage or metrics
{{- end }}
{{- end }}
{{- end }}
{{- include "policy-agent.autoscalerProblems" . }}
{{- include "policy-agent.resourceProblems" . }}
{{- include "policy-agent.replacementProblems" . }}
{{- with .Values.pdp.podDisruptionBudget.minAvailable }}
{{- $kept := int . -}}
{{- if kindIs "string" . }}{{ $kept = divf (mulf (trimSuffix "%" . | float64) (float64 $minimum)) 100 | ceil | int }}{{ end }}
{{- if and $.Values.pdp.podDisruptionBudget.enabled (ge $kept (int $minimum)) (gt (int $minimum) 0) }}
pdp.podDisruptionBudget.minAvailable must be less than the number of pods ({{ int $minimum }}), otherwise no node can be drained
{{- end }}
{{- end }}
{{- end -}}

{{/* Requests that are more than the limits. */}}
{{- define "policy-agent.resourceProblems" -}}
{{- range $key, $given := dict "pdp.resources" .Values.pdp.resources "test.resources" .Values.test.resources }}
{{- $resources := $given | default dict -}}
{{- range $resource, $request := $resources.requests }}
{{- $limit := get ($resources.limits | default dict) $resource }}
{{- $allowed := include "policy-agent.quantity" $limit }}
{{- if and $allowed (gt (include "policy-agent.quantity" $request | float64) (float64 $allowed)) }}
{{ $key }}.requests.{{ $resource }} must not be more than {{ $key }}.limits.{{ $resource }} ({{ $limit }})
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A quantity as Kubernetes reads it, such as 100m, 1.5Gi or 1e3: a number without a unit; empty if it is not a quantity. */}}
{{- define "policy-agent.quantity" -}}
{{- $units := dict "" 1 "n" 1e-9 "u" 1e-6 "m" 1e-3 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 "Ei" 1152921504606846976 -}}
{{- $text := toString . -}}
{{- $number := regexFind "^[+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?" $text -}}
{{- $unit := trimPrefix $number $text -}}
{{- if and $number (hasKey $units $unit) -}}
{{- mulf (float64 $number) (get $units $unit | float64) | printf "%f" -}}
{{- end -}}
{{- end -}}

{{/* What would keep pods from being replaced or evicted. */}}
{{- define "policy-agent.replacementProblems" -}}
{{- if ge (int .Values.pdp.minReadySeconds) (int .Values.pdp.progressDeadlineSeconds) }}
pdp.progressDeadlineSeconds must be more than pdp.minReadySeconds, otherwise no upgrade succeeds
{{- end }}
{{- $strategy := .Values.pdp.updateStrategy | default dict -}}
{{- $rolling := ternary dict ($strategy.rollingUpdate | default dict) (eq (toString $strategy.type) "Recreate") -}}
{{- $budget := .Values.pdp.podDisruptionBudget -}}
{{- if and (regexMatch "^0+%?$" (toString $rolling.maxSurge)) (regexMatch "^0+%?$" (toString $rolling.maxUnavailable)) }}
pdp.updateStrategy.rollingUpdate must not have 0 as maxSurge and as maxUnavailable: no pod could be replaced
{{- end }}
{{- if and $budget.enabled (kindIs "invalid" $budget.minAvailable) (regexMatch "^0+%?$" (toString $budget.maxUnavailable)) }}
pdp.podDisruptionBudget.maxUnavailable must not be 0, otherwise no node can be drained
{{- end }}
{{- if and $budget.enabled (kindIs "invalid" $budget.minAvailable) (kindIs "invalid" $budget.maxUnavailable) }}
pdp.podDisruptionBudget needs maxUnavailable or minAvailable, otherwise no node can be drained
{{- end }}
{{- end -}}

{{/* The resources that two autoscalers would both control. */}}
{{- define "policy-agent.autoscalerProblems" -}}
{{- $autoscaling := .Values.pdp.autoscaling -}}
{{- $targets := dict "cpu" $autoscaling.targetCPUUtilizationPercentage "memory" $autoscaling.targetMemoryUtilizationPercentage -}}
{{- $resources := .Values.pdp.resources | default dict -}}
{{- range $resource, $target := $targets }}
{{- $asked := or (get ($resources.requests | default dict) $resource) (get ($resources.limits | default dict) $resource) }}
{{- if and $autoscaling.enabled $target (not $asked) }}
pdp.resources.requests.{{ $resource }} is required: pdp.autoscaling scales by a percentage of it
{{- end }}
{{- end }}
{{- with .Values.pdp.verticalPodAutoscaler -}}
{{- if and .enabled $autoscaling.enabled (ne .updateMode "Off") -}}
{{- range $resource, $target := $targets }}
{{- if and $target (has $resource $.Values.pdp.verticalPodAutoscaler.controlledResources) }}
pdp.verticalPodAutoscaler.controlledResources must not have {{ $resource }}, because pdp.autoscaling already scales by it
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The problems of scraping the PDP. The PDP of the authorizer's image has no metrics; its arguments begin with `pdp`. */}}
{{- define "policy-agent.monitoringProblems" -}}
{{- if .Values.pdp.serviceMonitor.enabled }}
{{- if and (ne (include "policy-agent.protocol" .) "opa") (not .Values.pdp.command) (regexMatch "^pdp( |$)" (join " " .Values.pdp.args)) }}
pdp.serviceMonitor.enabled needs a PDP with metrics, such as Open Policy Agent; the one of the authorizer's image has none
{{- end }}
{{- if and .Values.pdp.networkPolicy.enabled (not .Values.pdp.networkPolicy.monitoring) (not .Values.pdp.networkPolicy.extraIngress) }}
pdp.networkPolicy.monitoring is required with pdp.serviceMonitor.enabled: without it, the metrics cannot be read
{{- end }}
{{- end }}
{{- include "policy-agent.scrapeProblem" . }}
{{- include "policy-agent.boundProblems" . }}
{{- end -}}

{{/* A duration as Prometheus writes it, such as 1m30s, in milliseconds. */}}
{{- define "policy-agent.milliseconds" -}}
{{- $units := dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 "d" 86400000 "w" 604800000 "y" 31536000000 -}}
{{- $sum := 0.0 -}}
{{- range regexFindAll "[0-9]+(ms|[ywdhms])" . -1 -}}
{{- $number := regexFind "^[0-9]+" . -}}
{{- $sum = addf $sum (mulf (float64 $number) (get $units (trimPrefix $number .))) -}}
{{- end -}}
{{- printf "%f" $sum -}}
{{- end -}}

{{/* A ServiceMonitor that the Prometheus operator passes over. */}}
{{- define "policy-agent.scrapeProblem" -}}
{{- with .Values.pdp.serviceMonitor -}}
{{- if and .enabled .interval .scrapeTimeout (gt (include "policy-agent.milliseconds" .scrapeTimeout | float64) (include "policy-agent.milliseconds" .interval | float64)) }}
pdp.serviceMonitor.scrapeTimeout must not be more than pdp.serviceMonitor.interval ({{ .interval }}): the operator passes over such a ServiceMonitor
{{- end }}
{{- end }}
{{- end -}}

{{/* Recommendations whose bounds contradict each other. */}}
{{- define "policy-agent.boundProblems" -}}
{{- with .Values.pdp.verticalPodAutoscaler -}}
{{- $most := .maxAllowed | default dict -}}
{{- range $resource, $least := ternary (.minAllowed | default dict) dict .enabled }}
{{- $bound := include "policy-agent.quantity" (get $most $resource) }}
{{- if and $bound (gt (include "policy-agent.quantity" $least | float64) (float64 $bound)) }}
pdp.verticalPodAutoscaler.minAllowed.{{ $resource }} must not be more than pdp.verticalPodAutoscaler.maxAllowed.{{ $resource }} ({{ get $most $resource }})
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Probes that nothing is left of but their times. */}}
{{- define "policy-agent.probeProblems" -}}
{{- $isOpa := eq (include "policy-agent.protocol" .) "opa" -}}
{{- range $name, $probe := pick (ternary .Values.pdp.opa .Values.pdp $isOpa) "startupProbe" "livenessProbe" "readinessProbe" }}
{{- if and $probe (not (or $probe.exec $probe.grpc $probe.httpGet $probe.tcpSocket)) }}
{{ ternary "pdp.opa" "pdp" $isOpa }}.{{ $name }} has no handler; give one, or null for the whole probe
{{- end }}
{{- end }}
{{- end -}}

{{/* Pods that would have no name server. */}}
{{- define "policy-agent.dnsProblem" -}}
{{- if and (eq .Values.pdp.dnsPolicy "None") (not (.Values.pdp.dnsConfig | default dict).nameservers) }}
pdp.dnsConfig.nameservers is required with pdp.dnsPolicy None
{{- end }}
{{- end -}}

{{/*
The PDP of the image takes as long to stop as its `--drain-delay` and the 10 seconds that requests may take. OPA has two
periods.
*/}}
{{- define "policy-agent.stoppingProblem" -}}
{{- $stopping := 0 -}}
{{- if eq (include "policy-agent.protocol" .) "opa" -}}
{{- range regexFindAll "--shutdown-(wait|grace)-period[ =][0-9]+" (join " " .Values.pdp.opa.args) -1 -}}
{{- $stopping = add $stopping (regexFind "[0-9]+$" . | int) -}}
{{- end -}}
{{- else -}}
{{- $delay := regexFind "--drain-delay[ =][0-9]+" (join " " .Values.pdp.args) | regexFind "[0-9]+$" | float64 -}}
{{- $stopping = ternary (add 10 (divf $delay 1000 | ceil | int)) 0 (gt $delay 0.0) -}}
{{- end -}}
{{- if and $stopping (le (int .Values.pdp.terminationGracePeriodSeconds) (int $stopping)) }}
pdp.terminationGracePeriodSeconds must be more than {{ $stopping }}: the PDP takes that long to stop
{{- end }}
{{- end -}}

{{/* Labels that would replace the selector labels of the Deployment and the Service. */}}
{{- define "policy-agent.labelProblems" -}}
{{- $authorizer := index .Values "authz-jsonmasking" }}
{{- $name := include "policy-agent.name" . }}
{{- if and $authorizer.enabled (eq $name (include "authz-jsonmasking.name" (get .Subcharts "authz-jsonmasking"))) }}
nameOverride must not be {{ $name }} for the agent and for authz-jsonmasking: the Service of the authorizer would find the pods of the PDP
{{- end }}
{{- $selectors := include "policy-agent.selectorLabels" . | fromYaml -}}
{{- range $value, $labels := dict "commonLabels" .Values.commonLabels "pdp.podLabels" .Values.pdp.podLabels }}
{{- range $label, $_ := $labels }}
{{- if hasKey $selectors $label }}
{{ $value }}.{{ $label }} must not be given: the Deployment and the Service find the pods by it
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Prints something if the values of the authorizer name, or may name, another PDP than the agent's. */}}
{{- define "policy-agent.otherPdp" -}}
{{- $authorizer := index .Values "authz-jsonmasking" -}}
{{- $config := $authorizer.config | default dict -}}
{{- if or $config.pdpUrl $config.pdpHost $config.policyFile $authorizer.policies $authorizer.existingConfigMap $authorizer.existingPoliciesConfigMap $authorizer.existingPoliciesSecret -}}yes{{- end -}}
{{- end -}}

{{/* Attribute names of the agent's own PDP, if the configuration of the authorizer has other names. */}}
{{- define "policy-agent.nameProblems" -}}
{{- $authorizer := index .Values "authz-jsonmasking" -}}
{{- $config := $authorizer.config | default dict -}}
{{- $exists := or .Values.pdp.existingPoliciesConfigMap .Values.pdp.existingPoliciesSecret -}}
{{- $other := include "policy-agent.otherPdp" . -}}
{{- $named := eq (include "policy-agent.protocol" .) "resolution" -}}
{{- if and $authorizer.enabled $named (not $exists) (not $other) }}
{{- range $key, $usual := dict "attrName" "column" "object" "table" }}
{{- $answered := get ($.Values.pdp.policies | default dict) $key | default $usual }}
{{- if ne (toString $answered) (get $config $key | default "" | toString) }}
authz-jsonmasking.config.{{ $key }} must be {{ $answered }}, as in the answers of the agent's PDP (pdp.policies)
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Why the authorizer would not reach the agent's own PDP. */}}
{{- define "policy-agent.reachProblems" -}}
{{- $authorizer := index .Values "authz-jsonmasking" -}}
{{- $other := include "policy-agent.otherPdp" . -}}
{{- if and $authorizer.enabled (not $other) }}
{{- if ne ($authorizer.namespaceOverride | default .Release.Namespace) (.Values.namespaceOverride | default .Release.Namespace) }}
authz-jsonmasking.namespaceOverride must be the same as namespaceOverride: the authorizer finds the agent's PDP in its own namespace only
{{- end }}
{{- if and (eq (include "policy-agent.protocol" .) "resolution") (eq (toString .Values.global.policyAgent.pdp.port) "443") }}
global.policyAgent.pdp.port must not be 443: the authorizer would speak TLS, which the agent's PDP does not
{{- end }}
{{- end }}
{{- end -}}

{{/* Without its own PDP, the agent has no Service for it: the authorizer needs the address of another PDP. */}}
{{- define "policy-agent.noPdpProblem" -}}
{{- $authorizer := index .Values "authz-jsonmasking" -}}
{{- $own := include "policy-agent.otherPdp" . -}}
{{- if and $authorizer.enabled (not $own) (contains "{{" .Values.global.policyAgent.pdp.host) }}
The authorizer has no PDP: pdp.enabled is false, and neither global.policyAgent.pdp nor authz-jsonmasking.config names another PDP
{{- end }}
{{- end -}}
