{{/* The labels of the pod of `helm test`, which the Service must not select. */}}
{{- define "authz-jsonmasking.testLabels" -}}
app.kubernetes.io/name: {{ include "authz-jsonmasking.name" . | trunc 58 | trimSuffix "-" }}-test
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* The name of the Service inside of the cluster. */}}
{{- define "authz-jsonmasking.host" -}}
{{- printf "%s.%s.svc" (include "authz-jsonmasking.fullname" .) (include "authz-jsonmasking.namespace" .) -}}
{{- end -}}

{{/* The URL of the service inside of the cluster. */}}
{{- define "authz-jsonmasking.url" -}}
{{- printf "%s://%s:%v" (include "authz-jsonmasking.scheme" .) (include "authz-jsonmasking.host" .) (include "authz-jsonmasking.servicePort" .) -}}
{{- end -}}

{{/* The sample to enforce, as JSON. OPA and AuthZEN decide about a user only. */}}
{{- define "authz-jsonmasking.sampleRequest" -}}
{{- $payload := dict "id" "c1" "name" "Ann Lee" -}}
{{- $protocol := (include "authz-jsonmasking.config" . | fromJson).pdpProtocol | default "resolution" -}}
{{- $vendor := ternary dict (dict "entityId" "jane") (eq $protocol "resolution") -}}
{{- default (dict "parameters" dict "vendor" $vendor "json" $payload) .Values.test.request | toRawJson -}}
{{- end -}}

{{/* The Secrets that the pod of `helm test` mounts, each by the folder that the script reads it from. */}}
{{- define "authz-jsonmasking.testSecrets" -}}
{{- with .Values.test.caSecret }}
ca: {{ . | quote }}
{{- end }}
{{- with .Values.test.clientCertificateSecret }}
client: {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "authz-jsonmasking.testMounts" -}}
{{- range $folder, $_ := include "authz-jsonmasking.testSecrets" . | fromYaml }}
- name: {{ $folder | quote }}
  mountPath: /etc/authz-jsonmasking-test/{{ $folder }}
  readOnly: true
{{- end }}
{{- end -}}

{{- define "authz-jsonmasking.testVolumes" -}}
{{- range $folder, $secret := include "authz-jsonmasking.testSecrets" . | fromYaml }}
- name: {{ $folder | quote }}
  secret:
    secretName: {{ $secret | quote }}
    items:
      {{- range ternary (list "ca.crt") (list "tls.crt" "tls.key") (eq $folder "ca") }}
      - key: {{ . | quote }}
        path: {{ . | quote }}
      {{- end }}
{{- end }}
{{- end -}}

{{/* The environment of the script of `helm test`. */}}
{{- define "authz-jsonmasking.testEnv" -}}
- name: SERVICE_URL
  value: {{ include "authz-jsonmasking.url" . | quote }}
{{- if include "authz-jsonmasking.testSecrets" . | trim }}
- name: TLS_FOLDER
  value: /etc/authz-jsonmasking-test
{{- end }}
- name: HEADERS
  value: {{ toRawJson .Values.test.headers | replace "$" "$$" | quote }}
{{- if .Values.test.existingSecret }}
- name: REQUEST
  valueFrom:
    secretKeyRef:
      name: {{ .Values.test.existingSecret | quote }}
      key: request.json
- name: EXPECTED
  valueFrom:
    secretKeyRef:
      name: {{ .Values.test.existingSecret | quote }}
      key: expected.json
      optional: true
{{- else }}
- name: REQUEST
  value: {{ include "authz-jsonmasking.sampleRequest" . | replace "$" "$$" | quote }}
{{- if not (kindIs "invalid" .Values.test.expected) }}
- name: EXPECTED
  value: {{ toRawJson .Values.test.expected | replace "$" "$$" | quote }}
{{- end }}
{{- end }}
{{- end -}}
