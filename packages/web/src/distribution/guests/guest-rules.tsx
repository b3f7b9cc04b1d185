import { ApiProblem, deliveryDomain, GUEST_DAYS, type GuestSettings, networks } from '@bi-manager/contract'
import { Alert, NumberInput, Skeleton, Switch, TagsInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSendsMail } from '../../lib/api/use-sends-mail.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { LeaveDialog } from '../../ui/entity-form/leave-dialog.tsx'
import { SaveRules } from '../../ui/entity-form/save-rules.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import { guestRulesQuery, useSaveGuestRules } from './guests-queries.ts'

/** The rules of the installation for guests. */
export const GuestRules = () => {
  const { data, error, isFetching, refetch } = useQuery({ ...guestRulesQuery, staleTime: 0 })
  if (data) return <Rules stored={data} />
  return error ? (
    <section className={shared.panel}>
      <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
    </section>
  ) : (
    <Skeleton height={120} radius="lg" />
  )
}

type Values = Omit<GuestSettings, 'versao' | 'diasMaximos'> & { diasMaximos: number | string }

const valuesOf = ({ ligado, diasMaximos, dominios, redes }: GuestSettings): Values => ({
  ligado,
  diasMaximos,
  dominios,
  redes,
})

const Rules = ({ stored }: { stored: GuestSettings }) => {
  const [change, setChange] = useState<Partial<Values>>({})
  const saving = useSaveGuestRules()
  const sendsMail = useSendsMail()
  useSuccessClose(saving.isSuccess, saving.reset)
  const values = { ...valuesOf(stored), ...change }
  const isDirty = JSON.stringify(values) !== JSON.stringify(valuesOf(stored))
  const set = (next: Partial<Values>) => {
    saving.reset()
    setChange((before) => ({ ...before, ...next }))
  }
  const wrongDomain = values.dominios.find((one) => !deliveryDomain.safeParse(one).success)
  const wrongNetwork = values.redes.find((one) => !networks(1).safeParse([one]).success)
  const isWrong = wrongDomain !== undefined || wrongNetwork !== undefined
  const save = () => {
    if (saving.isPending || isWrong) return
    const rules = { ...values, diasMaximos: Number(values.diasMaximos), versao: stored.versao }
    saving.mutate(rules, { onSuccess: () => setChange({}) })
  }
  const faults = saving.error instanceof ApiProblem ? saving.error.campos : {}
  return (
    <Form className={`${shared.panel} ${shared.stackMd}`} onSubmit={save} aria-label="Regras dos convidados">
      <Switch
        label="Links de convidado"
        description="Ligados, administradores convidam pessoas sem conta a ver um relatório. Desligar encerra todas as visitas na hora."
        checked={values.ligado}
        onChange={({ currentTarget }) => set({ ligado: currentTarget.checked })}
      />
      {values.ligado && !sendsMail && (
        <Alert color="yellow">
          Este portal não envia e-mails: os links ficam em arquivos, na pasta de saída do servidor.
        </Alert>
      )}
      {(values.ligado || stored.ligado) && (
        <div className={shared.columns}>
          <NumberInput
            label="Prazo máximo, em dias"
            description={`De 1 a ${GUEST_DAYS.most}. Vale para os convites gravados depois.`}
            name="diasMaximos"
            min={1}
            max={GUEST_DAYS.most}
            allowDecimal={false}
            allowNegative={false}
            value={values.diasMaximos}
            onChange={(diasMaximos) => set({ diasMaximos })}
            error={faults.diasMaximos}
          />
          <TagsInput
            label="Domínios permitidos"
            description="Só endereços destes domínios são convidados. Vazio: todos."
            placeholder={values.dominios.length === 0 ? 'empresa.com.br' : undefined}
            name="dominios"
            value={values.dominios}
            onChange={(dominios) => set({ dominios: dominios.map((one) => one.trim().toLowerCase()) })}
            acceptValueOnBlur
            clearable={false}
            error={wrongDomain ? `“${wrongDomain}” não é um domínio, como empresa.com.br.` : faults.dominios}
          />
          <TagsInput
            label="Redes permitidas"
            description="Só destas redes um convidado vê o relatório. Vazio: todas."
            placeholder={values.redes.length === 0 ? '192.0.2.0/24' : undefined}
            name="redes"
            value={values.redes}
            onChange={(redes) => set({ redes: redes.map((one) => one.trim().toLowerCase()) })}
            acceptValueOnBlur
            clearable={false}
            error={wrongNetwork ? `“${wrongNetwork}” não é um endereço IP nem uma rede.` : faults.redes}
          />
        </div>
      )}
      <SaveRules
        saving={saving}
        error={Object.keys(faults).length === 0 ? saving.error : null}
        isDirty={isDirty}
        isBlocked={isWrong}
      />
      <LeaveDialog isDirty={isDirty} hasNoDraft ignoresSearch />
    </Form>
  )
}
