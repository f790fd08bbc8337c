{{/*
Prints something if OPA answers only what the policy of the chart allows. A bundle that owns everything would erase that policy, so
it is left out if there are only bundles, and if the arguments have an authorization already.
*/}}
{{- define "policy-agent.opaAuthorized" -}}
{{- if and (eq (include "policy-agent.protocol" .) "opa") (include "policy-agent.hasPolicies" .) -}}
{{- if not (regexMatch "--authorization[ =]" (join " " .Values.pdp.opa.args)) -}}yes{{- end -}}
{{- end -}}
{{- end -}}

{{/* The paths of the decisions, as JSON: the document, and that of the authorizer's own `pdpUrl` if it leads to this OPA. */}}
{{- define "policy-agent.opaDecisions" -}}
{{- $paths := list (include "policy-agent.opaPath" .) -}}
{{- $own := printf "^(?i:http://)?%s[.:/]" (include "policy-agent.pdpName" .) -}}
{{- with get .Subcharts "authz-jsonmasking" -}}
{{- $url := (include "authz-jsonmasking.givenPdp" . | fromJson).pdpUrl | default "" -}}
{{- if regexMatch (printf "%s.*/v1/" $own) $url -}}
{{- $paths = append $paths (regexReplaceAll "^[^/]*(//[^/]*)?/" $url "") -}}
{{- end -}}
{{- end -}}
{{- $split := list -}}
{{- range uniq $paths -}}
{{- $split = append $split (splitList "/" (urlParse (printf "http://opa/%s" .)).path | rest) -}}
{{- end -}}
{{- toRawJson $split -}}
{{- end -}}

{{/* What OPA answers: decisions, health and metrics. */}}
{{- define "policy-agent.opaAuthorization" -}}
# OPA refuses everything else, such as to change policies and data, or to list them.
package system.authz

import rego.v1

default allow := false

allow if {
	input.method == "POST"
	input.path in decisions
	not input.params.explain
}

allow if {
	input.method == "GET"
	input.path[0] == "health"
}

allow if {
	input.method == "GET"
	input.path == ["metrics"]
}

decisions := {{ include "policy-agent.opaDecisions" . }}
{{- end -}}

{{/*
Prints something if OPA has to watch its policies: those of a ConfigMap that exists already change without an upgrade. To read files
again, OPA discards the data of bundles, so it watches none if its configuration may have bundles.
*/}}
{{- define "policy-agent.opaWatches" -}}
{{- if and .Values.pdp.opa.existingPoliciesConfigMap (not (include "policy-agent.opaConfigured" .)) -}}yes{{- end -}}
{{- end -}}
