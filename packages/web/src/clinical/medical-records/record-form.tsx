import {
  type Beneficiary,
  type ContentField,
  fieldLabels,
  PRESCRIPTION_NOTE,
  RECORD_TEXT,
  risks,
  specialties,
} from '@bi-manager/contract'
import { Text, Textarea } from '@mantine/core'
import { IconAlertCircle, IconDeviceFloppy } from '@tabler/icons-react'
import { useEffect, useId, useRef } from 'react'
import { counted } from '../../lib/text/counted.ts'
import { Button } from '../../ui/button.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { RestoredNotice } from '../../ui/restored-notice.tsx'
import { ClosedSelect } from '../../ui/search-select/closed-select.tsx'
import shared from '../../ui/shared.module.css'
import { useReported } from '../../ui/use-reported.ts'
import { useNewRecord } from './use-new-record.ts'

interface RecordFormProps {
  /** The patient of the new record. */
  beneficiary: Beneficiary | null
  /** Called when the form gets or loses unsaved text. */
  onDirty: (dirty: boolean) => void
}

/** The form 'Registrar Prontuário' for the chosen beneficiary. */
export const RecordForm = ({ beneficiary, onDirty }: RecordFormProps) => {
  const form = useNewRecord(beneficiary)
  const heading = useId()
  const state = useId()
  const element = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useReported(form.isDirty, onDirty)

  // Focus the first field that the server refused.
  const firstFault = Object.keys(form.faults).find((name) => name in form.values)
  useEffect(() => {
    if (firstFault) element.current?.querySelector<HTMLElement>(`[name="${firstFault}"]`)?.focus()
  }, [firstFault])

  const common = (name: ContentField) => ({
    name,
    label: fieldLabels[name],
    required: true,
    disabled: form.isPending,
    error: form.errorOf(name),
    onBlur: () => form.touch(name),
  })
  const list = <F extends ContentField>(name: F) => ({
    ...common(name),
    placeholder: 'Pesquise ou escolha',
    value: form.values[name],
    onChange: (value: (typeof form.values)[F]) => form.change(name, value),
  })
  const text = (name: 'descricao_hd' | 'prescricao_beneficiario') => ({
    ...common(name),
    ...growing,
    value: form.values[name],
    onChange: (event: { currentTarget: { value: string } }) => form.change(name, event.currentTarget.value),
    description: hintOf(name, form.values[name]),
  })

  useSuccessClose(form.isRegistered, form.startAnother)
  return (
    <>
      <Form
        ref={element}
        // Otherwise browsers save the fields' values to disk for session restore.
        autoComplete="off"
        onSubmit={form.submit}
        className={shared.stackSm}
        aria-labelledby={heading}
      >
        <h2 ref={title} id={heading} tabIndex={-1} className={shared.heading}>
          Registrar Prontuário
        </h2>
        {form.isRestored && <RestoredNotice done="digitado" save="registre" />}
        <ClosedSelect options={specialties} {...list('especialidade')} />
        <ClosedSelect options={risks} {...list('risco_custo')} />
        <ClosedSelect options={risks} {...list('risco_doenca')} />
        <Textarea {...text('descricao_hd')} />
        <Textarea {...text('prescricao_beneficiario')} />
        <ErrorAlert error={form.problem} icon={<IconAlertCircle aria-hidden />} />
        <div className={shared.stackTight}>
          {beneficiary && <Owner {...beneficiary} />}
          <Button
            type="submit"
            fullWidth
            loading={form.isPending}
            disabled={!form.isValid}
            aria-describedby={state}
            leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          >
            Registrar
          </Button>
          <p id={state} role="status" className={shared.smallNote}>
            {form.missing}
          </p>
        </div>
      </Form>
      <Dialog
        opened={form.isRegistered}
        onClose={form.startAnother}
        // The submit button, which had the focus, is disabled by now.
        returnFocus={false}
        onExitTransitionEnd={() => title.current?.focus()}
        isDone
        title="Prontuário cadastrado!"
      >
        {beneficiary && <Owner {...beneficiary} />}
        <Text size="sm">Ele já aparece em “Prontuários”.</Text>
        <div className={dialog.buttons}>
          <Button onClick={form.startAnother} data-autofocus>
            Fechar
          </Button>
        </div>
      </Dialog>
    </>
  )
}

/** Repeats the chosen beneficiary, whose block may be scrolled out of view. */
const Owner = ({ nome_beneficiario, id_beneficiario }: Beneficiary) => (
  <Text fz="sm" className={shared.breakable}>
    Prontuário de <strong>{nome_beneficiario}</strong>, ID {id_beneficiario}
  </Text>
)

const growing = { autosize: true, minRows: 2, maxRows: 16 } as const

const hintOf = (name: 'descricao_hd' | 'prescricao_beneficiario', text: string): string | undefined =>
  [name === 'prescricao_beneficiario' && PRESCRIPTION_NOTE, lengthHint(text)].filter(Boolean).join(' ') ||
  undefined

/**
 * Returns a hint near the limit only. The field has no maxLength, which would truncate pasted text.
 */
const lengthHint = (text: string): string | undefined => {
  const left = RECORD_TEXT - text.length
  if (left < 0 || left > 500) return undefined
  return `${left === 1 ? 'Resta' : 'Restam'} ${counted(left, 'caractere', 'caracteres')}.`
}
