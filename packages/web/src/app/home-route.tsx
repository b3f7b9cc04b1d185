import { can } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { SecondFactorProposal } from '../accounts/security-settings/second-factor-proposal.tsx'
import { actorOf, useSession } from '../lib/session/session.ts'
import { SetupChecklist } from '../operations/setup/setup-checklist.tsx'
import { AttentionList } from '../operations/system-status/attention-list.tsx'
import { HealthSection } from '../reports/home/health-section.tsx'
import { HomePage } from '../reports/home/home-page.tsx'
import { BoundSection, SectionBinding } from '../reports/pages/bound-section.tsx'
import { pagesQuery } from '../reports/pages/pages-queries.ts'
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
