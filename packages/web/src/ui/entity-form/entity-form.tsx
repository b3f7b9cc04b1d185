import { Anchor } from '@mantine/core'
import { IconAlertCircle, IconChevronLeft, IconDeviceFloppy } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { useRequestedReauthentication } from '../../lib/api/reauthentication.ts'
import { listAddress } from '../../lib/lists/list-address.ts'
import { ActionButton } from '../action-button.tsx'
import { ErrorAlert } from '../error-alert.tsx'
import { Form } from '../form.tsx'
import { AdminPage } from '../page/admin-page.tsx'
import { RestoredNotice } from '../restored-notice.tsx'
import shared from '../shared.module.css'
import { ConflictDialog } from './conflict-dialog.tsx'
import classes from './entity-form.module.css'
import type { FieldValues } from './field-values.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { SaveDialog } from './save-dialog.tsx'
import type { EntityForm as EntityFormState } from './use-entity-form.ts'

interface EntityFormProps<V extends FieldValues, R extends { versao: number }> {
  /** Returned by useEntityForm. */
  form: EntityFormState<V, R>
  title: string
  /** Title of the list, used in the link back above the heading: 'Usuários'. */
  section?: string
  lead?: ReactNode
  /** Target of 'Fechar', 'Cancelar' and Esc. */
  listPath: string
  /** Path of the blank form, for 'Cadastrar +1'. */
  registerPath: string
  /** Titles of the success dialogs: 'Workspace cadastrado!', 'Workspace editado!'. */
  texts: { created: string; updated: string }
  /** The fields. */
  children: ReactNode
  /** Buttons next to 'Gravar', such as 'Testar conexão'. */
  actions?: ReactNode
  /** Further actions in the success dialog, such as 'Importar relatórios'. */
  afterSave?: (saved: R, isNew: boolean) => ReactNode
  /** Labels for the conflict dialog, for fields missing from the contract's fieldLabels. */
  labels?: Partial<Record<keyof V, string>>
  /** Formats a field's value in words where its own text is unsuitable (a secret). */
  display?: Partial<Record<keyof V, (value: unknown) => string>>
  /** Rendered between the heading and the form. */
  above?: ReactNode
  /** Rendered below the form. */
  below?: ReactNode
}

/** The frame of a create-or-edit form: heading, fields, messages, buttons and dialogs. */
export const EntityForm = <V extends FieldValues, R extends { versao: number }>(
  props: EntityFormProps<V, R>,
) => {
  const { form, title, section, lead, listPath, registerPath, texts, children, actions, afterSave } = props
  const { above, below } = props
  // With the search and the page that the person came from.
  const back = listAddress(listPath)
  const navigate = useNavigate()
  const isReauthenticationAsked = useRequestedReauthentication() !== undefined
  const element = useRef<HTMLFormElement>(null)
  const focusFirst = () => element.current?.querySelector<HTMLElement>(FIELDS)?.focus()

  useEffect(() => element.current?.querySelector<HTMLElement>(FIELDS)?.focus({ preventScroll: true }), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once the errors of a failed attempt are rendered
  useEffect(() => {
    if (form.attempts === 0) return
    const faulty = Object.keys(form.errors)
    const first = [...(element.current?.querySelectorAll<HTMLElement>('[name]') ?? [])].find((field) =>
      faulty.includes(field.getAttribute('name') ?? ''),
    )
    first?.focus()
  }, [form.attempts])

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) void navigate(back)
  }

  return (
    <AdminPage
      title={title}
      above={
        section && (
          <Anchor component={Link} to={back} size="sm" mih="1.5rem" className={shared.backLink}>
            <IconChevronLeft size={16} aria-hidden />
            {section}
          </Anchor>
        )
      }
      lead={lead}
      narrow
    >
      {above}
      {form.isRestored && <RestoredNotice done="digitado" save="grave" />}
      <Form
        ref={element}
        autoComplete="off"
        onSubmit={form.submit}
        onKeyDown={handleKeyDown}
        className={`${shared.surface} ${classes.form}`}
        aria-label={title}
      >
        <p role="alert" className={classes.missing}>
          {form.isMissing && 'É necessário preencher todos os campos!'}
        </p>
        <div key={form.blanks} className={`${shared.stackLg} ${classes.fields}`}>
          {children}
        </div>
        <ErrorAlert error={form.problem} icon={<IconAlertCircle aria-hidden />} />
        <div className={`${shared.buttons} ${classes.buttons}`}>
          <ActionButton isMain icon={IconDeviceFloppy} label="Gravar" type="submit" />
          {actions}
          <ActionButton variant="subtle" label="Cancelar" color="gray" to={back} />
        </div>
      </Form>
      {below}
      <LeaveDialog isDirty={form.isDirty} />
      <SaveDialog
        isSaving={form.isSaving && !form.conflict && !isReauthenticationAsked}
        saved={form.saved}
        texts={texts}
        afterSave={afterSave}
        onClose={() => void navigate(back)}
        onAnother={() => {
          form.startBlank()
          void navigate(registerPath)
          // Runs after the dialog has restored the focus.
          setTimeout(focusFirst, 0)
        }}
      />
      <ConflictDialog {...props} />
    </AdminPage>
  )
}

const FIELDS = 'input:not([type="hidden"], :disabled), textarea:not(:disabled), select:not(:disabled)'
