{{/* The pod of every role, and of the migration: no privileges, a read-only root, secrets as files. */}}
{{- define "peyk.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "peyk.scheduling" -}}
{{- if .Values.scheduling }}
{{- toYaml .Values.scheduling }}
{{- end }}
{{- end }}

{{- define "peyk.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "peyk.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "peyk.env" -}}
- name: PEYK_HOST
  value: '0.0.0.0'
- name: PEYK_DATA
  value: /var/lib/peyk
{{- range $name, $key := .Values.secretFiles }}
- name: {{ $name }}_FILE
  value: /run/secrets/peyk/{{ $key }}
{{- end }}
{{- if .Values.scrape.enabled }}
- name: PEYK_METRICS_TOKEN_FILE
  value: /run/secrets/peyk/metrics-token
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "peyk.mounts" -}}
- name: secrets
  mountPath: /run/secrets/peyk
  readOnly: true
- name: data
  mountPath: /var/lib/peyk
- name: tmp
  mountPath: /tmp
{{- end }}

{{- define "peyk.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .Values.existingSecret }}
    defaultMode: 0440
- name: data
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- end }}
