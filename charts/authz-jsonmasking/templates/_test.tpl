{{/* The labels of the pod of `helm test`, which the Service must not select. */}}
{{- define "authz-jsonmasking.testLabels" -}}
app.kubernetes.io/name: {{ include "authz-jsonmasking.name" . }}-test
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* The URL of the service inside of the cluster. */}}
{{- define "authz-jsonmasking.url" -}}
{{- $host := printf "%s.%s.svc" (include "authz-jsonmasking.fullname" .) .Release.Namespace -}}
{{- printf "%s://%s:%v" (include "authz-jsonmasking.scheme" .) $host (include "authz-jsonmasking.servicePort" .) -}}
{{- end -}}

{{/* The sample to enforce, as JSON. */}}
{{- define "authz-jsonmasking.sampleRequest" -}}
{{- $payload := dict "id" "c1" "name" "Ann Lee" -}}
{{- default (dict "parameters" dict "vendor" dict "json" $payload) .Values.test.request | toRawJson -}}
{{- end -}}

{{/* What the script of `helm test` is told. */}}
{{- define "authz-jsonmasking.testEnv" -}}
- name: SERVICE_URL
  value: {{ include "authz-jsonmasking.url" . }}
- name: HEADERS
  value: {{ toRawJson .Values.test.headers | quote }}
{{- if .Values.test.existingSecret }}
- name: REQUEST
  valueFrom:
    secretKeyRef:
      name: {{ .Values.test.existingSecret }}
      key: request.json
- name: EXPECTED
  valueFrom:
    secretKeyRef:
      name: {{ .Values.test.existingSecret }}
      key: expected.json
      optional: true
{{- else }}
- name: REQUEST
  value: {{ include "authz-jsonmasking.sampleRequest" . | quote }}
{{- if not (kindIs "invalid" .Values.test.expected) }}
- name: EXPECTED
  value: {{ toRawJson .Values.test.expected | quote }}
{{- end }}
{{- end }}
{{- end -}}
