{{/* Stops the installation with one error that lists every problem; takes the context. */}}
{{- define "authz-jsonmasking.validate" -}}
{{- $found := list (include "authz-jsonmasking.problems" .) (include "authz-jsonmasking.configProblems" .) | join "\n" -}}
{{- $problems := compact (splitList "\n" $found) -}}
{{- if not $problems -}}
{{- $problems = include "authz-jsonmasking.mountProblems" . | splitList "\n" | compact -}}
{{- end -}}
{{- with $problems -}}
{{- $count := ternary "1 problem" (printf "%d problems" (len .)) (eq (len .) 1) -}}
{{- printf "\n\nauthz-jsonmasking: %s in the values\n  - %s\n" $count (join "\n  - " .) | fail -}}
{{- end -}}
{{- end -}}

{{/* What a value has in it that Helm's YAML does not write, or that is a line break there and not in the YAML of the service. */}}
{{- define "authz-jsonmasking.characterProblem" -}}
{{- if regexMatch "\\x{85}|\\\\u202[89]" (toJson .) -}}
has U+0085, U+2028 or U+2029, which Helm's YAML takes for a line break
{{- else if and . (not (toYaml .)) -}}
has a character that YAML does not allow, such as U+007F or U+FFFF
{{- end -}}
{{- end -}}

{{/*
Prints a text that Helm's YAML leaves without quotes and that the service would read as a number: those that are too large for the
numbers of Go.
*/}}
{{- define "authz-jsonmasking.bareNumber" -}}
{{- range regexFindAll "(?m)[:-] (0x[0-9a-fA-F]{16,}|0o[0-7]{21,}|[-+]?[0-9.]+[eE][-+]?[0-9]{3,})$" (toYaml .) -1 -}}
{{- $text := trimPrefix ": " . | trimPrefix "- " -}}
{{- if eq (float64 $text) 0.0 }}{{ $text }}{{ break }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* The problems of the configuration, one per line. */}}
{{- define "authz-jsonmasking.configProblems" -}}
{{- if .Values.existingConfigMap -}}
{{- if omit (include "authz-jsonmasking.writtenConfig" . | fromJson) "port" "proxy" "extProc" "metrics" "health" "tls" "drainDelay" "drainTimeout" }}
config may hold only port, proxy, extProc, metrics, health, tls, drainDelay and drainTimeout next to existingConfigMap, which replaces it
{{- end }}
{{- if not (include "authz-jsonmasking.port" .) }}
config.port is required: the port in the existing ConfigMap {{ .Values.existingConfigMap }}
{{- end }}
{{- else if or (not .Values.config) (toYaml .Values.config) -}}
{{- include "authz-jsonmasking.keyProblems" . }}
{{ include "authz-jsonmasking.relationProblems" . }}
{{ include "authz-jsonmasking.podProblems" . }}
{{- end }}
{{- end -}}

{{/* The problems of single keys of the configuration, with the messages of the service. */}}
{{- define "authz-jsonmasking.keyProblems" -}}
{{- $config := include "authz-jsonmasking.config" . | fromJson -}}
{{- $reference := include "authz-jsonmasking.configReference" . | fromJson -}}
{{- range $reference.keys -}}
{{- $group := $config -}}
{{- range initial .path -}}
{{- $group = get $group . | default dict -}}
{{- end }}
{{- $value := index $group (last .path) -}}
{{- $variables := include "authz-jsonmasking.variableProblems" (dict "key" .key "value" $value "messages" $reference.messages) }}
{{ default (include "authz-jsonmasking.keyProblem" (dict "reference" . "value" $value)) $variables }}
{{- end }}
{{- end -}}

{{/*
The texts with a variable in a key of the configuration, or below it, and the names that the service would lose. What `vendor` has in routes
is filled in for each request. Takes a map: key, value, messages.
*/}}
{{- define "authz-jsonmasking.variableProblems" -}}
{{- if kindIs "string" .value -}}
{{- if regexMatch "\\$\\{[^}]*\\}" .value }}
config.{{ .key }} {{ .messages.variable }}
{{- end }}
{{- else if and (or (kindIs "map" .value) (kindIs "slice" .value)) (not (regexMatch "^(routes\\.[0-9]+|otherwise)\\.vendor$" .key)) -}}
{{- range $name, $value := .value -}}
{{- $key := printf "%s.%v" $.key $name -}}
{{- if eq (toString $name) "__proto__" }}
config.{{ $key }} {{ $.messages.lostKey }}
{{- end -}}
{{- include "authz-jsonmasking.variableProblems" (dict "key" $key "value" $value "messages" $.messages) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
The texts below `vendor` of a route whose variables can't be filled in, the numbers that would lose digits, and the names that the service
would lose. Takes a map: key, value, vendor, messages.
*/}}
{{- define "authz-jsonmasking.vendorProblems" -}}
{{- if kindIs "string" .value -}}
{{- if not (regexMatch .vendor.pattern .value) }}
config.{{ .key }} {{ .vendor.message }}
{{- end }}
{{- else if and (kindIs "float64" .value) (or (gt .value 9007199254740991.0) (lt .value -9007199254740991.0)) }}
config.{{ .key }} {{ .vendor.numberMessage }}
{{- else if or (kindIs "map" .value) (kindIs "slice" .value) -}}
{{- range $name, $value := .value -}}
{{- if contains "${" (toString $name) }}
config.{{ $.key }}.{{ $name }} {{ $.vendor.nameMessage }}
{{- end -}}
{{- if eq (toString $name) "__proto__" }}
config.{{ $.key }}.{{ $name }} {{ $.messages.lostKey }}
{{- end -}}
{{- include "authz-jsonmasking.vendorProblems" (dict "key" (printf "%s.%v" $.key $name) "value" $value "vendor" $.vendor "messages" $.messages) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The problem of a key of the configuration. Takes a map: reference, value. */}}
{{- define "authz-jsonmasking.keyProblem" -}}
{{- $key := .reference.key -}}
{{- if kindIs "invalid" .value -}}
{{- if .reference.required }}config.{{ $key }} is required and must be {{ .reference.expectation }}{{ end -}}
{{- else if include "authz-jsonmasking.isUnfit" . -}}
config.{{ $key }} must be {{ .reference.expectation }}
{{- else if kindIs "slice" .value -}}
{{- include "authz-jsonmasking.elementProblems" . -}}
{{- else -}}
{{- include "authz-jsonmasking.refusal" (dict "key" $key "value" .value "refusals" .reference.refusals) -}}
{{- end -}}
{{- end -}}

{{/* The problems of the elements of a list, one per line. Takes a map: reference, value. */}}
{{- define "authz-jsonmasking.elementProblems" -}}
{{- range $rules := .reference.elements -}}
{{- range $index, $element := $.value -}}
{{- $key := printf "%s.%d" $.reference.key $index -}}
{{- $value := $element -}}
{{- if $rules.member -}}
{{- $key = printf "%s.%s" $key $rules.member -}}
{{- $value = get $element $rules.member -}}
{{- end }}
{{ include "authz-jsonmasking.refusal" (dict "key" $key "value" $value "refusals" $rules.refusals) }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Why the service refuses a text. Takes a map: key, value, refusals. */}}
{{- define "authz-jsonmasking.refusal" -}}
{{- $text := toString .value -}}
{{- range .refusals -}}
{{- if and (regexMatch .pattern $text) (not (and .unless (regexMatch .unless $text))) }}config.{{ $.key }} {{ .message }}{{ break }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Prints text if a value of the right type is out of range. Takes a map: reference, value. */}}
{{- define "authz-jsonmasking.isUnfit" -}}
{{- $reference := .reference -}}
{{- if kindIs "string" .value -}}
{{- if and $reference.enum (not (has .value $reference.enum)) }}not one of them{{ end -}}
{{- if lt (len .value) (int ($reference.minLength | default 0)) }}too short{{ end -}}
{{- if and (eq $reference.key "pdpPort") (not (regexMatch "^[0-9]+$" .value)) }}no number{{ end -}}
{{- else if or (kindIs "float64" .value) (kindIs "int64" .value) (kindIs "int" .value) -}}
{{- if and (eq $reference.key "pdpPort") (ne (float64 .value) (floor .value)) }}no integer{{ end -}}
{{- if and (hasKey $reference "minimum") (lt (float64 .value) (float64 $reference.minimum)) }}too small{{ end -}}
{{- if and (hasKey $reference "maximum") (gt (float64 .value) (float64 $reference.maximum)) }}too large{{ end -}}
{{- end -}}
{{- end -}}

{{/* The keys without another one that they need. Takes a map: config, requirements. */}}
{{- define "authz-jsonmasking.requirementProblems" -}}
{{- $config := .config -}}
{{- range .requirements -}}
{{- $given := include "authz-jsonmasking.anyGiven" (dict "config" $config "paths" .given) -}}
{{- if and $given (not (include "authz-jsonmasking.anyGiven" (dict "config" $config "paths" .needs))) }}
config.{{ .key }} {{ .message }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Prints something if one of the keys is given, whatever its value. Takes a map: config, paths. */}}
{{- define "authz-jsonmasking.anyGiven" -}}
{{- $config := .config -}}
{{- range .paths -}}
{{- $value := $config -}}
{{- range . -}}
{{- $value = index ($value | default dict) . -}}
{{- end -}}
{{- if not (kindIs "invalid" $value) }}given{{ end -}}
{{- end -}}
{{- end -}}

{{/* The problems between keys of the configuration, with the messages of the service. */}}
{{- define "authz-jsonmasking.relationProblems" -}}
{{- $config := include "authz-jsonmasking.config" . | fromJson -}}
{{- $reference := include "authz-jsonmasking.configReference" . | fromJson -}}
{{- $messages := $reference.messages -}}
{{- $remote := or $config.pdpUrl $config.pdpHost -}}
{{- $delay := include "authz-jsonmasking.configValue" (dict "context" . "key" "drainDelay") | float64 -}}
{{- $timeout := include "authz-jsonmasking.configValue" (dict "context" . "key" "drainTimeout") | float64 -}}
{{- if not (or $remote $config.policyFile) }}
{{ $messages.noPdp | replace "pdpUrl" "config.pdpUrl" | replace "pdpHost" "config.pdpHost" | replace "policyFile" "policies" }}
{{- end }}
{{- if and $remote (not (kindIs "invalid" $config.policyFile)) }}
config.policyFile {{ $messages.policyFileBesidePdp }}
{{- end }}
{{- include "authz-jsonmasking.requirementProblems" (dict "config" $config "requirements" $reference.requirements) }}
{{- include "authz-jsonmasking.tlsProblems" (dict "tls" ($config.tls | default dict) "messages" $messages) }}
{{- include "authz-jsonmasking.protocolProblems" (dict "config" $config "messages" $messages) }}
{{- include "authz-jsonmasking.strayProtocolKeys" (dict "config" $config "keys" $reference.protocols) }}
{{- include "authz-jsonmasking.pdpClientProblems" (dict "config" $config "messages" $messages) }}
{{- include "authz-jsonmasking.authzenProblems" (dict "context" . "config" $config "messages" $messages) }}
{{- if hasKey ($config.pdpContext | default dict) "vendor" }}
config.pdpContext {{ $messages.vendorInContext }}
{{- end }}
{{- $jwt := ($config.identity | default dict).jwt | default dict }}
{{- if and $jwt.issuer (not $jwt.jwksUri) }}
{{ include "authz-jsonmasking.refusal" (dict "key" "identity.jwt.issuer" "value" $jwt.issuer "refusals" $reference.urls) }}
{{- end }}
{{- $proxied := or (not $config.extProc) ($config.proxy | default dict).port }}
{{- $vendors := list }}
{{- range $index, $route := append ($config.routes | default list) ($config.otherwise | default dict) }}
{{- $vendor := ($route | default dict).vendor }}
{{- $vendors = append $vendors $vendor }}
{{- $key := ternary "otherwise" (printf "routes.%d" $index) (eq $index (len ($config.routes | default list))) }}
{{- include "authz-jsonmasking.vendorProblems" (dict "key" (printf "%s.vendor" $key) "value" $vendor "vendor" $reference.vendor "messages" $messages) }}
{{- end }}
{{- if and (not $jwt.issuer) $proxied (regexMatch "\\$\\{claims[.\\[]" (toRawJson $vendors)) }}
config.identity.jwt {{ $messages.claimsWithoutIdentity }}
{{- end }}
{{- if and $config.object (eq (toString $config.object) (toString $config.attrName)) }}
config.object {{ $messages.objectIsAttrName }}
{{- end }}
{{- if le $timeout $delay }}
config.drainTimeout {{ $messages.drainTimeoutTooShort }}
{{- end }}
{{- end -}}

{{/* The problems between the protocol and the address of the PDP. Takes a map: config, messages. */}}
{{- define "authz-jsonmasking.protocolProblems" -}}
{{- $protocol := .config.pdpProtocol | default "resolution" | toString -}}
{{- if and (ne $protocol "resolution") .config.policyFile }}
config.pdpProtocol {{ .messages.protocolOfEmbeddedPdp }}
{{- end }}
{{- $path := regexReplaceAll "^([A-Za-z][A-Za-z0-9+.-]*://)?[^/]*" (.config.pdpUrl | default "" | toString) "" -}}
{{- if and (eq $protocol "opa") (or .config.pdpHost (and .config.pdpUrl (or (not $path) (eq $path "/")))) }}
config.pdpUrl {{ .messages.opaWithoutDocument }}
{{- end }}
{{- end -}}

{{/* The keys that have no effect with the protocol of the PDP. Takes a map: config, keys. */}}
{{- define "authz-jsonmasking.strayProtocolKeys" -}}
{{- $config := .config -}}
{{- range .keys -}}
{{- $given := include "authz-jsonmasking.anyGiven" (dict "config" $config "paths" .given) -}}
{{- if and $given (not (has (toString $config.pdpProtocol) .protocols)) }}
config.{{ .key }} {{ .message }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The problems between the keys of the PDP client. Takes a map: config, messages. */}}
{{- define "authz-jsonmasking.pdpClientProblems" -}}
{{- $tls := .config.pdpTls | default dict -}}
{{- $address := default .config.pdpUrl .config.pdpHost | default "" | lower -}}
{{- $port := default (regexFind ":443$" $address | trimPrefix ":") .config.pdpPort | toString -}}
{{- $https := or (hasPrefix "https://" $address) (and (eq $port "443") (not (contains "://" $address))) -}}
{{- if and $tls (or $address .config.policyFile) (not $https) }}
config.pdpTls {{ .messages.pdpTlsWithoutHttps }}
{{- end }}
{{- if and (dig "pdpCache" "enabled" false .config) .config.policyFile }}
config.pdpCache.enabled {{ .messages.cacheOfEmbeddedPdp }}
{{- end }}
{{- end -}}

{{/* The properties of AuthZEN that are there twice, or whose action is no mask. Takes a map: context, config, messages. */}}
{{- define "authz-jsonmasking.authzenProblems" -}}
{{- $known := .context.Files.Get "files/policy-actions.json" | fromJson -}}
{{- $messages := .messages -}}
{{- $keys := .config.maskKeys | default dict -}}
{{- $paths := list -}}
{{- range $index, $property := (.config.authzen | default dict).properties -}}
{{- $paths = append $paths $property.path -}}
{{- $text := toString $property.action -}}
{{- $problem := include "authz-jsonmasking.actionProblem" (dict "text" $text "known" $known "keys" $keys "otherwise" $messages.action) -}}
{{- if regexMatch "^\\s*[0-9]+\\s*::" $text -}}
{{- $problem = $messages.priority -}}
{{- else if regexMatch $known.filter $text -}}
{{- $problem = $messages.filter -}}
{{- end -}}
{{- if and $problem (not (kindIs "invalid" $property.action)) }}
config.authzen.properties.{{ $index }}.action {{ $problem }}
{{- end -}}
{{- end -}}
{{- if ne (len $paths) (len (uniq $paths)) }}
config.authzen.properties {{ $messages.repeatedProperty }}
{{- end -}}
{{- end -}}

{{/* The problems between the keys of TLS. Takes a map: tls, messages. */}}
{{- define "authz-jsonmasking.tlsProblems" -}}
{{- $asks := has .tls.clientCertificates (list "request" "require") -}}
{{- if and $asks (not .tls.clientCaFile) }}
config.tls.clientCaFile {{ .messages.noClientAuthority }}
{{- end }}
{{- if and .tls.clientCaFile (not $asks) }}
config.tls.clientCertificates {{ .messages.idleClientAuthority }}
{{- end }}
{{- end -}}

{{/* The problems of a configuration that the service accepts and that can't work in a pod. */}}
{{- define "authz-jsonmasking.podProblems" -}}
{{- $config := include "authz-jsonmasking.config" . | fromJson -}}
{{- if and (or $config.pdpUrl $config.pdpHost) (include "authz-jsonmasking.policyFile" .) }}
policies configure the embedded PDP, and config has a remote PDP (pdpUrl or pdpHost); keep one of them
{{- end }}
{{- $mounted := include "authz-jsonmasking.policyFile" . }}
{{- if and $config.policyFile $mounted (not (has $config.policyFile (list $mounted (printf "/etc/authz-jsonmasking/%s" $mounted)))) }}
config.policyFile names another file than the policies of the chart, which are mounted as {{ $mounted }}; leave it out
{{- end }}
{{- if eq (toString $config.port) "0" }}
config.port must not be 0: the Service needs a fixed port
{{- end }}
{{- range $group := list "proxy" "extProc" }}
{{- if eq (dig $group "port" "" $config | toString) "0" }}
config.{{ $group }}.port must not be 0: other pods need a fixed port
{{- end }}
{{- end }}
{{- if .Values.enabled }}
{{- range $key := list "host" "metrics.host" "proxy.host" "extProc.host" }}
{{- include "authz-jsonmasking.loopbackProblem" (dict "config" $config "key" $key) }}
{{- end }}
{{- $probesWithTls := and (not (include "authz-jsonmasking.healthPort" .)) (include "authz-jsonmasking.plainProbes" .) }}
{{- if and (eq "require" (dig "tls" "clientCertificates" "" $config)) $probesWithTls }}
config.tls.clientCertificates is require, and the kubelet probes without a certificate; give config.health.port, which needs no certificate
{{- end }}
{{- else if dig "tls" "certFile" "" $config }}
config.tls cannot be given in a sidecar, whose own port is on loopback only; leave it out
{{- end }}
{{- if not .Values.enabled }}
{{- if .Values.sidecar.proxy.enabled }}
{{- include "authz-jsonmasking.loopbackProblem" (dict "config" $config "key" "proxy.host") }}
{{- else if dig "proxy" "port" "" $config }}
config.proxy has no effect in a sidecar without sidecar.proxy.enabled, because the Service would lead past it
{{- end }}
{{- end }}
{{- include "authz-jsonmasking.selfProblems" . }}
{{- if regexMatch "^(localhost|127\\..*|::1)$" (dig "health" "host" "" $config) }}
config.health.host must not be a loopback address, which the kubelet can't reach; leave it out
{{- end }}
{{- include "authz-jsonmasking.portProblems" $config }}
{{- end -}}

{{/* An address to listen on that other pods cannot reach. Takes a map: config, key. */}}
{{- define "authz-jsonmasking.loopbackProblem" -}}
{{- $host := .config -}}
{{- range splitList "." .key -}}
{{- $host = index ($host | default dict) . -}}
{{- end -}}
{{- if regexMatch "^(localhost|127\\..*|::1)$" (toString $host) }}
config.{{ .key }} must not be a loopback address, which is unreachable from outside the pod; leave it out
{{- end }}
{{- end -}}

{{/* Addresses that the service would ask itself at: that of the application behind the proxy, and that of the PDP. */}}
{{- define "authz-jsonmasking.selfProblems" -}}
{{- $config := include "authz-jsonmasking.config" . | fromJson -}}
{{- $upstream := dig "proxy" "upstream" "" $config | toString -}}
{{- $isOfSidecar := and (not .Values.enabled) (eq $upstream .Values.sidecar.proxy.upstream) -}}
{{- $hint := "give the address of the application" -}}
{{- include "authz-jsonmasking.selfProblem" (dict "config" $config "key" (ternary "sidecar.proxy.upstream" "config.proxy.upstream" $isOfSidecar) "url" $upstream "port" (include "authz-jsonmasking.urlPort" $upstream) "hint" $hint) }}
{{- $key := ternary "config.pdpHost" "config.pdpUrl" (not (empty $config.pdpHost)) -}}
{{- $address := default $config.pdpUrl $config.pdpHost | default "" | toString -}}
{{- include "authz-jsonmasking.selfProblem" (dict "config" $config "key" $key "url" $address "port" (include "authz-jsonmasking.pdpPort" .) "hint" "give the address of the PDP") }}
{{- end -}}

{{/* An address of the pod itself, at a port that the service listens on. Takes a map: config, key, url, port, hint. */}}
{{- define "authz-jsonmasking.selfProblem" -}}
{{- if regexMatch "(?i)^(https?://)?(localhost|127\\.[0-9.]+|0\\.0\\.0\\.0|\\[::1?\\])(:|/|$)" .url -}}
{{- $listeners := dict "port" .config.port -}}
{{- range $group := list "proxy" "extProc" "metrics" "health" "explain" -}}
{{- $_ := set $listeners (printf "%s.port" $group) (dig $group "port" "" $.config) -}}
{{- end -}}
{{- range $listener, $own := $listeners }}
{{- if eq $.port (toString $own) }}
{{ $.key }} leads back to the service itself ({{ $listener }}); {{ $.hint }}
{{- break }}
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* The listeners that share a port. Takes the configuration. */}}
{{- define "authz-jsonmasking.portProblems" -}}
{{- $taken := dict (toString .port) "config.port" -}}
{{- range $group := list "proxy" "extProc" "metrics" "health" "explain" }}
{{- with dig $group "port" "" $ }}
{{- $key := printf "config.%s.port" $group }}
{{- $other := get $taken (toString .) }}
{{- if and (eq $group "health") (eq $other "config.metrics.port") }}
{{- if ne (dig "health" "host" "" $) (dig "metrics" "host" "" $) }}
config.health.host must be metrics.host, as both are on one port
{{- end }}
{{- else }}
{{- with $other }}
{{ $key }} must differ from {{ . }}: each listener needs its own port
{{- end }}
{{- end }}
{{- $_ := set $taken (toString .) $key }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The probes that use the chart's own handler. */}}
{{- define "authz-jsonmasking.plainProbes" -}}
{{- range $probe := pick .Values "startupProbe" "livenessProbe" "readinessProbe" -}}
{{- if and $probe (not (or $probe.exec $probe.grpc $probe.tcpSocket)) }}plain{{ end -}}
{{- end -}}
{{- end -}}

{{/* The problems of other values, one per line. */}}
{{- define "authz-jsonmasking.problems" -}}
{{- include "authz-jsonmasking.sourceProblems" . }}
{{- with include "authz-jsonmasking.bareNumber" .Values.config }}
config has the text {{ . }}, which Helm would write as a number; give it in an existingConfigMap
{{- end }}
{{- range list "config" "policies" }}
{{- $name := . }}
{{- with include "authz-jsonmasking.characterProblem" (get $.Values .) }}
{{ $name }} {{ . }}
{{- end }}
{{- end }}
{{ include "authz-jsonmasking.actionProblems" . }}
{{ include "authz-jsonmasking.referenceProblems" . }}
{{ include "authz-jsonmasking.nameProblem" . }}
{{ include "authz-jsonmasking.servicePortProblem" . }}
{{ include "authz-jsonmasking.serviceTypeProblems" . }}
{{ include "authz-jsonmasking.argumentsProblem" . }}
{{ include "authz-jsonmasking.labelProblems" . }}
{{ include "authz-jsonmasking.sidecarProblems" . }}
{{ include "authz-jsonmasking.capacityProblems" . }}
{{ include "authz-jsonmasking.resourceProblems" . }}
{{ include "authz-jsonmasking.routeProblems" . }}
{{ include "authz-jsonmasking.monitoringProblems" . }}
{{ include "authz-jsonmasking.dnsProblem" . }}
{{- end -}}

{{/* A name that the resources cannot have. That of a Service allows less than that of the ConfigMap of a sidecar. */}}
{{- define "authz-jsonmasking.nameProblem" -}}
{{- $name := include "authz-jsonmasking.fullname" . -}}
{{- $pattern := ternary "^[a-z]([a-z0-9-]*[a-z0-9])?$" "^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$" .Values.enabled -}}
{{- if not (regexMatch $pattern $name) }}
fullnameOverride, or nameOverride, must be lowercase letters, digits and hyphens, with a letter first: Kubernetes refuses the name {{ $name }}
{{- end }}
{{- end -}}

{{/* A port that the Service would have twice. The metrics have a Service of their own. */}}
{{- define "authz-jsonmasking.servicePortProblem" -}}
{{- if and .Values.enabled .Values.service.port -}}
{{- $others := dict "proxy" (include "authz-jsonmasking.proxyPort" .) "extProc" (include "authz-jsonmasking.extProcPort" .) -}}
{{- range $group, $port := $others }}
{{- if eq $port (toString $.Values.service.port) }}
service.port must differ from config.{{ $group }}.port, which is a port of the Service, too
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Fields of the Service that its type does not have. */}}
{{- define "authz-jsonmasking.serviceTypeProblems" -}}
{{- $types := dict "nodePort" (list "NodePort" "LoadBalancer") "externalTrafficPolicy" (list "NodePort" "LoadBalancer") "loadBalancerClass" (list "LoadBalancer") "loadBalancerSourceRanges" (list "LoadBalancer") -}}
{{- range $field, $known := $types }}
{{- if and (get $.Values.service $field) (not (has $.Values.service.type $known)) }}
service.{{ $field }} needs service.type {{ join " or " $known }}
{{- end }}
{{- end }}
{{- if and (eq (toString .Values.service.clusterIP) "None") (ne .Values.service.type "ClusterIP") }}
service.clusterIP must not be None with service.type {{ .Values.service.type }}
{{- end }}
{{- end -}}

{{/* Arguments that end the service at once, or that it does not know. */}}
{{- define "authz-jsonmasking.argumentsProblem" -}}
{{- if and .Values.extraArgs (not (regexMatch "^(--(log|ready)-file(=|\n)[^-\n][^\n]*(\n|$))+$" (join "\n" .Values.extraArgs))) }}
extraArgs must be --log-file or --ready-file, each with a file
{{- end }}
{{- end -}}

{{/* Labels that would replace the selector labels of the Deployment and the Services. */}}
{{- define "authz-jsonmasking.labelProblems" -}}
{{- $selectors := include "authz-jsonmasking.selectorLabels" . | fromYaml -}}
{{- range $value := list "commonLabels" "podLabels" }}
{{- range $label, $_ := get $.Values $value }}
{{- if hasKey $selectors $label }}
{{ $value }}.{{ $label }} must not be given: the Deployment and the Services find the pods by it
{{- end }}
{{- end }}
{{- end }}
{{- range $value, $labels := dict "commonLabels" .Values.commonLabels "service.labels" .Values.service.labels }}
{{- range $label, $_ := $labels }}
{{- if eq $label "app.kubernetes.io/component" }}
{{ $value }}.{{ $label }} must not be given: Prometheus finds the Service of the metrics by it
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Values of the Deployment and of what is around it, where only a sidecar is rendered: nothing would heed them. */}}
{{- define "authz-jsonmasking.sidecarProblems" -}}
{{- if .isAlone -}}
{{- range list "affinity" "deploymentAnnotations" "deploymentLabels" "dnsConfig" "dnsPolicy" "extraContainers" "extraInitContainers" "extraObjects" "hostAliases" "nodeSelector" "podAnnotations" "podLabels" "priorityClassName" "runtimeClassName" "schedulerName" "tolerations" }}
{{- if get $.Values . }}
{{ . }} has no effect on a sidecar, which runs in the pods of another chart: give it to that chart
{{- end }}
{{- end }}
{{- range list "autoscaling" "dashboard" "httpRoute" "ingress" "networkPolicy" "prometheusRule" "serviceMonitor" "verticalPodAutoscaler" }}
{{- if (get $.Values . | default dict).enabled }}
{{ . }}.enabled has no effect on a sidecar, which runs in the pods of another chart: give it to that chart
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "authz-jsonmasking.sourceProblems" -}}
{{- if gt (len (compact (list (ternary "policies" "" (not (empty .Values.policies))) .Values.existingPoliciesConfigMap .Values.existingPoliciesSecret))) 1 }}
policies, existingPoliciesConfigMap and existingPoliciesSecret exclude each other
{{- end }}
{{- range $index, $scope := (.Values.policies | default dict).scopes }}
{{- if hasKey $scope "clientSecret" }}
policies.scopes[{{ $index }}].clientSecret must not be in a ConfigMap; put the policy file into a Secret and name it in existingPoliciesSecret
{{- end }}
{{- end }}
{{- end -}}

{{/*
The actions of the policies that the embedded PDP does not take, in its own words, one per line. The text of a literal may be
anything that is not meant as an action. Beside an empty value, the name is the text.
*/}}
{{- define "authz-jsonmasking.actionProblems" -}}
{{- $known := .Files.Get "files/policy-actions.json" | fromJson -}}
{{- $keys := ternary nil ((.Values.config | default dict).maskKeys | default dict) (not (empty .Values.existingConfigMap)) -}}
{{- range $index, $policy := (.Values.policies | default dict).policies -}}
{{- $isLiteral := kindIs "map" $policy.action -}}
{{- $text := toString $policy.action -}}
{{- $member := "" -}}
{{- if $isLiteral }}
{{- $member = ternary "name" "value" (regexMatch $known.blank (toString $policy.action.value)) -}}
{{- $text = toString (get $policy.action $member) -}}
{{- end -}}
{{- $otherwise := ternary "" $known.message $isLiteral -}}
{{- $problem := include "authz-jsonmasking.actionProblem" (dict "text" $text "known" $known "keys" $keys "otherwise" $otherwise) -}}
{{- if $problem }}
policies.policies[{{ $index }}].action{{ with $member }}.{{ . }}{{ end }} {{ $problem }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Why a text is no action. Takes a map: text, known; keys, the configured keys of hashes, if they are known; otherwise, what to say of a text
that does not even begin as an action.
*/}}
{{- define "authz-jsonmasking.actionProblem" -}}
{{- $problem := .otherwise -}}
{{- range .known.openings -}}
{{- if regexMatch .begins $.text }}{{ $problem = .message }}{{ end -}}
{{- end -}}
{{- if regexMatch .known.pattern .text -}}
{{- $problem = include "authz-jsonmasking.argumentProblem" . -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* Why the argument of an action can't be used. Takes a map: text, known; keys, the configured keys of hashes, if they are known. */}}
{{- define "authz-jsonmasking.argumentProblem" -}}
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
{{- else if and (kindIs "map" .keys) (regexMatch .known.key.pattern .text) -}}
{{- if not (hasKey .keys (regexReplaceAll .known.key.pattern .text "${1}")) }}{{ .known.key.message }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* What does not hold between the parts of the policies, in the words of the embedded PDP, one per line. */}}
{{- define "authz-jsonmasking.referenceProblems" -}}
{{- $file := .Values.policies | default dict -}}
{{- $references := (.Files.Get "files/policy-actions.json" | fromJson).references -}}
{{- $clients := list -}}
{{- range $index, $scope := $file.scopes -}}
{{- if has (toString $scope.clientId) $clients }}
policies.scopes[{{ $index }}].clientId {{ $references.repeated }}
{{- end -}}
{{- $clients = append $clients (toString $scope.clientId) -}}
{{- end -}}
{{- $own := merge (dict) (pick $file "attrName" "object" "assetType") $references.names -}}
{{- $names := list -}}
{{- $used := list -}}
{{- range $index, $policy := $file.policies -}}
{{- if has (toString $policy.name) $names }}
policies.policies[{{ $index }}].name {{ $references.repeated }}
{{- end -}}
{{- $names = append $names (toString $policy.name) -}}
{{- $used = append $used (toString ($policy.assetType | default $own.assetType)) -}}
{{- range $place, $scope := $policy.scopes -}}
{{- if not (has (toString $scope) $clients) }}
policies.policies[{{ $index }}].scopes[{{ $place }}] {{ $references.unknownScope }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $assetType, $_ := $file.mappers }}
{{- if not (has $assetType $used) }}
policies.mappers.{{ $assetType }} {{ $references.unusedAssetType }}
{{- end }}
{{- end }}
{{- if $file }}
{{- if regexMatch "[{,]\"__proto__\":" (toJson $file) }}
policies has the key __proto__, which is not allowed
{{- end }}
{{- if eq (toString $own.attrName) (toString $own.object) }}
policies.object {{ $references.sameNames }}
{{- end }}
{{- range $name, $value := pick ($.Values.config | default dict) "attrName" "object" }}
{{- if and (not (kindIs "invalid" $value)) (ne (toString $value) (toString (get $own $name))) }}
policies.{{ $name }} is {{ get $own $name }}, and config.{{ $name }} is {{ $value }}; remove it from config, or make both the same
{{- end }}
{{- end }}
{{- end -}}
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
autoscaling needs a target: targetCPUUtilizationPercentage, targetMemoryUtilizationPercentage or metrics
{{- end }}
{{- end }}
{{- end }}
{{- include "authz-jsonmasking.autoscalerProblems" . }}
{{- include "authz-jsonmasking.replacementProblems" . }}
{{- with .Values.podDisruptionBudget.minAvailable }}
{{- $kept := int . -}}
{{- if kindIs "string" . }}{{ $kept = divf (mulf (trimSuffix "%" . | float64) (float64 $minimum)) 100 | ceil | int }}{{ end }}
{{- if and $.Values.podDisruptionBudget.enabled (ge $kept (int $minimum)) (gt (int $minimum) 0) }}
podDisruptionBudget.minAvailable must be less than the number of pods ({{ int $minimum }}), otherwise no node can be drained
{{- end }}
{{- end }}
{{- $stopping := include "authz-jsonmasking.stoppingSeconds" . | int }}
{{- if and .Values.enabled (le (int .Values.terminationGracePeriodSeconds) $stopping) }}
terminationGracePeriodSeconds must be more than {{ $stopping }} seconds, which is drainTimeout
{{- end }}
{{- if and .Values.enabled (ge (int .Values.minReadySeconds) (int .Values.progressDeadlineSeconds)) }}
progressDeadlineSeconds must be more than minReadySeconds, otherwise no upgrade succeeds
{{- end }}
{{- end -}}

{{/* What would keep pods from being replaced or evicted. */}}
{{- define "authz-jsonmasking.replacementProblems" -}}
{{- if .Values.enabled -}}
{{- $strategy := .Values.updateStrategy | default dict -}}
{{- $rolling := ternary dict ($strategy.rollingUpdate | default dict) (eq (toString $strategy.type) "Recreate") -}}
{{- $budget := .Values.podDisruptionBudget -}}
{{- if and (regexMatch "^0+%?$" (toString $rolling.maxSurge)) (regexMatch "^0+%?$" (toString $rolling.maxUnavailable)) }}
updateStrategy.rollingUpdate must not have 0 as maxSurge and as maxUnavailable: no pod could be replaced
{{- end }}
{{- if and $budget.enabled (kindIs "invalid" $budget.minAvailable) (regexMatch "^0+%?$" (toString $budget.maxUnavailable)) }}
podDisruptionBudget.maxUnavailable must not be 0, otherwise no node can be drained
{{- end }}
{{- if and $budget.enabled (kindIs "invalid" $budget.minAvailable) (kindIs "invalid" $budget.maxUnavailable) }}
podDisruptionBudget needs maxUnavailable or minAvailable, otherwise no node can be drained
{{- end }}
{{- end }}
{{- end -}}

{{/* The resources that two autoscalers would both control. */}}
{{- define "authz-jsonmasking.autoscalerProblems" -}}
{{- $targets := dict "cpu" .Values.autoscaling.targetCPUUtilizationPercentage "memory" .Values.autoscaling.targetMemoryUtilizationPercentage -}}
{{- $resources := .Values.resources | default dict -}}
{{- range $resource, $target := $targets }}
{{- $asked := or (get ($resources.requests | default dict) $resource) (get ($resources.limits | default dict) $resource) }}
{{- if and $.Values.enabled $.Values.autoscaling.enabled $target (not $asked) }}
resources.requests.{{ $resource }} is required: autoscaling scales by a percentage of it
{{- end }}
{{- end }}
{{- with .Values.verticalPodAutoscaler -}}
{{- if and .enabled $.Values.autoscaling.enabled (ne .updateMode "Off") -}}
{{- range $resource, $target := $targets }}
{{- if and $target (has $resource $.Values.verticalPodAutoscaler.controlledResources) }}
verticalPodAutoscaler.controlledResources must not have {{ $resource }}, because autoscaling already scales by it
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Settings and requests that need more than the limits of the container. */}}
{{- define "authz-jsonmasking.resourceProblems" -}}
{{- $ofSidecar := and (not .Values.enabled) (not (empty .Values.sidecar.resources)) }}
{{- $key := ternary "sidecar.resources" "resources" $ofSidecar }}
{{- $resources := (ternary .Values.sidecar.resources .Values.resources $ofSidecar) | default dict }}
{{- $limits := $resources.limits | default dict }}
{{- range $resource, $request := $resources.requests }}
{{- $limit := get $limits $resource }}
{{- $allowed := include "authz-jsonmasking.quantity" $limit }}
{{- if and $allowed (gt (include "authz-jsonmasking.quantity" $request | float64) (float64 $allowed)) }}
{{ $key }}.requests.{{ $resource }} must not be more than {{ $key }}.limits.{{ $resource }} ({{ $limit }})
{{- end }}
{{- end }}
{{- if not .Values.existingConfigMap }}
{{- $millicores := include "authz-jsonmasking.millicores" (get $limits "cpu") | int }}
{{- $workers := include "authz-jsonmasking.configValue" (dict "context" . "key" "workers") }}
{{- if and $millicores (ne $workers "auto") (gt (mul (int $workers) 1000) (max $millicores 1000)) }}
config.workers must be at most {{ max (div $millicores 1000) 1 }}: {{ $key }}.limits.cpu allows no more
{{- end }}
{{- $megabytes := include "authz-jsonmasking.megabytes" (get $limits "memory") | int }}
{{- $processes := ternary (divf (float64 (max $millicores 1000)) 1000 | ceil | int) (int $workers) (eq $workers "auto") }}
{{- $inFlight := include "authz-jsonmasking.configValue" (dict "context" . "key" "maxInFlightBody") | int }}
{{- $needed := mul $processes (add 120 (mul 6 $inFlight)) }}
{{- if and $megabytes (gt $needed $megabytes) }}
config.maxInFlightBody may need {{ $needed }} MB (120 MB and six times {{ $inFlight }} MB for each process), and {{ $key }}.limits.memory has {{ $megabytes }} MB; lower it, or raise the limit
{{- end }}
{{- end }}
{{- end -}}

{{/* A quantity as Kubernetes reads it, such as 100m, 1.5Gi or 1e3: a number without a unit; empty if it is not a quantity. */}}
{{- define "authz-jsonmasking.quantity" -}}
{{- $units := dict "" 1 "n" 1e-9 "u" 1e-6 "m" 1e-3 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 "Ei" 1152921504606846976 -}}
{{- $text := toString . -}}
{{- $number := regexFind "^[+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?" $text -}}
{{- $unit := trimPrefix $number $text -}}
{{- if and $number (hasKey $units $unit) -}}
{{- mulf (float64 $number) (get $units $unit | float64) | printf "%f" -}}
{{- end -}}
{{- end -}}

{{/* A quantity of CPU in thousandths of a core; empty if it is not a quantity. */}}
{{- define "authz-jsonmasking.millicores" -}}
{{- with include "authz-jsonmasking.quantity" . -}}{{- mulf (float64 .) 1000 | int64 -}}{{- end -}}
{{- end -}}

{{/* A quantity of memory in MB (1,048,576 bytes, as in the configuration), rounded down; empty if it is not a quantity. */}}
{{- define "authz-jsonmasking.megabytes" -}}
{{- with include "authz-jsonmasking.quantity" . -}}{{- divf (float64 .) 1048576 | int64 -}}{{- end -}}
{{- end -}}

{{/*
What two parts of a pod must not both have, and mounts without a volume. A sidecar may mount volumes of the microservice. For values
without other problems.
*/}}
{{- define "authz-jsonmasking.mountProblems" -}}
{{- $volumes := list -}}
{{- range include "authz-jsonmasking.volumes" . | fromYamlArray }}
{{- if has .name $volumes }}
extraVolumes must not have {{ .name }}: a volume of this name is there already
{{- end }}
{{- $volumes = append $volumes .name }}
{{- end }}
{{- $folders := list }}
{{- range (include "authz-jsonmasking.containerBase" . | fromYaml).volumeMounts }}
{{- $folder := clean .mountPath }}
{{- if has $folder $folders }}
{{ ternary "certificates" "extraVolumeMounts" (hasPrefix "authz-jsonmasking-" .name) }} must not have the mountPath {{ .mountPath }}: another volume is mounted there
{{- end }}
{{- $folders = append $folders $folder }}
{{- if and $.Values.enabled (not (has .name $volumes)) }}
extraVolumeMounts has {{ .name }}, and no volume has this name; add it to extraVolumes
{{- end }}
{{- end }}
{{- $containers := list "authz-jsonmasking" }}
{{- range concat .Values.extraInitContainers .Values.extraContainers }}
{{- if has .name $containers }}
extraContainers and extraInitContainers must not have {{ .name }}: a container of this name is there already
{{- end }}
{{- $containers = append $containers .name }}
{{- end }}
{{- end -}}

{{- define "authz-jsonmasking.routeProblems" -}}
{{- with .Values.ingress }}
{{- if and .enabled (not .hosts) }}
ingress.hosts is required: an Ingress without hosts matches the requests for all hosts
{{- end }}
{{- range $index, $entry := ternary .hosts list .enabled }}
{{- $host := tpl $entry.host $ }}
{{- if or (not (regexMatch "^([*][.])?[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" $host)) (regexMatch "^[0-9.]+$" $host) }}
ingress.hosts[{{ $index }}].host must be the name of a host, and is {{ $host | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.httpRoute }}
{{- if and .enabled (not .parentRefs) }}
httpRoute.parentRefs is required: list the gateways of the route
{{- end }}
{{- if and .enabled (not .matches) }}
httpRoute.matches is required: an HTTPRoute without matches takes the requests for all paths
{{- end }}
{{- end }}
{{- range $name := list "ingress" "httpRoute" }}
{{- $route := get $.Values $name }}
{{- if and $route.enabled (eq $route.port "proxy") (not (include "authz-jsonmasking.proxyPort" $)) }}
{{ $name }}.port must be http: the service has no reverse proxy; give config.proxy
{{- end }}
{{- end }}
{{- with .Values.networkPolicy }}
{{- if and .enabled (not .callers) (not .extraIngress) }}
networkPolicy.callers is required: without it, no pod can call the service
{{- end }}
{{- if and .enabled $.Values.existingConfigMap (not .pdp.ports) (not .extraEgress) (not (include "authz-jsonmasking.policyFile" $)) }}
networkPolicy.pdp.ports is required next to existingConfigMap, in which Helm does not see the address of the PDP
{{- end }}
{{- if and .enabled (include "authz-jsonmasking.proxyPort" $) (not (include "authz-jsonmasking.upstreamPorts" $)) (not .extraEgress) }}
networkPolicy.upstream.ports is required next to existingConfigMap, in which Helm does not see the address of the application
{{- end }}
{{- end }}
{{- end -}}

{{- define "authz-jsonmasking.monitoringProblems" -}}
{{- range $name := list "serviceMonitor" "prometheusRule" "dashboard" }}
{{- if and (get $.Values $name).enabled (not (include "authz-jsonmasking.metricsPort" $)) }}
{{ $name }}.enabled needs a port to scrape; give config.metrics.port
{{- end }}
{{- end }}
{{- include "authz-jsonmasking.scrapeProblem" . }}
{{- include "authz-jsonmasking.boundProblems" . }}
{{- end -}}

{{/* A duration as Prometheus writes it, such as 1m30s, in milliseconds. */}}
{{- define "authz-jsonmasking.milliseconds" -}}
{{- $units := dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 "d" 86400000 "w" 604800000 "y" 31536000000 -}}
{{- $sum := 0.0 -}}
{{- range regexFindAll "[0-9]+(ms|[ywdhms])" . -1 -}}
{{- $number := regexFind "^[0-9]+" . -}}
{{- $sum = addf $sum (mulf (float64 $number) (get $units (trimPrefix $number .))) -}}
{{- end -}}
{{- printf "%f" $sum -}}
{{- end -}}

{{/* A ServiceMonitor that the Prometheus operator passes over. */}}
{{- define "authz-jsonmasking.scrapeProblem" -}}
{{- with .Values.serviceMonitor -}}
{{- if and .enabled .interval .scrapeTimeout (gt (include "authz-jsonmasking.milliseconds" .scrapeTimeout | float64) (include "authz-jsonmasking.milliseconds" .interval | float64)) }}
serviceMonitor.scrapeTimeout must not be more than serviceMonitor.interval ({{ .interval }}): the operator passes over such a ServiceMonitor
{{- end }}
{{- end }}
{{- end -}}

{{/* Recommendations whose bounds contradict each other. */}}
{{- define "authz-jsonmasking.boundProblems" -}}
{{- with .Values.verticalPodAutoscaler -}}
{{- $most := .maxAllowed | default dict -}}
{{- range $resource, $least := ternary (.minAllowed | default dict) dict .enabled }}
{{- $bound := include "authz-jsonmasking.quantity" (get $most $resource) }}
{{- if and $bound (gt (include "authz-jsonmasking.quantity" $least | float64) (float64 $bound)) }}
verticalPodAutoscaler.minAllowed.{{ $resource }} must not be more than verticalPodAutoscaler.maxAllowed.{{ $resource }} ({{ get $most $resource }})
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Pods that would have no name server. */}}
{{- define "authz-jsonmasking.dnsProblem" -}}
{{- if and (eq .Values.dnsPolicy "None") (not (.Values.dnsConfig | default dict).nameservers) }}
dnsConfig.nameservers is required with dnsPolicy None
{{- end }}
{{- end -}}

{{/* How many seconds a pod may take to stop. The durations in the configuration are milliseconds; drainDelay is a part of drainTimeout. */}}
{{- define "authz-jsonmasking.stoppingSeconds" -}}
{{- $timeout := include "authz-jsonmasking.configValue" (dict "context" . "key" "drainTimeout") -}}
{{- divf (float64 $timeout) 1000 | ceil | int64 -}}
{{- end -}}
