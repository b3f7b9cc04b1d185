import { ApiProblem, usersApi } from '@bi-manager/contract'
import { IconEye } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { entityQuery } from '../../lib/api/entities.ts'
import { usersKey } from '../../lib/api/query-keys.ts'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { registrationIn } from '../../lib/navigation/report-path.ts'
import { ReportViewer, type UseReportTools, ViewerNames, ViewerSkeleton } from '../../reports/index.ts'
import viewer from '../../reports/viewer/report-viewer.module.css'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { UnknownUser } from '../../ui/page/unknown-user.tsx'
import { ReauthenticationDialog } from '../../ui/reauthentication-dialog/reauthentication-dialog.tsx'
import classes from './report-as.module.css'

/** 'Ver como': a report with the data that another person sees, for administrators. */
export const ReportAsPage = ({ useTools }: { useTools: UseReportTools }) => {
  const id = useEntityId('user')
  return id ? <ReportAs key={id} idUsuario={id} useTools={useTools} /> : <UnknownUser />
}

const ReportAs = ({ idUsuario, useTools }: { idUsuario: number; useTools: UseReportTools }) => {
  const { groupId = '', reportId = '' } = useParams()
  const memory = useSearchParams()
  const { data: user, error, isFetching, refetch } = useQuery(entityQuery(usersKey, usersApi.get, idUsuario))
  if (error instanceof ApiProblem && error.status === 404) return <UnknownUser />
  if (error && !user)
    return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  // The report opens together with the name that marks it.
  if (!user)
    return (
      <div className={viewer.viewer} data-fills aria-busy>
        <div className={viewer.stage}>
          <ViewerSkeleton />
        </div>
      </div>
    )
  const { nomeUsuario } = user
  return (
    <>
      <ReportViewer
        fills
        viewAs={idUsuario}
        useTools={useTools}
        report={{ groupId, reportId, idRelatorio: registrationIn(memory[0]) }}
        memory={memory}
        label={`Relatório como ${nomeUsuario}`}
        link={() => window.location.href}
        heading={(nomeRelatorio) => <Names person={nomeUsuario} nomeRelatorio={nomeRelatorio} />}
        banner={
          <div className={classes.banner}>
            <IconEye size={20} aria-hidden />
            <p>
              Você está vendo este relatório como <strong>{nomeUsuario}</strong>. O acesso fica registrado.
            </p>
            <ActionButton
              variant="white"
              size="xs"
              label="Sair desta visão"
              to={`/permissoes/ver-como/${idUsuario}`}
            />
          </div>
        }
      />
      <ReauthenticationDialog />
    </>
  )
}

const Names = ({ person, nomeRelatorio }: { person: string; nomeRelatorio: string | undefined }) => {
  usePageTitle(nomeRelatorio ? `${nomeRelatorio} como ${person}` : `Ver como ${person}`)
  return <ViewerNames title={`Ver como ${person}`} nomeRelatorio={nomeRelatorio ?? ''} />
}
