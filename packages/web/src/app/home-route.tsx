import { BoundSection, SectionBinding } from '../features/dashboards/bound-section.tsx'
import { HomePage } from '../features/home/home-page.tsx'
import { EmbeddedReport } from './embed.tsx'

export const HomeRoute = () => (
  <HomePage
    healthAction={<SectionBinding rota="bi-saude" />}
    healthReport={<BoundSection rota="bi-saude" Embed={EmbeddedReport} />}
  />
)
