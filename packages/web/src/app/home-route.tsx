import { can } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { SecondFactorProposal } from '../accounts/index.ts'
import { actorOf, useSession } from '../lib/session/session.ts'
import { AttentionList, SetupChecklist } from '../operations/index.ts'
import { HomePage } from '../reports/home/home-page.tsx'
import { BoundSection, HealthSection, pagesQuery, SectionBinding } from '../reports/index.ts'
import { LazyViewer } from './embedded-report/lazy-viewer.tsx'

export const HomeRoute = () => {
  const pages = useQuery(pagesQuery)
  const canBind = can(actorOf(useSession()), 'pages:manage')
  return (
    <HomePage
      adminNotice={
        <>
          <SetupChecklist />
          <AttentionList />
          <SecondFactorProposal />
        </>
      }
      health={
        <HealthSection pages={pages} canBind={canBind} action={<SectionBinding rota="bi-saude" />}>
          <BoundSection rota="bi-saude" Embed={LazyViewer} />
        </HealthSection>
      }
    />
  )
}
