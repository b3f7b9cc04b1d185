import {
  type ContentField,
  contentFields,
  fieldLabels,
  type MedicalRecord,
  type MedicalRecordUpdate,
  PRESCRIPTION_NOTE,
  RECORD_TEXT,
  REQUIRED,
  risks,
  specialties,
} from '@bi-manager/contract'
import { Alert, Button, Skeleton, Textarea } from '@mantine/core'
import { IconAlertCircle, IconDeviceFloppy } from '@tabler/icons-react'
import { type SubmitEvent, useEffect, useState } from 'react'
import { ConflictDialog } from '../../ui/record-form/conflict-dialog.tsx'
import { isEmpty } from '../../ui/record-form/field-values.ts'
import { useRecordForm } from '../../ui/record-form/use-record-form.ts'
import { RestoredNotice } from '../../ui/restored-notice.tsx'
import { ClosedSelect } from '../../ui/search-select/closed-select.tsx'
import { dialogContentFocusProps } from './dialog-focus.ts'
import classes from './medical-records.module.css'
import { getRecord, updateRecord } from './medical-records-queries.ts'
import { PaperNotice } from './print-sheet.tsx'

interface RecordEditProps {
  /** The record as just fetched. */
  record: MedicalRecord
  /** Called when the form gets or loses unsaved changes. */
  onDirty: (isDirty: boolean) => void
  /** Called when saving starts or ends; the dialog must stay open in between. */
  onBusy: (isBusy: boolean) => void
  onCancel: () => void
  onSaved: (saved: MedicalRecord) => void
}

/** The edit form of a record, without the beneficiary, who cannot be changed. */
export const RecordEdit = ({ record, onDirty, onBusy, onCancel, onSaved }: RecordEditProps) => {
  const form = useRecordForm<Content, MedicalRecord>({
    record,
    valuesOf: contentOf,
    required: contentFields,
    requiredMs: 4_000,
    scope: `prontuario-${record.id}`,
    save: (values, base = record) => updateRecord(base, values as MedicalRecordUpdate),
    reload: ({ id }) => getRecord(id),
    onSaved,
  })
  const [touched, setTouched] = useState<Partial<Record<ContentField, boolean>>>({})
  const { isDirty, isSaving, conflict } = form
  useEffect(() => {
    onDirty(isDirty)
    return () => onDirty(false)
  }, [isDirty, onDirty])
  const isBusy = isSaving || conflict !== undefined
  useEffect(() => {
    onBusy(isBusy)
    return () => onBusy(false)
  }, [isBusy, onBusy])

  const errorOf = (field: ContentField) =>
    form.errors[field] ?? (touched[field] && isEmpty(form.values[field]) ? REQUIRED : undefined)
  const common = (field: ContentField) => ({
    label: fieldLabels[field],
    required: true,
    error: errorOf(field),
    onBlur: () => setTouched((before) => ({ ...before, [field]: true })),
  })
  const list = (field: ContentField) => ({ ...form.field(field), ...common(field) })
  const text = (field: ContentField) => ({ ...form.text(field), ...common(field), ...paragraph })
  const isInvalid = contentFields.some((field) => isEmpty(form.values[field]))
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    form.submit()
  }
  return (
    <div className={classes.record} {...dialogContentFocusProps}>
      <div>
        <h3 className={classes.name}>{record.nome_beneficiario}</h3>
        <p className={classes.whose}>
          {fieldLabels.id_beneficiario} {record.id_beneficiario}. Prontuário de {record.data_prontuario}.
        </p>
      </div>
      {form.isRestored && <RestoredNotice done="digitado" save="grave" />}
      <form
        noValidate
        autoComplete="off"
        onSubmit={handleSubmit}
        aria-label="Editar prontuário"
        className={classes.form}
      >
        <ClosedSelect options={specialties} {...list('especialidade')} />
        <ClosedSelect options={risks} {...list('risco_custo')} />
        <ClosedSelect options={risks} {...list('risco_doenca')} />
        <Textarea {...text('descricao_hd')} />
        <Textarea {...text('prescricao_beneficiario')} description={PRESCRIPTION_NOTE} />
        {form.problem && (
          <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
            {form.problem}
          </Alert>
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onCancel} disabled={isSaving}>
            Cancelar
          </Button>
          <Button
            type="submit"
            leftSection={<IconDeviceFloppy size={18} aria-hidden />}
            loading={isSaving && !conflict}
            disabled={isInvalid || !isDirty}
          >
            Gravar
          </Button>
        </div>
      </form>
      <PaperNotice />
      <ConflictDialog form={form} what="prontuário" />
    </div>
  )
}

export const RecordEditSkeleton = () => (
  <div className={classes.form} role="status" aria-label="Carregando o prontuário">
    {contentFields.map((field) => (
      <div key={field}>
        <Skeleton height={14} width={110} mb="xs" />
        <Skeleton height={36} />
      </div>
    ))}
  </div>
)

/** Fields of closed lists are plain strings here; the server refuses values outside the lists. */
type Content = Record<ContentField, string>

const contentOf = (record: MedicalRecord | undefined): Content => ({
  especialidade: record?.especialidade ?? '',
  risco_custo: record?.risco_custo ?? '',
  risco_doenca: record?.risco_doenca ?? '',
  descricao_hd: record?.descricao_hd ?? '',
  prescricao_beneficiario: record?.prescricao_beneficiario ?? '',
})

const paragraph = { autosize: true, minRows: 3, maxRows: 12, maxLength: RECORD_TEXT } as const
