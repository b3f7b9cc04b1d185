import type { ApiKeySettings } from '@bi-manager/contract'
import { Skeleton, Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { LeaveDialog } from '../../ui/entity-form/leave-dialog.tsx'
import { SaveRules } from '../../ui/entity-form/save-rules.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import { keySettingsQuery, useSaveKeySettings } from './api-keys-queries.ts'

/** The rules of the installation for API keys. */
export const KeyRules = () => {
  const { data, error, isFetching, refetch } = useQuery({ ...keySettingsQuery, staleTime: 0 })
  if (data) return <Rules settings={data} />
  return error ? (
    <section className={shared.panel}>
      <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
    </section>
  ) : (
    <Skeleton height={190} radius="lg" />
  )
}

const Rules = ({ settings }: { settings: ApiKeySettings }) => {
  const [change, setChange] = useState<Partial<ApiKeySettings>>({})
  const saving = useSaveKeySettings()
  useSuccessClose(saving.isSuccess, saving.reset)
  const { pessoas, mcp } = { ...settings, ...change }
  const isDirty = pessoas !== settings.pessoas || mcp !== settings.mcp
  const set = (next: Partial<ApiKeySettings>) => {
    saving.reset()
    setChange((before) => ({ ...before, ...next }))
  }
  const save = () =>
    !saving.isPending &&
    saving.mutate({ pessoas, mcp, versao: settings.versao }, { onSuccess: () => setChange({}) })
  return (
    <Form className={`${shared.panel} ${shared.stackMd}`} onSubmit={save} aria-label="Regras das chaves">
      <Switch
        label="Todas as pessoas podem criar chaves"
        description="Desligado, só administradores criam e usam chaves; as das outras pessoas param na hora."
        checked={pessoas}
        onChange={({ currentTarget }) => set({ pessoas: currentTarget.checked })}
      />
      <Switch
        label="Servidor MCP"
        description={`Assistentes de IA leem relatórios em ${window.location.origin}/mcp, com uma chave que permite ler dados e as linhas de quem a criou.`}
        checked={mcp}
        onChange={({ currentTarget }) => set({ mcp: currentTarget.checked })}
      />
      <SaveRules saving={saving} error={saving.error} isDirty={isDirty} />
      <LeaveDialog isDirty={isDirty} hasNoDraft ignoresSearch />
    </Form>
  )
}
