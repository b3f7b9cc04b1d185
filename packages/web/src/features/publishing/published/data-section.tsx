import {
  type ChosenNotation,
  type ChosenPlace,
  DATA_FILE_BYTES,
  type DataReplacement,
  type PublishedReport,
  publishedReportsApi,
  publishingApi,
} from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api/api.ts'
import { useExclusiveMutation } from '../../../lib/api/use-exclusive-mutation.ts'
import { counted } from '../../../lib/text/counted.ts'
import { sizeText } from '../../../lib/text/size-text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { ListFailure } from '../../../ui/data-table/list-failure.tsx'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import { FileDrop } from '../../../ui/file-drop/file-drop.tsx'
import shared from '../../../ui/shared.module.css'
import { discardDrafts, useDiscardedDrafts } from '../discard-drafts.ts'
import { assertSendable } from '../files/data-file.ts'
import { UnusableFile } from '../files/unusable-file.ts'
import { Findings } from '../findings.tsx'
import { isLimitOfDrafts, KeptDrafts } from '../kept-drafts/kept-drafts.tsx'
import { hasNotation, NotationFields } from '../notation-fields.tsx'
import { hasChoice, PlaceFields } from '../place-fields.tsx'
import classes from '../publishing.module.css'
import own from './published.module.css'
import { tablesQuery } from './published-queries.ts'
import '@mantine/core/styles/Combobox.layer.css'

/** What was chosen about the reading of a file. */
interface ReadAs {
  place: ChosenPlace
  notation: ChosenNotation
}
/** A file that the service keeps. */
interface Sent {
  file: File
  rascunho: string
}
type Body = { rascunho: string; tabela: string } & ChosenPlace & ChosenNotation
interface Checked {
  sent: Sent
  how: ReadAs
  body: Body
  result: DataReplacement
}

const sendData = async (file: File): Promise<Sent> => {
  assertSendable(file)
  const { rascunho } = await call(publishingApi.send, { body: { nome: file.name }, file })
  return { file, rascunho }
}

/** Replaces the data of a report by a file with the same columns: chosen, checked, confirmed. */
export const DataSection = ({ report: { reportId } }: { report: PublishedReport }) => {
  const client = useQueryClient()
  const tables = useQuery(tablesQuery(reportId))
  const [chosen, setChosen] = useState<string>()
  const tabela = chosen ?? tables.data?.find(({ oculta }) => !oculta)?.nome ?? tables.data?.[0]?.nome ?? ''
  const table = tables.data?.find(({ nome }) => nome === tabela)
  const params = { reportId }
  /** What was checked last: its file is kept while other choices are checked. */
  const [last, setLast] = useState<Checked>()
  const check = useExclusiveMutation({
    mutationFn: async ({ file, tabela, how }: { file: File | Sent; tabela: string; how: ReadAs }) => {
      const sent = file instanceof File ? await sendData(file) : file
      const body = { rascunho: sent.rascunho, tabela, ...how.place, ...how.notation }
      const result = await call(publishedReportsApi.checkData, { params, body }).catch((error: unknown) => {
        if (file instanceof File) discardDrafts([sent.rascunho])
        throw error
      })
      return { sent, how, body, result }
    },
    onSuccess: setLast,
  })
  useDiscardedDrafts(last ? [last.sent.rascunho] : [])
  const replacement = useExclusiveMutation({
    mutationFn: (body: Body) => call(publishedReportsApi.replaceData, { params, body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['publicacoes'] }),
  })
  const checkAgain = ({ sent, body }: Checked, how: ReadAs) => {
    replacement.reset()
    check.mutate({ file: sent, tabela: body.tabela, how })
  }
  const startOver = () => {
    setLast(undefined)
    check.reset()
    replacement.reset()
  }
  const isBusy = check.isPending || replacement.isPending
  const done = replacement.data?.erros.length === 0 ? replacement.data : undefined
  const checked = done ? undefined : last
  const found = replacement.data ?? checked?.result
  const fault = check.error instanceof UnusableFile ? check.error.message : check.error
  return (
    <section className={`${shared.panel} ${shared.stackSm}`} aria-labelledby="dados">
      <div>
        <h2 id="dados" className={shared.subheading}>
          Substituir dados
        </h2>
        <p className={shared.underHeading}>
          Escolha um arquivo com as mesmas colunas: os dados são trocados, e a definição do relatório fica
          como está.
        </p>
      </div>
      {tables.error && (
        <ListFailure
          error={tables.error}
          isFetching={tables.isFetching}
          onRetry={() => void tables.refetch()}
        />
      )}
      {(tables.data?.length ?? 0) > 1 && (
        <NativeSelect
          label="Tabela"
          className={own.narrow ?? ''}
          value={tabela}
          disabled={isBusy}
          data={(tables.data ?? []).map(({ nome, oculta }) => ({
            value: nome,
            label: oculta ? `${nome} (só das regras de linha)` : nome,
          }))}
          onChange={({ currentTarget: { value } }) => {
            setChosen(value)
            startOver()
          }}
        />
      )}
      {table && (
        <>
          <p className={`${shared.note} ${shared.breakable}`}>
            Colunas: {table.colunas.map(({ rotulo }) => rotulo).join(', ')}.
          </p>
          <FileDrop
            label="Arquivo com os dados novos"
            icon={<IconFileSpreadsheet size={40} stroke={1.4} aria-hidden className={shared.accent} />}
            accept=".csv,.txt,.tsv,.xlsx,.xlsm,.parquet,text/csv"
            button={{ variant: 'default', children: checked ? 'Escolher outro arquivo' : 'Escolher arquivo' }}
            note={`ou solte-o aqui: CSV, XLSX ou Parquet, até ${sizeText(DATA_FILE_BYTES)}`}
            isBusy={isBusy}
            onChoose={(file) => {
              startOver()
              check.mutate({ file, tabela, how: { place: {}, notation: {} } })
            }}
          >
            {checked && <ChosenFile file={checked.sent.file} rows={checked.result.linhas} />}
          </FileDrop>
          <div className={classes.choices}>
            {checked && hasChoice(checked.result.lugar) && (
              <PlaceFields
                lugar={checked.result.lugar}
                disabled={isBusy}
                onChange={(place) => checkAgain(checked, { ...checked.how, place })}
              />
            )}
            {checked && hasNotation(checked.result.escrita) && (
              <NotationFields
                escrita={checked.result.escrita}
                columns={[]}
                disabled={isBusy}
                onChange={(chosen) => {
                  const { place, notation } = checked.how
                  checkAgain(checked, { place, notation: { ...notation, ...chosen } })
                }}
              />
            )}
          </div>
        </>
      )}
      <div role="status" className={shared.stackXs}>
        {check.isPending && <p className={shared.note}>Conferindo as colunas…</p>}
        {done && (
          <p>
            Dados substituídos: {counted(done.linhas, 'linha', 'linhas')}. A versão anterior está na lista.
          </p>
        )}
        {found && !done && !check.isPending && (
          <Findings
            result={found}
            passed="Conferido: as colunas são as mesmas."
            refused="Este arquivo não pode substituir os dados"
          />
        )}
      </div>
      <ErrorAlert error={fault ?? replacement.error} />
      {isLimitOfDrafts(fault) && <KeptDrafts />}
      {checked?.result.erros.length === 0 && !check.isPending && (
        <div className={shared.buttonsAtEnd}>
          <ActionButton
            isMain
            label={`Substituir por ${counted(checked.result.linhas, 'linha', 'linhas')}`}
            loading={replacement.isPending}
            onClick={() => replacement.mutate(checked.body)}
          />
        </div>
      )}
    </section>
  )
}

const ChosenFile = ({ file, rows }: { file: File; rows: number }) => (
  <p className={shared.breakable}>
    <strong>{file.name}</strong>
    {rows > 0 && ` · ${counted(rows, 'linha', 'linhas')}`}
  </p>
)
