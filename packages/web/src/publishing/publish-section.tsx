import {
  brazilianZones,
  type DataReading,
  MISSING,
  PORTAL_ZONE,
  type PublicationResult,
  publishingApi,
  type Report,
} from '@bi-manager/contract'
import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api/api.ts'
import { reportsKey, workspacesKey } from '../lib/api/query-keys.ts'
import { useExclusiveMutation } from '../lib/api/use-exclusive-mutation.ts'
import { menusQuery } from '../reports/index.ts'
import { LeaveDialog } from '../ui/entity-form/leave-dialog.tsx'
import type { SelectOption } from '../ui/search-select/select-options.ts'
import shared from '../ui/shared.module.css'
import { DefinitionSection } from './editor/definition-section.tsx'
import { nameIn, withName } from './editor/definition-text.ts'
import classes from './editor/editor.module.css'
import type { ReadAs } from './files/send-files.ts'
import { type Preview, PreviewPanel } from './preview/preview-panel.tsx'
import { PublishedPanel } from './published/published-panel.tsx'
import { publicationWorkspacesQuery } from './publishing-queries.ts'
import { grantReports } from './readers/grant-reports.ts'
import { ReadersSection } from './readers/readers-section.tsx'
import { registerReport } from './register-report.ts'

const NEW = 'novo'
/** Milliseconds without typing before the definition is checked. */
const CHECK_DELAY_MS = 800

const unpublished = {
  title: 'Sair sem publicar?',
  text: 'O que você ajustou neste relatório ainda não foi publicado e será perdido.',
  stay: 'Continuar aqui',
  leave: 'Sair sem publicar',
}

interface PublishSectionProps {
  rascunho: string
  /** Further drafts whose rows the report may read. */
  outros: string[]
  /** The definition that the service proposes for the columns. */
  proposal: string
  /** What the proposal makes of the columns, as sentences. */
  explanation: string[]
  /** What was chosen about the reading of each file: with others, the rows are other ones. */
  readAs: ReadAs[]
  /** What queries may name. */
  tables: DataReading['tabelas']
  /** Whether a column has moments: the clock of the data may decide their days. */
  hasMoments: boolean
  Preview: Preview
  /** The draft is published and registered: nothing of it can be changed here any more. */
  onPublished: () => void
}

/** Name, workspace and definition of the report, who may open it, and the publication. */
export const PublishSection = ({
  rascunho,
  outros,
  proposal,
  explanation,
  readAs,
  tables,
  hasMoments,
  Preview,
  onPublished,
}: PublishSectionProps) => {
  const client = useQueryClient()
  const workspaces = useQuery(publicationWorkspacesQuery)
  /** The author's name for the report, and own text; undefined follows the proposal. */
  const [name, setName] = useState<string>()
  const [edited, setEdited] = useState<string>()
  const [place, setPlace] = useState<string>()
  const [newName, setNewName] = useState('Minha área')
  const [zone, setZone] = useState<string>(PORTAL_ZONE)
  const [people, setPeople] = useState<SelectOption[]>([])

  const proposed = name === undefined ? proposal : withName(proposal, name)
  const relatorio = edited ?? proposed
  const shownName = nameIn(relatorio)
  const isNamed = !!shownName?.trim()
  const known = workspaces.data ?? []
  const chosen = place ?? known[0]?.idGrupo ?? NEW
  const nomeGrupo = known.find(({ idGrupo }) => idGrupo === chosen)?.nome ?? newName.trim()
  const workspace = { idGrupo: chosen === NEW ? null : chosen, nome: nomeGrupo }
  // A column may have become a text after the choice of a zone.
  const fuso = hasMoments ? zone : PORTAL_ZONE
  const body = { workspace, relatorio, outros, fuso }
  // As text: each drawing makes another object, which would start the delay again.
  // With how the files were read: the definition of other columns is that of an earlier reading.
  const [checkedText] = useDebouncedValue(JSON.stringify({ body, readAs }), CHECK_DELAY_MS)
  const { body: checkedBody, readAs: checkedAs }: { body: typeof body; readAs: ReadAs[] } =
    JSON.parse(checkedText)
  const check = useQuery({
    queryKey: ['publicacoes', rascunho, 'conferencia', checkedAs, checkedBody],
    queryFn: ({ signal }) =>
      call(publishingApi.check, { params: { rascunho }, body: checkedBody }, { signal }),
    enabled: workspaces.isSuccess && nomeGrupo !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isChecked = check.isSuccess && !check.isPlaceholderData && check.data.erros.length === 0
  const preview = useQuery({
    queryKey: ['publicacoes', rascunho, 'previa', checkedAs, checkedBody.relatorio, checkedBody.fuso],
    queryFn: ({ signal }) =>
      call(publishingApi.preview, { params: { rascunho }, body: checkedBody }, { signal }),
    enabled: isChecked,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // The service keeps one preview of a draft: an earlier answer would show the last one.
    gcTime: 0,
  })
  const publication = useExclusiveMutation({
    mutationFn: async (): Promise<{ result: PublicationResult; report?: Report }> => {
      const result = await call(publishingApi.publish, { params: { rascunho }, body })
      if (result.erros.length > 0) return { result }
      const report = await registerReport({
        published: result,
        nomeGrupo,
        nomeRelatorio: shownName?.trim() ?? '',
      })
      await grantReports(
        people.map(({ value }) => value),
        [report.idRelatorio],
      )
      onPublished()
      return { result, report }
    },
    onSettled: () =>
      Promise.all(
        [['publicacoes'], workspacesKey, reportsKey, menusQuery.queryKey].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })

  if (publication.data?.report)
    return (
      <PublishedPanel
        reports={[
          {
            report: publication.data.report,
            workspace: { nome: nomeGrupo, idGrupo: publication.data.result.idGrupo },
          },
        ]}
        people={people.length}
      />
    )
  const found = publication.data?.result ?? check.data
  /** A choice after which the outcome of an earlier publication no longer counts. */
  const choose =
    (set: (value: string) => void) =>
    (value: string): void => {
      publication.reset()
      set(value)
    }
  const edit = (text: string) => {
    publication.reset()
    setEdited(text === proposed ? undefined : text)
  }
  const rename = (next: string) => {
    publication.reset()
    setName(next)
    if (edited !== undefined) setEdited(withName(edited, next))
  }
  const isFaulty = (found?.erros.length ?? 0) > 0
  return (
    <>
      <LeaveDialog
        isDirty={edited !== undefined || name !== undefined || people.length > 0 || fuso !== PORTAL_ZONE}
        texts={unpublished}
      />
      <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="relatorio">
        <h2 id="relatorio" className={shared.subheading}>
          3. O relatório
        </h2>
        <div className={shared.columns}>
          <TextInput
            label="Nome do relatório"
            maxLength={160}
            autoComplete="off"
            value={shownName ?? ''}
            disabled={shownName === undefined}
            error={shownName !== undefined && !isNamed && MISSING}
            onChange={({ currentTarget: { value } }) => rename(value)}
          />
          <NativeSelect
            label="Workspace"
            disabled={!workspaces.isSuccess}
            value={chosen}
            data={[
              ...known.map(({ idGrupo, nome }) => ({ value: idGrupo, label: nome })),
              { value: NEW, label: 'Novo workspace…' },
            ]}
            onChange={({ currentTarget: { value } }) => choose(setPlace)(value)}
          />
          {chosen === NEW && (
            <TextInput
              label="Nome do novo workspace"
              maxLength={120}
              autoComplete="off"
              value={newName}
              error={nomeGrupo === '' && MISSING}
              onChange={({ currentTarget: { value } }) => choose(setNewName)(value)}
            />
          )}
          {hasMoments && (
            <NativeSelect
              label="Fuso horário dos dados"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              description="Decide em que dia caem as datas e horas que o arquivo traz com um fuso."
              value={zone}
              data={Object.entries(brazilianZones).map(([value, label]) => ({ value, label }))}
              onChange={({ currentTarget: { value } }) => choose(setZone)(value)}
            />
          )}
        </div>
        {edited === undefined && explanation.length > 0 && (
          <section
            aria-label="O que a proposta faz com as colunas"
            className={`${shared.stackXs} ${shared.note}`}
          >
            <p>O que a proposta faz com as colunas:</p>
            <ul className={`${classes.findings} ${shared.breakable}`}>
              {explanation.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </section>
        )}
        <DefinitionSection
          text={relatorio}
          proposal={proposal}
          tables={tables}
          result={found}
          isChecking={check.isFetching}
          error={check.error}
          preview={
            <PreviewPanel
              Preview={Preview}
              previa={preview.data?.previa}
              nomeRelatorio={shownName ?? ''}
              isFaulty={isFaulty || (preview.data?.erros.length ?? 0) > 0}
              error={preview.error ?? preview.data?.erros.join(' ')}
              onRenew={() => void preview.refetch()}
            />
          }
          onEdit={edit}
          onReset={edited === undefined ? undefined : () => edit(proposed)}
        />
      </section>
      <ReadersSection
        step={4}
        people={people}
        onChange={setPeople}
        publication={publication}
        disabled={isFaulty || nomeGrupo === '' || !isNamed}
      />
    </>
  )
}
