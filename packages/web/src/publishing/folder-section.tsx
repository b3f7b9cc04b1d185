import { type FolderResult, publishingApi, type Report } from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api/api.ts'
import { reportsKey, workspacesKey } from '../lib/api/query-keys.ts'
import { useExclusiveMutation } from '../lib/api/use-exclusive-mutation.ts'
import { menusQuery } from '../reports/index.ts'
import { ErrorAlert } from '../ui/error-alert.tsx'
import type { SelectOption } from '../ui/search-select/select-options.ts'
import shared from '../ui/shared.module.css'
import { Findings } from './editor/findings.tsx'
import { type Preview, PreviewPanel } from './preview/preview-panel.tsx'
import { PublishedPanel, type PublishedReport } from './published/published-panel.tsx'
import { grantReports } from './readers/grant-reports.ts'
import { ReadersSection } from './readers/readers-section.tsx'
import { RolesField } from './readers/roles-field.tsx'
import { registerReport } from './register-report.ts'

/** A sent folder with definitions: what its check says, its reports, and their publication. */
export const FolderSection = ({ rascunho, Preview }: { rascunho: string; Preview: Preview }) => {
  const client = useQueryClient()
  const [people, setPeople] = useState<SelectOption[]>([])
  const [roles, setRoles] = useState<string[]>([])
  /** The report whose preview is shown; undefined: the first one. */
  const [chosen, setChosen] = useState<string>()
  const check = useQuery({
    queryKey: ['publicacoes', rascunho, 'pasta'],
    queryFn: ({ signal }) => call(publishingApi.checkFolder, { params: { rascunho } }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const reports = check.data?.erros.length === 0 ? check.data.relatorios : []
  const shown = reports.find(({ reportId }) => reportId === chosen) ?? reports[0]
  const preview = useQuery({
    queryKey: ['publicacoes', rascunho, 'previa', shown?.reportId],
    queryFn: ({ signal }) => {
      const body = { reportId: shown?.reportId ?? '' }
      return call(publishingApi.previewFolder, { params: { rascunho }, body }, { signal })
    },
    // A preview has no identity: rows of roles are refused.
    enabled: shown?.papeis.length === 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // The service keeps one preview of a folder: an earlier answer would show the last one.
    gcTime: 0,
  })
  const publication = useExclusiveMutation({
    mutationFn: async (): Promise<{ result: FolderResult; published?: PublishedReport[] }> => {
      const result = await call(publishingApi.publishFolder, { params: { rascunho } })
      if (result.erros.length > 0) return { result }
      const published: PublishedReport[] = []
      for (const { reportId, nome, idGrupo, nomeGrupo, papeis } of result.relatorios) {
        const report: Report = await registerReport({
          published: { idPowerBI: result.idPowerBI, idGrupo, reportId },
          nomeGrupo,
          nomeRelatorio: nome,
          papeisRls: papeis.filter((role) => roles.includes(role)),
        })
        const lacksRole = papeis.length > 0 && report.papeisRls.length === 0
        published.push({ report, workspace: { nome: nomeGrupo, idGrupo }, lacksRole })
      }
      await grantReports(
        people.map(({ value }) => value),
        published.map(({ report }) => report.idRelatorio),
      )
      return { result, published }
    },
    onSettled: () =>
      Promise.all(
        [['publicacoes', 'workspaces'], workspacesKey, reportsKey, menusQuery.queryKey].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
  if (publication.data?.published)
    return <PublishedPanel reports={publication.data.published} people={people.length} />
  const found = publication.data?.result ?? check.data
  const isFaulty = (found?.erros.length ?? 0) > 0
  return (
    <>
      <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="definicoes">
        <h2 id="definicoes" className={shared.subheading}>
          2. As definições
        </h2>
        <div role="status">
          <Findings result={found} isChecking={check.isFetching} />
        </div>
        <ErrorAlert error={check.error} />
        {found && found.relatorios.length > 0 && (
          <ul aria-label="Relatórios da pasta" className={shared.stackXs}>
            {found.relatorios.map(({ reportId, nome, nomeGrupo, substitui }) => (
              <li key={reportId} className={shared.breakable}>
                <strong>{nome}</strong>, no workspace {nomeGrupo}
                {substitui && ' · substitui o que está publicado'}
              </li>
            ))}
          </ul>
        )}
        {found && !isFaulty && found.relatorios.length === 0 && (
          <p className={shared.note}>A pasta não traz relatórios: só os dados serão publicados.</p>
        )}
        {reports.length > 1 && (
          <NativeSelect
            label="Relatório da prévia"
            value={shown?.reportId ?? ''}
            data={reports.map(({ reportId, nome }) => ({ value: reportId, label: nome }))}
            onChange={({ currentTarget: { value } }) => setChosen(value)}
          />
        )}
        {shown && shown.papeis.length > 0 && (
          <p className={shared.note}>
            Sem prévia: os dados têm segurança em nível de linha, e as linhas dependem de quem abre. Depois de
            publicar, abra o relatório ou use <em>Ver como</em>.
          </p>
        )}
        {shown?.papeis.length === 0 && (
          <PreviewPanel
            key={shown.reportId}
            Preview={Preview}
            previa={preview.data?.previa}
            nomeRelatorio={shown.nome}
            isFaulty={(preview.data?.erros.length ?? 0) > 0}
            error={preview.error ?? preview.data?.erros.join(' ')}
            onRenew={() => void preview.refetch()}
          />
        )}
      </section>
      <ReadersSection
        step={3}
        people={people}
        onChange={setPeople}
        publication={publication}
        disabled={!found || isFaulty}
      >
        <RolesField reports={reports} chosen={roles} onChange={setRoles} />
      </ReadersSection>
    </>
  )
}
