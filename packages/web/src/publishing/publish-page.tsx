import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useExclusiveMutation } from '../lib/api/use-exclusive-mutation.ts'
import { ListFailure } from '../ui/data-table/list-failure.tsx'
import type { ChosenFile } from '../ui/file-drop/dropped-files.ts'
import { AdminPage } from '../ui/page/admin-page.tsx'
import { ColumnsSection } from './columns/columns-section.tsx'
import { useDiscardedDrafts } from './files/discard-drafts.ts'
import { FileSection } from './files/file-section.tsx'
import { type Draft, type ReadAs, readAgain, type Sent, sendFiles } from './files/send-files.ts'
import { UnusableFile } from './files/unusable-file.ts'
import { FolderSection } from './folder-section.tsx'
import type { Preview } from './preview/preview-panel.tsx'
import { PublishSection } from './publish-section.tsx'
import classes from './publishing.module.css'
import { publicationWorkspacesQuery } from './publishing-queries.ts'

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
    mutationFn: ({ draft, ...how }: { draft: Draft } & Partial<ReadAs>) => readAgain(draft, how),
    onSuccess: (next, { types }) => {
      const { erros } = next.reading
      // Types that do not fit are not kept: the columns stay as they were read before.
      if (erros.length > 0 && types !== undefined) return
      const changed = (draft: Draft): Draft => {
        if (draft.id !== next.id) return draft
        // What was adjusted in the report must outlast a wrong choice.
        const wasRead = draft.reading.erros.length === 0
        return erros.length > 0 && wasRead ? { ...draft, refused: next.reading } : next
      }
      setSent((now) => (now?.kind === 'data' ? { ...now, drafts: now.drafts.map(changed) } : now))
    },
  })
  const drafts = sent?.kind === 'data' ? sent.drafts : []
  const [first] = drafts
  useDiscardedDrafts(sent?.kind === 'folder' ? [sent.id] : drafts.map(({ id }) => id))
  const isBusy = sending.isPending || reading.isPending
  const isRefused = drafts.some(({ refused }) => refused)
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
        leftOut={sent?.leftOut ?? []}
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
          file={drafts.length > 1 ? draft.file.name : undefined}
          reading={draft.refused ?? draft.reading}
          isBusy={isBusy}
          isPublished={first?.id === published}
          fault={
            reading.variables?.draft.id === draft.id &&
            (said(reading.error) ?? reading.data?.reading.erros.join(' '))
          }
          onType={(name, type) => {
            const { types, place, notation } = draft
            reading.mutate({ draft, place, notation, types: { ...types, [name]: type } })
          }}
          // Another sheet or heading has other columns, with types of their own.
          onPlace={(place) => reading.mutate({ draft, place, notation: draft.notation })}
          onNotation={(notation) => {
            const { types, place } = draft
            reading.mutate({ draft, types, place, notation: { ...draft.notation, ...notation } })
          }}
        />
      ))}
      {first && drafts.every(({ reading }) => reading.erros.length === 0) && (
        <div hidden={isRefused} className={isRefused ? undefined : classes.report}>
          <PublishSection
            key={first.id}
            rascunho={first.id}
            outros={drafts.slice(1).map(({ id }) => id)}
            proposal={first.reading.relatorio}
            explanation={first.reading.proposta}
            readAs={drafts.map(({ types, place, notation }) => ({ types, place, notation }))}
            tables={drafts.flatMap((draft) => draft.reading.tabelas)}
            hasMoments={drafts.some(({ reading }) =>
              reading.colunas.some(({ tipo }) => tipo === 'DATA_HORA'),
            )}
            Preview={Preview}
            onPublished={() => setPublished(first.id)}
          />
        </div>
      )}
    </AdminPage>
  )
}

const said = (error: unknown) => (error instanceof UnusableFile ? error.message : (error ?? undefined))

const sentList = (sent: Sent | undefined) => {
  if (!sent) return []
  if (sent.kind === 'folder')
    return [{ name: sent.name, bytes: sent.files.reduce((sum, { file }) => sum + file.size, 0) }]
  return sent.drafts.map(({ file, reading, refused = reading }) => ({
    name: file.name,
    bytes: file.size,
    ...(refused.erros.length === 0 && { rows: refused.linhas }),
  }))
}
