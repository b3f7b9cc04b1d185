import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import {
  type DataSchedule,
  DataScheduleDraft,
  dataSchedulesApi,
  type PublishedReport,
} from '@bi-manager/contract'
import { Alert, Checkbox, NativeSelect, Skeleton, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { clockName, fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { RecurrenceFields } from '../../ui/recurrence/recurrence-fields.tsx'
import shared from '../../ui/shared.module.css'
import { scheduleQuery, tablesQuery } from './published-queries.ts'

/** When the data of a report is replaced from a folder or an address, and how the last run went. */
export const ScheduleSection = ({ report }: { report: PublishedReport }) => {
  const { reportId } = report
  const { data, error, isFetching, refetch } = useQuery(scheduleQuery(reportId))
  return (
    <section className={`${shared.panel} ${shared.stackSm}`} aria-labelledby="agendamento">
      <div>
        <h2 id="agendamento" className={shared.subheading}>
          Agendamento
        </h2>
        <p className={shared.underHeading}>
          O portal troca os dados sozinho, por um arquivo CSV, XLSX ou Parquet com as mesmas colunas. Um
          número inteiro pode ganhar casas decimais, e uma data, a hora: o resultado diz. Se algo falhar, os
          dados anteriores continuam, e os administradores recebem um aviso.
        </p>
      </div>
      {data ? (
        <>
          {data.agenda?.ultima && <ScheduleResult last={data.agenda.ultima} />}
          <ScheduleForm report={report} stored={data.agenda} hasFolder={data.temPasta} />
        </>
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label="Carregando o agendamento">
          <Skeleton height={120} radius="lg" />
        </div>
      )}
    </section>
  )
}

/** Keeps the fields of a row on one line. */
const DESCRIPTION_BELOW: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
]

type Values = Omit<DataSchedule, 'proximaEm' | 'ultima'>

const blank = (hasFolder: boolean): Values => ({
  origem: hasFolder ? 'PASTA' : 'URL',
  endereco: '',
  tabela: '',
  frequencia: 'DIA',
  horario: '06:00',
  ativa: true,
})

interface ScheduleFormProps {
  report: PublishedReport
  stored: DataSchedule | null
  hasFolder: boolean
}

const ScheduleForm = ({ report: { reportId, nome }, stored, hasFolder }: ScheduleFormProps) => {
  const client = useQueryClient()
  const tables = useQuery(tablesQuery(reportId))
  const [values, setValues] = useState<Values>(stored ?? blank(hasFolder))
  const [found, setFound] = useState<Record<string, string>>({})
  const [saved, setSaved] = useState<string>()
  const [removed, setRemoved] = useState<DataSchedule>()
  const firstField = useRef<HTMLSelectElement>(null)
  const params = { reportId }
  const visible = tables.data?.find(({ oculta }) => !oculta)?.nome ?? tables.data?.[0]?.nome
  const body = { ...values, tabela: values.tabela || visible || '' }
  const refresh = () => client.invalidateQueries({ queryKey: ['publicacoes'] })
  const saving = useSubmission(
    () => call(dataSchedulesApi.save, { params, body }),
    (state) => {
      client.setQueryData(scheduleQuery(reportId).queryKey, state)
      setSaved('Agendamento gravado.')
    },
  )
  const running = useExclusiveMutation({
    mutationFn: () => call(dataSchedulesApi.run, { params }),
    onSettled: refresh,
  })
  const forget = () => {
    client.setQueryData(scheduleQuery(reportId).queryKey, { temPasta: hasFolder, agenda: null })
    running.reset()
    change(blank(hasFolder))
  }
  const change = (next: Partial<typeof values>) => {
    setValues({ ...values, ...next })
    setFound({})
    setSaved(undefined)
    saving.forget()
  }
  const save = () => {
    const parsed = DataScheduleDraft.safeParse(body)
    const issues = parsed.success
      ? []
      : parsed.error.issues.map(({ path, message }) => [String(path[0]), message])
    setFound(Object.fromEntries(issues))
    if (parsed.success) saving.submit()
  }
  const faults = { ...saving.faults, ...found }
  const isUrl = values.origem === 'URL'
  const isBusy = saving.isPending || running.isPending
  return (
    <>
      <Form onSubmit={save} className={shared.stackMd}>
        <div className={shared.columns}>
          <NativeSelect
            ref={firstField}
            label="De onde"
            inputWrapperOrder={DESCRIPTION_BELOW}
            value={values.origem}
            error={faults.origem}
            data={[
              { value: 'PASTA', label: 'Pasta do servidor', disabled: !hasFolder },
              { value: 'URL', label: 'Endereço https://' },
            ]}
            description={
              hasFolder ? undefined : 'Nenhuma pasta foi permitida pelo operador (DATA_FILES_DIR).'
            }
            onChange={({ currentTarget: { value } }) =>
              change({ origem: value as DataSchedule['origem'], endereco: '' })
            }
          />
          <TextInput
            label={isUrl ? 'Endereço do arquivo' : 'Caminho na pasta'}
            placeholder={isUrl ? 'https://dados.empresa.com.br/vendas.csv' : 'vendas/abril.csv'}
            autoComplete="off"
            spellCheck={false}
            value={values.endereco}
            error={faults.endereco}
            inputWrapperOrder={DESCRIPTION_BELOW}
            description={
              values.endereco.endsWith('?***')
                ? 'O que vem depois de ? fica oculto, porque pode ter uma chave: deixe como está para mantê-lo.'
                : undefined
            }
            onChange={({ currentTarget: { value } }) => change({ endereco: value })}
          />
          {(tables.data?.length ?? 0) > 1 && (
            <NativeSelect
              label="Tabela"
              value={body.tabela}
              error={faults.tabela}
              data={(tables.data ?? []).map(({ nome }) => nome)}
              onChange={({ currentTarget: { value } }) => change({ tabela: value })}
            />
          )}
          <RecurrenceFields
            label="Quando"
            frequencies={['DIA', 'HORA']}
            values={values}
            faults={faults}
            set={change}
            portalTime={{
              label: 'Hora',
              inputWrapperOrder: DESCRIPTION_BELOW,
              description: values.frequencia === 'HORA' ? 'A cada hora, nestes minutos.' : `No ${clockName}.`,
            }}
          />
        </div>
        <Checkbox
          label="Ativo"
          checked={values.ativa}
          onChange={({ currentTarget: { checked } }) => change({ ativa: checked })}
        />
        <p role="status" className={shared.note}>
          {saved && `${saved} `}
          {stored?.proximaEm && `Próxima troca: ${fullTime(stored.proximaEm)}.`}
        </p>
        <ErrorAlert error={tables.error ?? saving.problem ?? running.error} />
        <div className={shared.buttonsAtEnd}>
          {stored && (
            <>
              <Button variant="default" disabled={isBusy} onClick={() => setRemoved(stored)}>
                Retirar agendamento
              </Button>
              <ActionButton
                label="Trocar agora"
                loading={running.isPending}
                disabled={isBusy && !running.isPending}
                onClick={() => running.mutate()}
              />
            </>
          )}
          <Button type="submit" loading={saving.isPending} disabled={!body.tabela}>
            Gravar agendamento
          </Button>
        </div>
      </Form>
      <ConfirmDelete
        target={removed}
        onClose={() => setRemoved(undefined)}
        question="Deseja mesmo retirar esse agendamento?"
        done="Agendamento retirado!"
        nameOf={() => nome}
        consequence="Os dados de hoje continuam no ar, e o portal deixa de trocá-los sozinho."
        confirm="Sim, retirar"
        failed="Não foi possível retirar"
        remove={() => call(dataSchedulesApi.remove, { params })}
        onDeleted={forget}
        leadFocus={() => firstField.current?.focus()}
      />
    </>
  )
}

/** How the last run of a schedule went. */
const ScheduleResult = ({
  last: { em, resultado, frase },
}: {
  last: NonNullable<DataSchedule['ultima']>
}) => {
  const hasFailed = resultado === 'FALHOU'
  return (
    <Alert
      color={hasFailed ? 'red' : 'teal'}
      icon={hasFailed ? <IconAlertTriangle aria-hidden /> : <IconCircleCheck aria-hidden />}
      title={hasFailed ? 'A última troca falhou' : 'Última troca'}
    >
      {fullTime(em)}: {frase}
      {hasFailed && ' Os dados anteriores continuam no ar.'}
    </Alert>
  )
}
