import {
  ApiProblem,
  ATTACHMENT_MB,
  deliveryDomain,
  type SubscriptionSettings,
  subscriptionSettingsApi,
} from '@bi-manager/contract'
import { Alert, NumberInput, Skeleton, Switch, TagsInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api/api.ts'
import { useSubmission } from '../../../lib/forms/use-submission.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { ListFailure } from '../../../ui/data-table/list-failure.tsx'
import { useSuccessClose } from '../../../ui/dialog/use-success-close.ts'
import { LeaveDialog } from '../../../ui/entity-form/leave-dialog.tsx'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import { Form } from '../../../ui/form.tsx'
import { AdminPage } from '../../../ui/page/admin-page.tsx'
import shared from '../../../ui/shared.module.css'

const rulesQuery = queryOptions({
  queryKey: ['regras-de-assinaturas'],
  queryFn: ({ signal }) => call(subscriptionSettingsApi.get, {}, { signal }),
})

/** '/assinaturas/regras': what e-mails of subscriptions may have, and to where they may go. */
export const RulesPage = () => {
  const { data, error, isFetching, refetch } = useQuery({ ...rulesQuery, staleTime: 0 })
  return (
    <AdminPage
      narrow
      title="Regras das assinaturas"
      lead="Valem para os próximos envios de todas as assinaturas."
      actions={<ActionButton label="Assinaturas de todos" to="/assinaturas/todas" />}
    >
      {data ? (
        <Rules stored={data} />
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={340} radius="lg" />
      )}
    </AdminPage>
  )
}

const Rules = ({ stored }: { stored: SubscriptionSettings }) => {
  const client = useQueryClient()
  const [saved, setSaved] = useState(false)
  const [values, setValues] = useState(() => valuesOf(stored))
  const [typed, setTyped] = useState('')
  const isDirty = JSON.stringify(values) !== JSON.stringify(valuesOf(stored))
  useSuccessClose(saved, () => setSaved(false))
  const saving = useSubmission(
    () =>
      call(
        subscriptionSettingsApi.update,
        { body: { ...values, anexoMb: Number(values.anexoMb) } },
        { ifMatch: stored.versao },
      ),
    (next) => {
      client.setQueryData(rulesQuery.queryKey, next)
      setValues(valuesOf(next))
      setSaved(true)
    },
  )
  const set = (changes: Partial<typeof values>) => {
    saving.forget()
    setSaved(false)
    setValues((before) => ({ ...before, ...changes }))
  }
  const wrong = [...values.dominios, ...(typed.trim() ? [typed] : [])].find(
    (domain) => !deliveryDomain.safeParse(domain).success,
  )
  const isOutdated = saving.error instanceof ApiProblem && saving.error.status === 412
  return (
    <Form
      className={shared.card}
      onSubmit={() => !wrong && saving.submit()}
      aria-label="Regras das assinaturas"
    >
      <TagsInput
        label="Domínios permitidos"
        description="Só endereços destes domínios recebem e-mails. Vazio: todos."
        placeholder={values.dominios.length === 0 ? 'empresa.com.br' : undefined}
        name="dominios"
        value={values.dominios}
        onChange={(domains) => set({ dominios: domains.map((domain) => domain.trim().toLowerCase()) })}
        searchValue={typed}
        onSearchChange={setTyped}
        acceptValueOnBlur
        clearable={false}
        error={
          saving.faults.dominios ??
          (wrong && !typed ? `“${wrong}” não é um domínio, como empresa.com.br.` : undefined)
        }
      />
      <NumberInput
        label="Maior anexo, em MB"
        description={`De 1 a ${ATTACHMENT_MB.most}. Um arquivo maior vira link. Muitos servidores de e-mail recusam mensagens de mais de 25 MB.`}
        name="anexoMb"
        min={1}
        max={ATTACHMENT_MB.most}
        allowDecimal={false}
        allowNegative={false}
        value={values.anexoMb}
        onChange={(anexoMb) => set({ anexoMb })}
        error={saving.faults.anexoMb}
        styles={{ wrapper: { maxWidth: '14rem' } }}
      />
      <Switch
        label="Permitir anexos de relatórios restritos"
        description="Os que mostram linhas diferentes a cada pessoa ou estão marcados como sensíveis. Sem isso, o e-mail deles leva só um link, que pede a entrada no portal."
        checked={values.anexosRestritos}
        onChange={({ currentTarget: { checked } }) => set({ anexosRestritos: checked })}
      />
      {values.anexosRestritos && (
        <Alert color="yellow">
          Um e-mail encaminhado mostra os dados a qualquer pessoa, e o portal não sabe a quem.
        </Alert>
      )}
      <ErrorAlert error={saving.problem} />
      {isOutdated && (
        <ActionButton
          label="Ver as regras gravadas"
          onClick={() => void client.invalidateQueries({ queryKey: rulesQuery.queryKey })}
        />
      )}
      <div role="status">{saved && !isDirty && <Alert color="teal">Regras gravadas!</Alert>}</div>
      <div>
        <ActionButton
          isMain
          icon={IconDeviceFloppy}
          label="Gravar"
          type="submit"
          disabled={!isDirty || wrong !== undefined}
          loading={saving.isPending}
        />
      </div>
      <LeaveDialog isDirty={isDirty} />
    </Form>
  )
}

const valuesOf = ({ dominios, anexosRestritos, anexoMb }: SubscriptionSettings) => ({
  dominios,
  anexosRestritos,
  anexoMb: anexoMb as number | string,
})
