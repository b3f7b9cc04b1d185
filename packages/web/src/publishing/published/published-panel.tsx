import { type Report, reportPath, usersApi } from '@bi-manager/contract'
import { IconCircleCheck, IconExternalLink, IconListCheck, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { callList } from '../../lib/api/api.ts'
import { usersKey } from '../../lib/api/query-keys.ts'
import { counted } from '../../lib/text/counted.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import shared from '../../ui/shared.module.css'

export interface PublishedReport {
  report: Report
  workspace: { nome: string; idGrupo: string }
  /** Its dataset has roles and its registration has none, so users cannot open it. */
  lacksRole?: boolean
}

interface PublishedPanelProps {
  /** None when only data was published. */
  reports: PublishedReport[]
  /** How many people were granted the reports. */
  people: number
}

/** What was published, and where to go on. */
export const PublishedPanel = ({ reports, people }: PublishedPanelProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className={`${shared.panel} ${shared.stackSm}`} aria-labelledby="publicado">
      <h2 id="publicado" ref={heading} tabIndex={-1} className={`${shared.row} ${shared.subheading}`}>
        <IconCircleCheck size={22} aria-hidden className={shared.accent} />
        {titleOf(reports.length)}
      </h2>
      {reports.map((published) => (
        <PublishedReportRow key={published.report.idRelatorio} {...published} people={people} />
      ))}
      {reports.length > 0 && <NextReaders />}
    </section>
  )
}

/** Leads from what was published to people who open it: to their registration if there are none. */
const NextReaders = () => {
  const { data: total } = useQuery({
    queryKey: [...usersKey, 'ativos'],
    queryFn: async ({ signal }) => {
      const query = { situacao: 'ATIVO', pagina: 1, tamanho: 2 } as const
      return (await callList(usersApi.list, { query }, { signal })).total
    },
    staleTime: 0,
  })
  if (total === undefined) return null
  // The ADMIN who publishes counts too.
  const isAlone = total < 2
  return (
    <>
      <p>
        {isAlone
          ? 'Ainda não há outras pessoas no portal: cadastre quem vai ler e libere o relatório.'
          : 'Libere mais pessoas quando quiser.'}
      </p>
      <div className={shared.buttons}>
        {isAlone ? (
          <ActionButton icon={IconUserPlus} label="Cadastrar pessoas" to="/cadastrar-usuario" />
        ) : (
          <ActionButton icon={IconListCheck} label="Dar permissão" to="/searchRelatorio" />
        )}
      </div>
    </>
  )
}

const titleOf = (reports: number): string => {
  if (reports === 0) return 'Dados publicados!'
  return reports === 1 ? 'Relatório publicado!' : `${reports} relatórios publicados!`
}

const PublishedReportRow = ({
  report,
  workspace,
  lacksRole = false,
  people,
}: PublishedReport & { people: number }) => {
  const { nomeRelatorio, idRelatorio, reportId } = report
  const address = reportPath({
    workspace: workspace.nome,
    relatorio: nomeRelatorio,
    groupId: workspace.idGrupo,
    reportId,
  })
  return (
    <>
      <p className={shared.breakable}>
        “{nomeRelatorio}” está no workspace {workspace.nome}, {lacksRole ? 'mas' : 'e'}{' '}
        {lacksRole
          ? 'ninguém pode abri-lo até que o cadastro tenha um dos papéis de segurança dos dados'
          : people === 0
            ? 'só administradores o veem por enquanto'
            : `${counted(people, 'pessoa pode', 'pessoas podem')} abri-lo`}
        .
      </p>
      <div className={shared.buttons}>
        {!lacksRole && <ActionButton isMain icon={IconExternalLink} label="Abrir relatório" to={address} />}
        <ActionButton
          isMain={lacksRole}
          label={lacksRole ? 'Escolher papéis' : 'Editar cadastro'}
          to={`/RegisterworkspaceRelatorios/${idRelatorio}`}
        />
      </div>
    </>
  )
}
