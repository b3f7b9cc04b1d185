import { BoundSection, SectionBinding } from '../features/dashboards/bound-section.tsx'
import { HomePage } from '../features/home/home-page.tsx'
import { SecondFactorProposal } from '../features/security-settings/second-factor-proposal.tsx'
import { SetupChecklist } from '../features/setup/setup-checklist.tsx'
import { LazyViewer } from './embedded-report/lazy-viewer.tsx'

export const HomeRoute = () => (
  <HomePage
    adminNotice={
      <>
        <SetupChecklist />
        <SecondFactorProposal />
      </>
    }
    healthAction={<SectionBinding rota="bi-saude" />}
    healthReport={<BoundSection rota="bi-saude" Embed={LazyViewer} />}
  />
)
