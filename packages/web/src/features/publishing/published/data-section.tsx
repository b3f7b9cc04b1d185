import {
  DATA_FILE_BYTES,
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
import { DraftsNote } from '../drafts-note.tsx'
import { type DataFile, dataFileOf, underChosenName } from '../files/data-file.ts'
import { UnusableFile } from '../files/unusable-file.ts'
import { Findings } from '../findings.tsx'
import own from './published.module.css'
import { tablesQuery } from './published-queries.ts'
import '@mantine/core/styles/Combobox.layer.css'

/** Replaces the data of a report by a file with the same columns: chosen, checked, confirmed. */
export const DataSection = ({ report: { reportId } }: { report: PublishedReport }) => {
  const client = useQueryClient()
  const tables = useQuery(tablesQuery(reportId))
  const [chosen, setChosen] = useState<string>()
  const tabela = chosen ?? tables.data?.find(({ oculta }) => !oculta)?.nome ?? tables.data?.[0]?.nome ?? ''
  const table = tables.data?.find(({ nome }) => nome === tabela)
  const params = { reportId }
  const check = useExclusiveMutation({
    mutationFn: async ({ file, tabela }: { file: File; tabela: string }) => {
      const data = await dataFileOf(file)
      const sent = await call(publishingApi.send, { body: { nome: data.name }, file: data.bytes })
      const { rascunho, apagados } = sent
      const body = { rascunho, tabela }
      const result = await call(publishedReportsApi.checkData, { params, body }).catch((error: unknown) => {
        discardDrafts([rascunho])
        throw error
      })
      return { file: data, body, result: named(data, result), replaced: apagados }
    },
  })
  useDiscardedDrafts(check.data ? [check.data.body.rascunho] : [])
  const replacement = useExclusiveMutation({
    mutationFn: (body: { rascunho: string; tabela: string }) =>
      call(publishedReportsApi.replaceData, { params, body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['publicacoes'] }),
  })
  const done = replacement.data?.erros.length === 0 ? replacement.data : undefined
  const checked = done ? undefined : check.data
  const found =
    replacement.data && checked
      ? named(checked.file, replacement.data)
      : (replacement.data ?? checked?.result)
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
          disabled={check.isPending || replacement.isPending}
          data={(tables.data ?? []).map(({ nome, oculta }) => ({
            value: nome,
            label: oculta ? `${nome} (só das regras de linha)` : nome,
          }))}
          onChange={({ currentTarget: { value } }) => {
            setChosen(value)
            check.reset()
            replacement.reset()
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
            accept=".csv,.txt,.xlsx,.parquet,text/csv"
            button={{ variant: 'default', children: checked ? 'Escolher outro arquivo' : 'Escolher arquivo' }}
            note={`ou solte-o aqui: CSV, XLSX ou Parquet, até ${sizeText(DATA_FILE_BYTES)}`}
            isBusy={check.isPending || replacement.isPending}
            onChoose={(file) => {
              replacement.reset()
              check.mutate({ file, tabela })
            }}
          >
            {checked && <ChosenFile file={checked.file} rows={checked.result.linhas} />}
          </FileDrop>
          <DraftsNote replaced={check.data?.replaced ?? []} />
        </>
      )}
      <div role="status" className={shared.stackXs}>
        {check.isPending && <p className={shared.note}>Conferindo as colunas…</p>}
        {done && (
          <p>
            Dados substituídos: {counted(done.linhas, 'linha', 'linhas')}. A versão anterior está na lista.
          </p>
        )}
        {found && !done && (
          <Findings
            result={found}
            passed="Conferido: as colunas são as mesmas."
            refused="Este arquivo não pode substituir os dados"
          />
        )}
      </div>
      <ErrorAlert error={fault ?? replacement.error} />
      {checked?.result.erros.length === 0 && (
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

/** The findings, with the file's name as the person knows it. */
const named = <F extends { erros: string[]; avisos: string[] }>(file: DataFile, found: F): F => ({
  ...found,
  erros: underChosenName(file, found.erros),
  avisos: underChosenName(file, found.avisos),
})

const ChosenFile = ({ file, rows }: { file: DataFile; rows: number }) => (
  <p className={shared.breakable}>
    <strong>{file.chosen}</strong>
    {rows > 0 && ` · ${counted(rows, 'linha', 'linhas')}`}
  </p>
)
