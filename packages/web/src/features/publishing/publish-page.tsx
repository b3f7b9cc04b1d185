import { type DataReading, type DataType, publishingApi } from '@bi-manager/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { ColumnsSection } from './columns-section.tsx'
import { type DataFile, dataFileOf, UnusableFile } from './data-file.ts'
import { FileSection } from './file-section.tsx'
import type { Preview } from './preview-panel.tsx'
import { PublishSection } from './publish-section.tsx'
import { publicationWorkspacesQuery } from './publishing-queries.ts'

/** A file that the service keeps, as it was read last. */
interface Draft {
  id: string
  file: DataFile
  types: Record<string, DataType>
  reading: DataReading
}

/** '/publicar': a data file becomes a registered report that chosen people may open. */
export const PublishPage = ({ Preview }: { Preview: Preview }) => {
  const [draft, setDraft] = useState<Draft>()
  // Also tells whether there is a local report service at all.
  const workspaces = useQuery(publicationWorkspacesQuery)
  const reading = useMutation({
    mutationFn: async ({ chosen, from, types }: { chosen?: File; from?: Draft; types: Draft['types'] }) => {
      const file = chosen ? await dataFileOf(chosen) : from?.file
      if (!file) throw new UnusableFile('Escolha um arquivo.')
      const id =
        from?.id ?? (await call(publishingApi.send, { body: { nome: file.name }, file: file.bytes })).rascunho
      const read = await call(publishingApi.read, {
        params: { rascunho: id },
        body: { nomeRelatorio: titleOf(file.name), tipos: types },
      })
      return { id, file, types, reading: read }
    },
    onSuccess: (next, { from }) => {
      // Types that do not fit are not kept: the columns stay as they were read before.
      if (next.reading.erros.length === 0) setDraft(next)
      else if (!from) setDraft(undefined)
    },
  })
  const faults = reading.data?.reading.erros ?? []
  const fault =
    reading.error instanceof UnusableFile ? reading.error.message : (reading.error ?? faults.join(' '))
  return (
    <AdminPage
      title="Publicar relatórios"
      lead="Uma planilha ou um CSV vira um relatório: confira as colunas, ajuste o que foi proposto e escolha quem o abre."
    >
      {workspaces.error && (
        <ListFailure
          error={workspaces.error}
          isFetching={workspaces.isFetching}
          onRetry={() => void workspaces.refetch()}
        />
      )}
      <FileSection
        file={draft?.file}
        rows={draft?.reading.linhas}
        isBusy={reading.isPending}
        fault={reading.variables?.from ? undefined : fault}
        onChoose={(chosen) => reading.mutate({ chosen, types: {} })}
      />
      {draft && (
        <>
          <ColumnsSection
            reading={draft.reading}
            isBusy={reading.isPending}
            fault={reading.variables?.from ? fault : undefined}
            onType={(name, type) => reading.mutate({ from: draft, types: { ...draft.types, [name]: type } })}
          />
          <PublishSection
            key={draft.id}
            rascunho={draft.id}
            proposal={draft.reading.relatorio}
            types={draft.types}
            tables={draft.reading.tabelas}
            Preview={Preview}
          />
        </>
      )}
    </AdminPage>
  )
}

/** 'atendimentos_2026.csv' → 'Atendimentos 2026' */
const titleOf = (name: string): string => {
  const words = name
    .replace(/\.[^.]*$/, '')
    .replace(/[_-]+/g, ' ')
    .trim()
  return `${words.charAt(0).toLocaleUpperCase('pt-BR')}${words.slice(1)}`.slice(0, 160) || 'Relatório'
}
