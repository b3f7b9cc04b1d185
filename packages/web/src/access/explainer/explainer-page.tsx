import { IconQuestionMark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { reportsKey, usersKey } from '../../lib/api/query-keys.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { ChosenEntity } from '../../ui/search-select/chosen-entity.tsx'
import { searchUsers, userOption } from '../../ui/search-select/user-options.ts'
import shared from '../../ui/shared.module.css'
import { AccessAnswer, AnswerSkeleton } from './access-answer.tsx'
import { reportOption, reportQuery, searchReports, userQuery } from './explainer-queries.ts'
import { useUserAndReport } from './use-user-and-report.ts'

/** Explains whether a user can view a report, why, or what is missing. */
export const ExplainerPage = () => {
  const { usuario, relatorio, choose } = useUserAndReport()
  const user = useQuery(userQuery(usuario))
  const report = useQuery(reportQuery(relatorio))

  return (
    <AdminPage
      title="Por que este usuário vê este relatório?"
      lead="Escolha a pessoa e o relatório: a resposta diz o que dá acesso, ou o que falta."
      narrow
    >
      <div className={`${shared.panel} ${shared.columns}`}>
        <ChosenEntity
          label="Usuário"
          placeholder="Pesquise pelo nome ou e-mail"
          notFound="Usuário não encontrado."
          queryKey={usersKey}
          search={searchUsers}
          id={usuario}
          entity={{ option: user.data && userOption(user.data), error: user.error }}
          onChoose={(id) => choose('usuario', id)}
        />
        <ChosenEntity
          label="Relatório"
          placeholder="Pesquise pelo nome"
          notFound="Relatório não encontrado."
          queryKey={reportsKey}
          search={searchReports}
          id={relatorio}
          entity={{ option: report.data && reportOption(report.data), error: report.error }}
          onChoose={(id) => choose('relatorio', id)}
        />
      </div>
      <div aria-live="polite">
        {user.data && report.data ? (
          <AccessAnswer key={`${usuario}/${relatorio}`} user={user.data} report={report.data} />
        ) : usuario === undefined || relatorio === undefined ? (
          <InlineMessage icon={IconQuestionMark}>{nextStep(usuario, relatorio)}</InlineMessage>
        ) : (
          // Errors are shown at their fields.
          !user.error && !report.error && <AnswerSkeleton />
        )}
      </div>
    </AdminPage>
  )
}

const nextStep = (usuario: number | undefined, relatorio: number | undefined): string => {
  if (usuario !== undefined) return 'Escolha agora o relatório.'
  return relatorio === undefined ? 'Escolha um usuário e um relatório.' : 'Escolha agora o usuário.'
}
