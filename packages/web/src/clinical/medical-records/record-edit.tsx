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
import { Box, Textarea } from '@mantine/core'
import { IconAlertCircle, IconDeviceFloppy } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '../../ui/action-button.tsx'
import { ConflictDialog } from '../../ui/entity-form/conflict-dialog.tsx'
import { FieldSkeletons } from '../../ui/entity-form/entity-page.tsx'
import { isEmpty } from '../../ui/entity-form/field-values.ts'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { RestoredNotice } from '../../ui/restored-notice.tsx'
import { ClosedSelect } from '../../ui/search-select/closed-select.tsx'
import shared from '../../ui/shared.module.css'
import { useReported } from '../../ui/use-reported.ts'
import { dialogContentFocusProps } from './dialog-focus.ts'
import classes from './medical-records.module.css'
import { getEntity, updateEntity } from './medical-records-queries.ts'
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
  const form = useEntityForm<Content, MedicalRecord>({
    entity: record,
    valuesOf: contentOf,
    required: contentFields,
    scope: `prontuario-${record.id}`,
    save: (values, base = record) => updateEntity(base, values as MedicalRecordUpdate),
    reload: ({ id }) => getEntity(id),
    onSaved,
  })
  const [touched, setTouched] = useState<Partial<Record<ContentField, boolean>>>({})
  const { isDirty, isSaving, conflict } = form
  useReported(isDirty, onDirty)
  useReported(isSaving || conflict !== undefined, onBusy)

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
  return (
    <div className={shared.stackLg} {...dialogContentFocusProps}>
      <div>
        <Box component="h3" fw={650} fz="md" className={shared.breakable}>
          {record.nome_beneficiario}
        </Box>
        <p className={shared.underHeading}>
          {fieldLabels.id_beneficiario} {record.id_beneficiario}. Prontuário de {record.data_prontuario}.
        </p>
      </div>
      {form.isRestored && <RestoredNotice done="digitado" save="grave" />}
      <Form
        autoComplete="off"
        onSubmit={form.submit}
        aria-label="Editar prontuário"
        className={shared.stackMd}
      >
        <ClosedSelect options={specialties} {...list('especialidade')} />
        <ClosedSelect options={risks} {...list('risco_custo')} />
        <ClosedSelect options={risks} {...list('risco_doenca')} />
        <Textarea {...text('descricao_hd')} />
        <Textarea {...text('prescricao_beneficiario')} description={PRESCRIPTION_NOTE} />
        <ErrorAlert error={form.problem} icon={<IconAlertCircle aria-hidden />} />
        <div className={`${shared.buttonsAtEnd} ${classes.buttons}`}>
          <ActionButton label="Cancelar" onClick={onCancel} disabled={isSaving} />
          <ActionButton
            isMain
            icon={IconDeviceFloppy}
            label="Gravar"
            type="submit"
            loading={isSaving && !conflict}
            disabled={isInvalid || !isDirty}
          />
        </div>
      </Form>
      <PaperNotice />
      <ConflictDialog form={form} what="prontuário" />
    </div>
  )
}

export const RecordEditSkeleton = () => (
  <div className={shared.stackMd} role="status" aria-label="Carregando o prontuário">
    <FieldSkeletons count={contentFields.length} />
  </div>
)

/** Fields of closed lists are plain strings here; the server refuses values outside the lists. */
type Content = Record<ContentField, string>

const contentOf = (record: MedicalRecord | undefined): Content =>
  Object.fromEntries(contentFields.map((field) => [field, record?.[field] ?? ''])) as Content

const paragraph = { autosize: true, minRows: 3, maxRows: 12, maxLength: RECORD_TEXT } as const
