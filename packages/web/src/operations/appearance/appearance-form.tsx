import { ApiProblem, type Appearance, COMPANY_NAME_LENGTH } from '@bi-manager/contract'
import { Alert, TextInput } from '@mantine/core'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { messageOf } from '../../lib/api/api.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { LeaveDialog } from '../../ui/entity-form/leave-dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { RestoredNotice } from '../../ui/restored-notice.tsx'
import shared from '../../ui/shared.module.css'
import classes from './appearance.module.css'
import { useSaveAppearance } from './appearance-queries.ts'
import { ColorField } from './color-field.tsx'
import { LogoField } from './logo-field.tsx'
import { LookPreview } from './look-preview.tsx'
import { useAppearanceDraft } from './use-appearance-draft.ts'

export const AppearanceForm = ({ saved }: { saved: Appearance }) => {
  const draft = useAppearanceDraft(saved)
  const { nome, cor, imagem, isDirty } = draft
  const saving = useSaveAppearance(saved, draft.settle)
  const faults = saving.error instanceof ApiProblem ? saving.error.campos : {}
  const change: typeof draft.change = (next) => {
    if (!saving.isPending) saving.reset()
    draft.change(next)
  }
  const save = () => {
    if (saving.isPending || draft.colorFault) return
    saving.mutate({ nome, cor, ...(imagem === undefined ? {} : { imagem }) })
  }
  return (
    <div className={classes.columns}>
      <Form className={shared.card} onSubmit={save} aria-label="Aparência">
        {draft.isRestored && isDirty && <RestoredNotice done="escolhido" save="grave" />}
        <TextInput
          label="Nome da empresa"
          description="Aparece no lugar de “BI Manager”. Vazio, fica “BI Manager”."
          value={nome}
          maxLength={COMPANY_NAME_LENGTH}
          error={faults.nome}
          onChange={({ currentTarget }) => change({ nome: currentTarget.value })}
        />
        <LogoField draft={draft} fault={faults.imagem} onChange={change} />
        <ColorField draft={draft} fault={faults.cor} onChange={change} />
        {saving.error && Object.keys(faults).length === 0 && (
          <Alert color="red" role="alert">
            {messageOf(saving.error)}
          </Alert>
        )}
        <div role="status">{saving.isSuccess && !isDirty && <Saved />}</div>
        <div>
          <ActionButton
            isMain
            icon={IconDeviceFloppy}
            label="Gravar"
            type="submit"
            disabled={!isDirty || draft.colorFault !== undefined}
            loading={saving.isPending}
          />
        </div>
      </Form>
      <LookPreview
        name={nome.trim()}
        color={draft.colorFault ? undefined : draft.wholeColor}
        logoUrl={draft.logoUrl}
      />
      <LeaveDialog isDirty={isDirty} />
    </div>
  )
}

const Saved = () => (
  <Alert color="teal" title="Aparência gravada!">
    <p>As páginas já abertas mudam quando forem recarregadas.</p>
    <ActionButton
      size="xs"
      mt="sm"
      label="Recarregar esta página"
      type="button"
      onClick={() => window.location.reload()}
    />
  </Alert>
)
