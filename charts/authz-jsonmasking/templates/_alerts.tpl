{{/* The chart's own alerts. */}}
{{- define "authz-jsonmasking.alerts" -}}
{{- $job := printf "job=%q,namespace=%q" (include "authz-jsonmasking.fullname" .) .Release.Namespace -}}
- alert: AuthzJsonmaskingDown
  expr: absent(up{ {{- $job -}} } == 1)
  for: 5m
  labels:
    severity: critical
  annotations:
    summary: No pod of the JSON masking authorizer is up.
    description: Prometheus has reached no pod for 5 minutes, so callers get no masked payloads.
- alert: AuthzJsonmaskingPodDown
  expr: up{ {{- $job -}} } == 0
  for: 10m
  labels:
    severity: warning
  annotations:
    summary: A pod of the JSON masking authorizer is down.
    description: {{ "Prometheus has not reached {{ $labels.pod }} for 10 minutes." | quote }}
{{- end -}}
