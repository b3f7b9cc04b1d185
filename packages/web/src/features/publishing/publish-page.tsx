import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import type { ChosenFile } from '../../ui/file-drop/dropped-files.ts'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { ColumnsSection } from './columns-section.tsx'
import { useDiscardedDrafts } from './discard-drafts.ts'
import { FileSection } from './file-section.tsx'
import { UnusableFile } from './files/unusable-file.ts'
import { FolderSection } from './folder-section.tsx'
import type { Preview } from './preview-panel.tsx'
import { PublishSection } from './publish-section.tsx'
import { publicationWorkspacesQuery } from './publishing-queries.ts'
import { type Draft, readAgain, type Sent, sendFiles } from './send-files.ts'

/** '/publicar': data files become a registered report that chosen people may open. */
export const PublishPage = ({ Preview }: { Preview: Preview }) => {
  const [sent, setSent] = useState<Sent>()
  // Also tells whether there is a local report service at all.
  const workspaces = useQuery(publicationWorkspacesQuery)
  /** The first draft of what was published last. */
  const [published, setPublished] = useState<string>()
  const sending = useExclusiveMutation({
    mutationFn: async (files: Promise<ChosenFile[]>) => sendFiles(await files),
    onSuccess: setSent,
  })
  const reading = useExclusiveMutation({
    mutationFn: ({ draft, types }: { draft: Draft; types: Draft['types'] }) => readAgain(draft, types),
    onSuccess: (next) => {
      // Types that do not fit are not kept: the columns stay as they were read before.
      if (next.reading.erros.length === 0)
        setSent((now) =>
          now?.kind === 'data'
            ? { ...now, drafts: now.drafts.map((one) => (one.id === next.id ? next : one)) }
            : now,
        )
    },
  })
  const drafts = sent?.kind === 'data' ? sent.drafts : []
  const [first] = drafts
  useDiscardedDrafts(sent?.kind === 'folder' ? [sent.id] : drafts.map(({ id }) => id))
  const isBusy = sending.isPending || reading.isPending
  return (
    <AdminPage
      title="Publicar relatórios"
      lead="Planilhas ou CSV viram um relatório: confira as colunas, ajuste o que foi proposto e escolha quem o abre."
    >
      {workspaces.error && (
        <ListFailure
          error={workspaces.error}
          isFetching={workspaces.isFetching}
          onRetry={() => void workspaces.refetch()}
        />
      )}
      <FileSection
        sent={sentList(sent)}
        replaced={sent?.replaced ?? []}
        isBusy={isBusy}
        fault={said(sending.error) ?? (sent?.kind === 'data' && sent.faults.join(' '))}
        onChoose={(files) => {
          reading.reset()
          sending.mutate(files)
        }}
      />
      {sent?.kind === 'folder' && <FolderSection key={sent.id} rascunho={sent.id} Preview={Preview} />}
      {drafts.map((draft) => (
        <ColumnsSection
          key={draft.id}
          file={drafts.length > 1 ? draft.file.chosen : undefined}
          reading={draft.reading}
          isBusy={isBusy}
          isPublished={first?.id === published}
          fault={
            reading.variables?.draft.id === draft.id &&
            (said(reading.error) ?? reading.data?.reading.erros.join(' '))
          }
          onType={(name, type) => reading.mutate({ draft, types: { ...draft.types, [name]: type } })}
        />
      ))}
      {first && (
        <PublishSection
          key={first.id}
          rascunho={first.id}
          outros={drafts.slice(1).map(({ id }) => id)}
          proposal={first.reading.relatorio}
          explanation={first.reading.proposta}
          types={drafts.map(({ types }) => types)}
          tables={drafts.flatMap((draft) => draft.reading.tabelas)}
          Preview={Preview}
          onPublished={() => setPublished(first.id)}
        />
      )}
    </AdminPage>
  )
}

const said = (error: unknown) => (error instanceof UnusableFile ? error.message : (error ?? undefined))

const sentList = (sent: Sent | undefined) => {
  if (!sent) return []
  if (sent.kind === 'folder')
    return [{ name: sent.name, bytes: sent.files.reduce((sum, { file }) => sum + file.size, 0) }]
  return sent.drafts.map(({ file, reading }) => ({
    ...{ name: file.chosen, bytes: file.size, rows: reading.linhas },
  }))
}
