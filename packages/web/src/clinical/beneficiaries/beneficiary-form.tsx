import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import '@mantine/core/styles/Combobox.layer.css'
import { type Beneficiary, fieldLabels, MISSING, REQUIRED, sexes } from '@bi-manager/contract'
import { Modal, NativeSelect, TextInput } from '@mantine/core'
import { IconAlertCircle, IconDeviceFloppy } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { ActionButton } from '../../ui/action-button.tsx'
import { DayTextField } from '../../ui/day-field/day-text-field.tsx'
import { ConflictDialog } from '../../ui/entity-form/conflict-dialog.tsx'
import { LeaveDialog } from '../../ui/entity-form/leave-dialog.tsx'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { RestoredNotice } from '../../ui/restored-notice.tsx'
import shared from '../../ui/shared.module.css'
import { useReported } from '../../ui/use-reported.ts'
import classes from './beneficiaries.module.css'
import { getBeneficiary, refreshBeneficiaries, saveBeneficiary } from './beneficiaries-queries.ts'
import { type BeneficiaryValues, valuesOf } from './beneficiary-values.ts'

/** The beneficiary to edit, or the initial values of a new one. */
export type BeneficiaryTarget = { beneficiary: Beneficiary } | { typed: Partial<BeneficiaryValues> }

interface BeneficiaryDialogProps {
  /** Undefined closes the dialog. */
  target: BeneficiaryTarget | undefined
  onClose: () => void
  onSaved: (saved: Beneficiary, isNew: boolean) => void
}

/** A dialog that creates or edits a beneficiary. */
export const BeneficiaryDialog = ({ target, onClose, onSaved }: BeneficiaryDialogProps) => {
  const { shown, opening } = useDialogTarget(target)
  const [isDirty, setDirty] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const opened = target !== undefined
  const close = () => {
    if (isBusy) return
    if (isDirty) setLeaving(true)
    else onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      // Escape must not also close the surrounding panel.
      onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && event.stopPropagation()}
      title={shown && 'beneficiary' in shown ? 'Editar beneficiário' : 'Cadastrar beneficiário'}
      size="38rem"
      centered
      closeOnClickOutside={false}
      closeOnEscape={!isLeaving && !isBusy}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {shown && (
        <BeneficiaryForm
          key={opening}
          target={shown}
          onDirty={setDirty}
          onBusy={setBusy}
          onCancel={close}
          onSaved={(saved, isNew) => {
            setDirty(false)
            onSaved(saved, isNew)
            onClose()
          }}
        />
      )}
      <LeaveDialog
        isDirty={opened && isDirty}
        closing={{
          isAsked: isLeaving,
          stay: () => setLeaving(false),
          leave: () => {
            setLeaving(false)
            onClose()
          },
        }}
      />
    </Modal>
  )
}

interface BeneficiaryFormProps {
  target: BeneficiaryTarget
  onDirty: (isDirty: boolean) => void
  onBusy: (isBusy: boolean) => void
  onCancel: () => void
  onSaved: (saved: Beneficiary, isNew: boolean) => void
}

const BeneficiaryForm = ({ target, onDirty, onBusy, onCancel, onSaved }: BeneficiaryFormProps) => {
  const queryClient = useQueryClient()
  const element = useRef<HTMLFormElement>(null)
  const beneficiary = 'beneficiary' in target ? target.beneficiary : undefined
  const form = useEntityForm<BeneficiaryValues, Beneficiary>({
    entity: beneficiary,
    valuesOf: (of) => valuesOf(of, of || beneficiary ? {} : 'typed' in target ? target.typed : {}),
    required: ['nome_beneficiario', 'id_beneficiario'],
    scope: `beneficiario-${beneficiary?.id ?? 'novo'}`,
    save: saveBeneficiary,
    reload: getBeneficiary,
    onSaved: (saved) => {
      refreshBeneficiaries(queryClient)
      onSaved(saved, beneficiary === undefined)
    },
  })
  const { isDirty, isSaving, conflict, attempts, errors } = form
  useReported(isDirty, onDirty)
  useReported(isSaving || conflict !== undefined, onBusy)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs per failed attempt
  useEffect(() => {
    if (attempts === 0) return
    const fields = [...(element.current?.querySelectorAll<HTMLElement>('[name]') ?? [])]
    fields.find((field) => (field.getAttribute('name') ?? '') in errors)?.focus()
  }, [attempts])

  const common = (field: keyof BeneficiaryValues) => ({
    label: fieldLabels[field],
    autoComplete: 'off',
    error: errors[field] === MISSING ? REQUIRED : errors[field],
  })
  const text = (field: Exclude<keyof BeneficiaryValues, 'sexo'>) => ({
    ...form.text(field),
    ...common(field),
  })
  return (
    <>
      {form.isRestored && <RestoredNotice done="digitado" save="grave" />}
      <Form
        ref={element}
        autoComplete="off"
        onSubmit={form.submit}
        className={shared.stackMd}
        aria-label={beneficiary ? 'Editar beneficiário' : 'Cadastrar beneficiário'}
      >
        <TextInput {...text('nome_beneficiario')} required maxLength={120} data-autofocus />
        <TextInput
          {...text('id_beneficiario')}
          required
          maxLength={60}
          spellCheck={false}
          description="O número da carteirinha, como o plano o escreve."
        />
        <div className={classes.pair}>
          <DayTextField {...form.field('data_nascimento')} {...common('data_nascimento')} />
          <NativeSelect
            {...common('sexo')}
            name="sexo"
            data={[
              { value: '', label: 'Não informado' },
              ...Object.entries(sexes).map(([value, label]) => ({ value, label })),
            ]}
            value={form.values.sexo}
            onChange={({ currentTarget }) =>
              form.set('sexo', currentTarget.value as BeneficiaryValues['sexo'])
            }
          />
          <TextInput {...text('plano')} maxLength={120} />
          <TextInput {...text('operadora')} maxLength={120} />
        </div>
        <ErrorAlert error={form.problem} icon={<IconAlertCircle aria-hidden />} />
        <div className={shared.buttonsAtEnd}>
          <ActionButton label="Cancelar" onClick={onCancel} disabled={isSaving} />
          <ActionButton
            isMain
            icon={IconDeviceFloppy}
            label="Gravar"
            type="submit"
            loading={isSaving && !conflict}
          />
        </div>
      </Form>
      <ConflictDialog
        form={form}
        display={{ sexo: (value) => sexes[value as keyof typeof sexes] ?? '(vazio)' }}
      />
    </>
  )
}
