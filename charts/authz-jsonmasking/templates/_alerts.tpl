{{/* The codes of errors with a status of 500 or more, without those that only readiness and stopping pods have. */}}
{{- define "authz-jsonmasking.failures" -}}
"internal-error|pdp-unreachable|pdp-failed|pdp-timeout|response-not-enforceable|decision-not-understood|upstream-unreachable|upstream-failed|upstream-timeout|request-loop|identity-unavailable|overloaded"
{{- end -}}

{{/* What selects the counters of all places: requests to `/enforce`, exchanges through the proxy, and those that Envoy sends. */}}
{{- define "authz-jsonmasking.enforced" -}}
__name__=~"authz_jsonmasking_(requests|ext_proc_exchanges)_total",route!~"/health/.*|/openapi.json|unknown"
{{- end -}}

{{/* The outcomes of calls in which the PDP has not failed: it has answered, or a caller was wrong or gone. */}}
{{- define "authz-jsonmasking.noFailures" -}}
"answered|cancelled|pdp-unauthorized|pdp-forbidden|request-invalid"
{{- end -}}

{{/* The chart's own alerts, the most urgent first. */}}
{{- define "authz-jsonmasking.alerts" -}}
{{- $pods := printf "job=%q,namespace=%q" (include "authz-jsonmasking.metricsName" .) (include "authz-jsonmasking.namespace" .) -}}
{{- $runbook := .Values.prometheusRule.runbookUrl -}}
{{- $pod := "{{ $labels.pod }}" -}}
{{- $value := "{{ $value | humanizePercentage }}" -}}
- alert: AuthzJsonmaskingDown
  expr: absent(up{ {{- $pods -}} } == 1)
  for: 5m
  labels:
    severity: critical
  annotations:
    runbook_url: {{ printf "%s#no-pod-is-up" $runbook | quote }}
    summary: No pod of the JSON masking authorizer is up.
    description: Prometheus has reached no pod for 5 minutes. Callers get no masked payloads.
- alert: AuthzJsonmaskingPdpFails
  expr: >-
    sum(rate(authz_jsonmasking_pdp_calls_total{ {{- $pods -}} ,outcome!~{{ include "authz-jsonmasking.noFailures" . }}}[5m]))
    / sum(rate(authz_jsonmasking_pdp_calls_total{ {{- $pods -}} }[5m])) > 0.05
  for: 5m
  labels:
    severity: critical
  annotations:
    runbook_url: {{ printf "%s#the-pdp-is-down-or-slow" $runbook | quote }}
    summary: Calls of the PDP fail.
    description: {{ printf "%s of the calls fail. Their requests are answered with an error, never unmasked." $value | quote }}
- alert: AuthzJsonmaskingErrors
  expr: >-
    sum(rate(authz_jsonmasking_errors_total{ {{- $pods -}} ,code=~{{ include "authz-jsonmasking.failures" . }}}[5m]))
    / sum(rate({ {{- include "authz-jsonmasking.enforced" . -}} , {{- $pods -}} }[5m])) > 0.05
  for: 10m
  labels:
    severity: warning
  annotations:
    runbook_url: {{ printf "%s#requests-are-answered-with-errors" $runbook | quote }}
    summary: The JSON masking authorizer answers with errors.
    description: {{ printf "%s of the requests and exchanges are answered with an error of the service: a status of 500 or more." $value | quote }}
- alert: AuthzJsonmaskingOverloaded
  expr: sum(rate(authz_jsonmasking_errors_total{ {{- $pods -}} ,code="overloaded"}[5m])) > 0
  for: 10m
  labels:
    severity: warning
  annotations:
    runbook_url: {{ printf "%s#there-is-too-much-to-do" $runbook | quote }}
    summary: The JSON masking authorizer has too much to do.
    description: For 10 minutes, requests have been refused because too many were in progress. More pods would help.
- alert: AuthzJsonmaskingSlow
  expr: >-
    histogram_quantile(0.99,
    sum by (le) (rate(authz_jsonmasking_request_duration_seconds_bucket{ {{- $pods -}} ,route="/enforce"}[5m]))) > 2.5
  for: 10m
  labels:
    severity: warning
  annotations:
    runbook_url: {{ printf "%s#requests-are-slow" $runbook | quote }}
    summary: The JSON masking authorizer is slow.
    description: One request in a hundred takes longer than 2.5 seconds. The time of the PDP is a part of it.
- alert: AuthzJsonmaskingPoliciesRejected
  expr: sum(increase(authz_jsonmasking_policies_load_failures_total{ {{- $pods -}} }[15m])) > 0
  labels:
    severity: warning
  annotations:
    runbook_url: {{ printf "%s#a-changed-policy-file-is-rejected" $runbook | quote }}
    summary: The JSON masking authorizer rejects a changed policy file.
    description: The new version is not valid. The policies that were loaded before stay in use.
- alert: AuthzJsonmaskingPodDown
  expr: up{ {{- $pods -}} } == 0
  for: 10m
  labels:
    severity: warning
  annotations:
    runbook_url: {{ printf "%s#a-pod-is-down" $runbook | quote }}
    summary: A pod of the JSON masking authorizer is down.
    description: {{ printf "Prometheus has not reached %s for 10 minutes." $pod | quote }}
{{- end -}}

{{/* The chart's own recording rules: what the alerts look at, for every release, to draw and to set objectives by. */}}
{{- define "authz-jsonmasking.records" -}}
{{- $pods := printf "job=%q,namespace=%q" (include "authz-jsonmasking.metricsName" .) (include "authz-jsonmasking.namespace" .) -}}
- record: job_namespace:authz_jsonmasking_request_errors:ratio_rate5m
  expr: >-
    sum by (job, namespace) (rate(authz_jsonmasking_errors_total{ {{- $pods -}} ,code=~{{ include "authz-jsonmasking.failures" . }}}[5m]))
    / sum by (job, namespace) (rate({ {{- include "authz-jsonmasking.enforced" . -}} , {{- $pods -}} }[5m]))
- record: job_namespace:authz_jsonmasking_pdp_failures:ratio_rate5m
  expr: >-
    sum by (job, namespace) (rate(authz_jsonmasking_pdp_calls_total{ {{- $pods -}} ,outcome!~{{ include "authz-jsonmasking.noFailures" . }}}[5m]))
    / sum by (job, namespace) (rate(authz_jsonmasking_pdp_calls_total{ {{- $pods -}} }[5m]))
- record: job_namespace:authz_jsonmasking_request_duration_seconds:p99_rate5m
  expr: >-
    histogram_quantile(0.99,
    sum by (job, namespace, le) (rate(authz_jsonmasking_request_duration_seconds_bucket{ {{- $pods -}} ,route="/enforce"}[5m])))
- record: job_namespace:authz_jsonmasking_properties_changed:rate5m
  expr: sum by (job, namespace) (rate(authz_jsonmasking_properties_changed_total{ {{- $pods -}} }[5m]))
{{- end -}}
